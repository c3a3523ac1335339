"""Positions of Rummy pe tabla: all of a deal's tiles, and one line of text for them.

Every field is separated by ``;`` and may be omitted from the end on::

    rack0 / rack1 / ... ; row ; pool ; atu ; turn ; drawn ; declared

The row is written with its last discard last, the pool in draw order; ``?`` at the end
of the pool stands for all tiles that are named nowhere, in an unknown order, and is
what an omitted pool means; without it they are out of the deal. An omitted atu is one
of them too. ``turn`` is the seat to act. ``drawn`` is empty while that seat is to draw,
``pool`` when it has 15 tiles, from the pool or from the deal, the tile that it took
from the row, or ``doubles`` while doubles are declared: then ``declared`` has by seat
those declared so far, each by one tile.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np

from rummi_env.core.fields import (
    REST,
    check_names,
    check_seat,
    join_fields,
    pool_text,
    read_pool,
    read_racks,
    read_seat,
    read_tiles,
    split_fields,
    tiles_text,
)
from rummi_env.core.notation import parse_tile
from rummi_env.core.tabla_rules import MAX_PLAYERS, MIN_PLAYERS, RACK_SIZE
from rummi_env.core.tiles import JOKER, NUM_COUNTS, counts_of, tile_name

_FIELDS = ("racks", "row", "pool", "atu", "turn", "drawn", "declared")

COPIES = 2
"""Tiles of each kind in the deck."""

Asked = Literal["doubles", "draw", "discard"]

FROM_POOL = "pool"
DOUBLES = "doubles"
"""Texts of ``drawn`` that are no tile."""


@dataclass(frozen=True, kw_only=True)
class TablaPosition:
    """All of a deal's tiles, and what is asked of whom.

    Raises:
        ValueError: There are more tiles of a kind than in the deck, or the parts do not
            go together.
    """

    racks: tuple[tuple[int, ...], ...]
    """Per seat the tiles of its rack: 14, and 15 where a tile is to be discarded."""

    row: tuple[int, ...] = ()
    """The discards, the last one last."""

    pool: tuple[int, ...] = ()
    """The tiles that are drawn next, in draw order."""

    pool_rest: bool = True
    """Whether the tiles named nowhere follow them, in an order that is not known."""

    atu: int | None = None
    """The tile that was turned face up; None: one of the tiles named nowhere."""

    turn: int = 0
    """The seat to act."""

    asked: Asked = "draw"
    """What is asked of that seat."""

    taken: int | None = None
    """The tile that it took from the row in this turn."""

    declared: tuple[tuple[int, ...], ...] = ()
    """Per seat the kinds of the doubles declared so far; none, if empty."""

    def __post_init__(self) -> None:
        """Check that the parts go together."""
        players = len(self.racks)
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise ValueError(
                f"there must be {MIN_PLAYERS} to {MAX_PLAYERS} racks, not {players}"
            )
        check_seat("turn", self.turn, players)
        counts = counts_of(self._named())
        if counts.max() > COPIES:
            kind = int(counts.argmax())
            raise ValueError(
                f"the deck has only {COPIES} of {tile_name(kind)}, not {counts[kind]}"
            )
        if self.atu is None and not self.pool_rest:
            raise ValueError("the atu must be named where the pool names all its tiles")
        self._check_sizes()
        self._check_taken()
        if not self.declared:
            object.__setattr__(self, "declared", ((),) * players)
        self._check_declared()

    @property
    def starter(self) -> int:
        """The seat that has the first turn.

        While doubles are declared that is the one with 15 tiles; later the one that it
        must have been if every discard still lies in the row.
        """
        if self.asked == "doubles":
            return [len(rack) for rack in self.racks].index(RACK_SIZE + 1)
        return (self.turn - len(self.row)) % len(self.racks)

    @property
    def rest(self) -> tuple[int, ...]:
        """The tiles that are named nowhere, in ascending order."""
        left = COPIES - counts_of(self._named())
        return tuple(np.repeat(np.arange(NUM_COUNTS), left).tolist())

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, tiles as text; `tabla_position_of` reads them."""
        drawn = {"doubles": DOUBLES, "discard": FROM_POOL, "draw": ""}[self.asked]
        if self.taken is not None:
            drawn = tile_name(self.taken)
        return {
            "racks": [tiles_text(rack) for rack in self.racks],
            "row": tiles_text(self.row),
            "pool": pool_text(self.pool, self.pool_rest),
            "atu": "" if self.atu is None else tile_name(self.atu),
            "turn": self.turn,
            "drawn": drawn,
            "declared": [tiles_text(kinds) for kinds in self.declared],
        }

    def _named(self) -> Iterable[int]:
        atu = () if self.atu is None else (self.atu,)
        return chain(self.row, self.pool, atu, *self.racks)

    def _check_sizes(self) -> None:
        holders = [
            seat for seat, rack in enumerate(self.racks) if len(rack) == RACK_SIZE + 1
        ]
        for seat, rack in enumerate(self.racks):
            if len(rack) not in (RACK_SIZE, RACK_SIZE + 1):
                raise ValueError(
                    f"the rack of seat {seat} must have {RACK_SIZE} or {RACK_SIZE + 1} "
                    f"tiles, not {len(rack)}"
                )
        wanted = {"draw": [], "discard": [self.turn], "doubles": holders[:1]}
        if holders != wanted[self.asked] or (self.asked == "doubles" and not holders):
            who = {
                "draw": "no seat",
                "discard": f"seat {self.turn} alone",
                "doubles": "the seat that has the first turn, and no other,",
            }[self.asked]
            held = ", ".join(map(str, holders)) or "none"
            raise ValueError(
                f"{who} must have {RACK_SIZE + 1} tiles when "
                f"{ASKED_TEXT[self.asked]}; those that have are {held}"
            )
        if self.asked == "doubles" and self.row:
            raise ValueError("the row must be empty while doubles are declared")

    def _check_taken(self) -> None:
        if self.taken is None:
            return
        if self.asked != "discard":
            raise ValueError("a tile can only be taken before a discard")
        if self.taken not in self.racks[self.turn]:
            raise ValueError(
                f"drawn: {tile_name(self.taken)} is not on the rack of seat {self.turn}"
            )

    def _check_declared(self) -> None:
        if len(self.declared) != len(self.racks):
            raise ValueError(
                f"declared must be given for {len(self.racks)} seats, not "
                f"{len(self.declared)}"
            )
        for seat, kinds in enumerate(self.declared):
            if kinds and self.asked != "doubles":
                raise ValueError("declared must be empty once doubles are exchanged")
            rack = self.racks[seat]
            for kind in kinds:
                if kind == JOKER or rack.count(kind) < COPIES:
                    raise ValueError(
                        f"declared: the rack of seat {seat} has no double of "
                        f"{tile_name(kind)}"
                    )


ASKED_TEXT = {
    "doubles": "doubles are declared",
    "draw": "a tile is to be drawn",
    "discard": "a tile is to be discarded",
}
"""What is asked, in words."""


def parse_tabla_position(text: str) -> TablaPosition:
    """Return the position; see the module for the text.

    Raises:
        ValueError: The text is no position.

    >>> rack = "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 R1"
    >>> position = parse_tabla_position(f"{rack} R2 / {rack}; ; J ?; O13; 0; pool")
    >>> format_tabla_position(position)[-22:]
    '; J ? ; O13 ; 0 ; pool'
    """
    fields = split_fields("position", text, _FIELDS)
    given = {name: part for name, part in fields.items() if part or name == "pool"}
    return tabla_position_of(given)


def format_tabla_position(position: TablaPosition) -> str:
    """Return the text of a position, without the fields at its end that are default."""
    fields = position.to_dict()
    declared = " / ".join(fields["declared"]) if any(position.declared) else ""
    return join_fields(
        [
            (" / ".join(fields["racks"]), ""),
            (fields["row"], ""),
            (fields["pool"], REST),
            (fields["atu"], ""),
            (str(fields["turn"]), "0"),
            (fields["drawn"], ""),
            (declared, ""),
        ]
    )


def tabla_position_of(value: TablaPosition | str | Mapping[str, Any]) -> TablaPosition:
    """Return the position that a user gave: itself, its text, or its fields by name.

    The fields are those of `TablaPosition.to_dict`: tiles as text or a list of names or
    indices, a rack also as counts.

    Raises:
        ValueError: It is no position.
    """
    if isinstance(value, TablaPosition):
        return value
    if isinstance(value, str):
        return parse_tabla_position(value)
    check_names("position", value, _FIELDS)
    if "racks" not in value:
        raise ValueError("a position must have racks")
    pool, pool_rest = read_pool(value.get("pool", REST))
    drawn = str(value.get("drawn", "")).strip()
    asked: Asked = "draw"
    taken = None
    if drawn.lower() == DOUBLES:
        asked = "doubles"
    elif drawn:
        asked = "discard"
        taken = None if drawn.lower() == FROM_POOL else parse_tile(drawn)
    declared = value.get("declared", ())
    if isinstance(declared, str):
        declared = declared.split("/") if declared.strip() else ()
    racks = read_racks(value["racks"])
    doubles = [read_tiles("declared", kinds) for kinds in declared]
    if doubles:
        doubles += [()] * (len(racks) - len(doubles))
    atu = read_tiles("atu", value.get("atu") or ())
    if len(atu) > 1:
        raise ValueError(f"the atu is one tile, not {tiles_text(atu)}")
    return TablaPosition(
        racks=racks,
        row=read_tiles("row", value.get("row", ())),
        pool=pool,
        pool_rest=pool_rest,
        atu=atu[0] if atu else None,
        turn=read_seat("turn", value.get("turn", 0)),
        asked=asked,
        taken=taken,
        declared=tuple(doubles),
    )
