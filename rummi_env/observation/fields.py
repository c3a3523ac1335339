"""The flat observation: named slices of one float32 array.

Every value is a whole number (or a score) times the scale of its field, so that a
variant with the bare numbers has the same slices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from rummi_env.core.rulesets import MAX_ROUNDS, RuleSet
from rummi_env.core.tiles import NUM_COUNTS, NUM_KINDS, rack_value
from rummi_env.observation.view import LAST_TURNS, PHASES

COPIES = 2
"""Most tiles of one kind in any deck."""

SCORE_SCALE = 0.01
"""A lost rack is worth some tens of points."""

PRIVATE_FIELDS: tuple[str, ...] = ("rack",)
"""What only the observer may know; see `rummi_env.observation.history`."""

OPPONENT_FIELDS: tuple[str, ...] = ("known",)
"""What everybody may know and has a row for each opponent."""


@dataclass(frozen=True)
class Field:
    """One named slice of a flat observation."""

    name: str
    """Its name."""

    start: int
    """Where it begins."""

    shape: tuple[int, ...]
    """Its shape; the values lie in C order."""

    scale: float
    """What the numbers are multiplied by."""

    low: float
    """Least value before scaling."""

    high: float
    """Greatest value before scaling."""

    doc: str
    """What it says."""

    @property
    def size(self) -> int:
        """How many values it has."""
        return prod(self.shape)

    @property
    def slice(self) -> slice:
        """Where it lies in the flat array."""
        return slice(self.start, self.start + self.size)


@cache
def fields(rules: RuleSet, num_players: int) -> Mapping[str, Field]:
    """Returns the fields of an observation by name, in their order in the array.

    Where players are listed, the observer comes first, then the others in the order of
    play.

    Raises:
        ValueError: there are not 2 to 4 players, or the deck is too small for them.

    >>> fields(RuleSet.preset("official"), 2)["table"].slice
    slice(53, 106, None)
    """
    rules.check_players(num_players)
    players = num_players
    tiles = rules.num_tiles
    dealt = 1 / rules.rack_size
    score = _highest_score(rules, players)
    limit = rules.turn_actions or 1
    layout = Layout()
    add = layout.add
    counts = {"high": COPIES}
    add("rack", "own rack, without the tiles played", NUM_COUNTS, **counts)
    add("table", "table at the start of the turn", NUM_COUNTS, **counts)
    add("played", "tiles played in this turn", NUM_COUNTS, **counts)
    doc = "tiles known to be on the opponents' racks, from turns that were taken back"
    add("known", doc, players - 1, NUM_COUNTS, **counts)
    add("pool_size", "tiles left, by the whole deck", 1, high=tiles, scale=1 / tiles)
    doc = "tiles on each rack, by those dealt"
    add("rack_sizes", doc, players, high=tiles, scale=dealt)
    add("opened", "whether each player has opened", players)
    doc = f"each player's last turn: {', '.join(LAST_TURNS)}"
    add("last_turn", doc, players, len(LAST_TURNS))
    add("to_move", "whose turn it is", players)
    add("phase", f"what is asked: {', '.join(PHASES)}", len(PHASES))
    doc = "turns in succession in which nothing was laid or drawn, by players"
    add("passes", doc, 1, high=players, scale=1 / players)
    doc = "turns until the round ends, by players; 0 while that is open"
    add("turns_left", doc, 1, high=players, scale=1 / players)
    by_rounds = {"high": rules.rounds, "scale": 1 / rules.rounds}
    add("round", "rounds that are over, by those of the match", 1, **by_rounds)
    add("rounds", "rounds of the match", 1, high=MAX_ROUNDS, scale=1 / MAX_ROUNDS)
    doc = "score of each player"
    add("totals", doc, players, low=-score, high=score, scale=SCORE_SCALE)
    doc = "rounds won by each player, by those of the match"
    add("rounds_won", doc, players, **by_rounds)
    add("actions", "actions of this turn, by tiles dealt", 1, high=tiles, scale=dealt)
    doc = "actions left in this turn, by the limit; 0 without one"
    add("actions_left", doc, 1, high=limit, scale=1 / limit)
    if rules.joker_release == "exact":
        doc = "for each joker of the table the kinds it may stand for"
        add("joker_identities", doc, COPIES, NUM_KINDS)
        doc = "kinds that jokers were said to stand for in this turn"
        add("commitments", doc, NUM_KINDS, **counts)
    return layout.placed()


@cache
def hidden_fields(rules: RuleSet, num_players: int) -> Mapping[str, Field]:
    """Returns the fields that a seat may not know, as they follow an observation.

    Raises:
        ValueError: see `fields`.
    """
    layout = Layout(size_of(fields(rules, num_players).values()))
    doc = "the opponents' racks, without the tiles played"
    layout.add("racks", doc, num_players - 1, NUM_COUNTS, high=COPIES)
    layout.add("pool", "tiles left in the pool", NUM_COUNTS, high=COPIES)
    doc = "the tiles that are drawn next, one in each row"
    layout.add("next_tiles", doc, num_players, NUM_COUNTS)
    return layout.placed()


@cache
def state_fields(rules: RuleSet, num_players: int) -> Mapping[str, Field]:
    """Returns the fields of the privileged state: an observation and what is hidden.

    Raises:
        ValueError: see `fields`.
    """
    return MappingProxyType(
        {**fields(rules, num_players), **hidden_fields(rules, num_players)}
    )


def size_of(parts: Iterable[Field]) -> int:
    """Returns where the last of the fields ends: the size of the array."""
    return max(part.start + part.size for part in parts)


def checked_rows(
    observations: npt.NDArray[np.float32], masks: npt.NDArray[np.generic], size: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
    """Returns flat observations and their masks as compiled code takes them.

    Args:
        observations: float32[N, S].
        masks: [N, actions].
        size: what S must be.

    Raises:
        ValueError: the observations are of another size.
    """
    if observations.ndim != 2 or observations.shape[1] != size:
        raise ValueError(
            f"observations must be [N, {size}] for these rules, not "
            f"{list(observations.shape)}"
        )
    seen = np.ascontiguousarray(observations, np.float32)
    return seen, np.ascontiguousarray(masks, np.int8)


def by_name(
    flat: npt.NDArray[np.float32], parts: Mapping[str, Field]
) -> dict[str, npt.NDArray[np.float32]]:
    """Returns the fields of flat arrays by name, each in its shape; no copies.

    Args:
        flat: [..., S]; one array, or many in the rows of one.
        parts: the fields.
    """
    rows = flat.shape[:-1]
    return {
        name: flat[..., part.slice].reshape(*rows, *part.shape)
        for name, part in parts.items()
    }


def scales(parts: Mapping[str, Field]) -> npt.NDArray[np.float64]:
    """Returns the scale of every value of a flat array."""
    return np.concatenate([np.full(part.size, part.scale) for part in parts.values()])


def bounds(
    parts: Mapping[str, Field],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Returns the least and the greatest value of every place of a flat array."""
    low, high = (
        np.concatenate(
            [np.full(part.size, getattr(part, end)) for part in parts.values()]
        )
        for end in ("low", "high")
    )
    scale = scales(parts)
    return (low * scale).astype(np.float32), (high * scale).astype(np.float32)


def _highest_score(rules: RuleSet, players: int) -> int:
    """Most that a match can bring or cost: in every round the whole deck, or fines."""
    most = rack_value(rules.deck, rules.joker_rack_value)
    fine: int = max(rules.unopened_penalty or (0, 0))
    return rules.rounds * max(1, most + (players - 1) * fine)


class Layout:
    """Places fields one after the other."""

    def __init__(self, start: int = 0) -> None:
        self._end = start
        self._fields: dict[str, Field] = {}

    def add(
        self,
        name: str,
        doc: str,
        *shape: int,
        low: float = 0,
        high: float = 1,
        scale: float = 1,
    ) -> None:
        """Places a field; by default of zeros and ones."""
        self.place(Field(name, self._end, shape, scale, low, high, doc))

    def place(self, field: Field) -> None:
        """Places a field that is placed elsewhere as well."""
        self._fields[field.name] = replace(field, start=self._end)
        self._end += field.size

    def placed(self) -> Mapping[str, Field]:
        """Returns the fields by name."""
        return MappingProxyType(self._fields)
