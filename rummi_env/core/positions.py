"""Positions: one moment of a round, with one line of text.

Every field is separated by ``;`` and may be omitted from the end on::

    table ; rack0 / rack1 / ... ; pool ; turn ; opened ; played
    K3 K4 K5 | R7 B7 J ; R9 J / B1 B2 ; O5 K1 ? ; 1 ; 10 ; B1

A pool is written in the order in which it is drawn. A ``?`` at its end stands for all
tiles of the deck that are named nowhere, in an order that is not known; that is also
what an omitted pool means. Without it, tiles named nowhere are out of the game.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

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
from rummi_env.core.melds import STANDARD, Meld, reread
from rummi_env.core.notation import (
    check_deck,
    format_table,
    parse_meld,
    parse_table,
)
from rummi_env.core.rulesets import MAX_PLAYERS, RuleSet
from rummi_env.core.tiles import Counts, counts_of, tile_name

_FIELDS = ("table", "racks", "pool", "turn", "opened", "played")


@dataclass(frozen=True, kw_only=True)
class Position:
    """One moment of a round: what lies where and whose turn it is.

    Raises:
        ValueError: There are not 1 to 4 racks, or a field does not fit their number.
    """

    table: tuple[Meld, ...] = ()
    """The melds on the table, as they are at the start of the turn."""

    racks: tuple[tuple[int, ...], ...] = ((),)
    """Per seat the tiles of the rack at the start of the turn, in ascending order.

    One to four of them; with a single one a position is a puzzle, not a game.
    """

    pool: tuple[int, ...] = ()
    """The tiles that are drawn next, in draw order."""

    pool_rest: bool = True
    """Whether the rest of the deck follows them, in an order that is not known."""

    turn: int = 0
    """Seat whose turn it is."""

    opened: tuple[bool, ...] = ()
    """Per seat whether the player has opened; empty means that all have."""

    played: tuple[int, ...] = ()
    """Tiles of the rack that the seat has named in this turn so far, ascending."""

    def __post_init__(self) -> None:
        """Put the tiles in order, fill in `opened` and check that the fields fit."""
        seats = len(self.racks)
        if not 1 <= seats <= MAX_PLAYERS:
            raise ValueError(f"a position has 1 to {MAX_PLAYERS} racks, not {seats}")
        check_seat("turn", self.turn, seats)
        normal = {
            "table": tuple(self.table),
            "racks": tuple(tuple(sorted(rack)) for rack in self.racks),
            "pool": tuple(self.pool),
            "opened": tuple(map(bool, self.opened)) or (True,) * seats,
            "played": tuple(sorted(self.played)),
        }
        for name, value in normal.items():
            object.__setattr__(self, name, value)
        if len(self.opened) != seats:
            raise ValueError(
                f"opened must have a flag for each of the {seats} racks, not "
                f"{len(self.opened)}"
            )

    def check(self, rules: RuleSet) -> None:
        """Refuse a position that these rules cannot have.

        Raises:
            ValueError: A meld is not legal, there are more of a tile than the deck has,
                or a tile played is not on the rack; the sentence names it.
        """
        for meld in self.table:
            reread(meld, rules)
        check_deck(self._known(), rules)
        missing = counts_of(self.played) > counts_of(self.racks[self.turn])
        for kind in np.flatnonzero(missing).tolist():
            raise ValueError(
                f"played: the rack of seat {self.turn} has too few {tile_name(kind)}"
            )

    def rest(self, rules: RuleSet) -> Counts:
        """Return the tiles of the deck that are named nowhere, int8[53]."""
        return rules.deck - self._known()

    def to_dict(self) -> dict[str, Any]:
        """Return every field by name, in types that YAML and JSON know."""
        return {
            "table": format_table(self.table),
            "racks": list(map(tiles_text, self.racks)),
            "pool": pool_text(self.pool, self.pool_rest),
            "turn": self.turn,
            "opened": list(self.opened),
            "played": tiles_text(self.played),
        }

    def _known(self) -> Counts:
        lists = [self.pool, *self.racks, *(meld.tiles for meld in self.table)]
        return counts_of(tile for tiles in lists for tile in tiles)


def parse_position(text: str, rules: RuleSet | None = None) -> Position:
    """Return the position; see the module for the text.

    Omitted fields are: an empty table, one empty rack, the rest of the deck as pool,
    turn of seat 0, all opened, nothing played.

    Args:
        text: The fields separated by ``;``.
        rules: Gives the deck and ``jokers_per_meld``; the full deck by default.

    Raises:
        ValueError: The text is no position, or not one of these rules.

    >>> format_position(parse_position("K3 K4 K5; R9 J / B1; ; 1"))
    'K3 K4 K5 ; R9 J / B1 ; ; 1'
    """
    fields = split_fields("position", text, _FIELDS)
    # An empty pool is one without tiles; other empty fields are omitted ones.
    given = {name: part for name, part in fields.items() if part or name == "pool"}
    return position_of(given, rules)


def format_position(position: Position) -> str:
    """Return the text of a position, without the fields at its end that are default."""
    fields = position.to_dict()
    flags = "".join("01"[opened] for opened in position.opened)
    return join_fields(
        [
            (fields["table"], ""),
            (" / ".join(fields["racks"]), ""),
            (fields["pool"], REST),
            (str(position.turn), "0"),
            (flags, "1" * len(flags)),
            (fields["played"], ""),
        ]
    )


def position_of(
    value: Position | str | Mapping[str, Any], rules: RuleSet | None = None
) -> Position:
    """Return the position that a user gave: itself, its text, or its fields by name.

    The fields are those of `Position.to_dict`: the table as text or a list of melds,
    tiles as text or a list of names or indices, a rack also as counts.

    Args:
        value: What the user gave.
        rules: Gives the deck and ``jokers_per_meld``; the full deck by default.

    Raises:
        ValueError: It is no position, or not one of these rules.
    """
    rules = rules or STANDARD
    if isinstance(value, str):
        return parse_position(value, rules)
    if isinstance(value, Position):
        position = value
    else:
        check_names("position", value, _FIELDS)
        position = Position(**_read(value, rules))
    position.check(rules)
    return replace(
        position, table=tuple(reread(meld, rules) for meld in position.table)
    )


def _read(given: Mapping[str, Any], rules: RuleSet) -> dict[str, Any]:
    """Return the arguments of `Position` for the fields that are given."""
    fields: dict[str, Any] = {}
    if "table" in given:
        fields["table"] = _read_table(given["table"], rules)
    if "racks" in given:
        fields["racks"] = read_racks(given["racks"])
    if "pool" in given:
        fields["pool"], fields["pool_rest"] = read_pool(given["pool"])
    if "turn" in given:
        fields["turn"] = read_seat("turn", given["turn"])
    if "opened" in given:
        fields["opened"] = _read_flags(given["opened"])
    if "played" in given:
        fields["played"] = read_tiles("played", given["played"])
    return fields


def _read_table(value: object, rules: RuleSet) -> tuple[Meld, ...]:
    if isinstance(value, str):
        return parse_table(value, rules)
    if not isinstance(value, Iterable):
        raise ValueError(f"table: {value!r} are no melds")
    return tuple(
        meld if isinstance(meld, Meld) else parse_meld(meld, rules) for meld in value
    )


def _read_flags(value: object) -> tuple[bool, ...]:
    """Return the flags of the seats: text like ``10``, or a list of true and false."""
    error = ValueError(f"opened must be a 0 or 1 for each seat, not {value!r}")
    if not isinstance(value, Iterable):
        raise error
    known = {"0": False, "1": True} if isinstance(value, str) else {0: False, 1: True}
    flags = [known.get(flag) for flag in value if flag != " "]
    if None in flags:
        raise error
    return tuple(map(bool, flags))
