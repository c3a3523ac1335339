"""The flat observation: named slices of one float32 array.

Every value is a whole number (or a score) times the scale of its field, so that a
variant with the bare numbers has the same slices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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
    size_scale = 1 / rules.rack_size
    score = _highest_score(rules, players)
    limit = rules.turn_actions or 1
    table: list[tuple[str, tuple[int, ...], float, float, float, str]] = [
        ("rack", (NUM_COUNTS,), 1, 0, COPIES, "own rack, without the tiles played"),
        ("table", (NUM_COUNTS,), 1, 0, COPIES, "table at the start of the turn"),
        ("played", (NUM_COUNTS,), 1, 0, COPIES, "tiles played in this turn"),
        (
            "known",
            (players - 1, NUM_COUNTS),
            1,
            0,
            COPIES,
            "tiles known to be on the opponents' racks, from turns taken back",
        ),
        ("pool_size", (1,), 1 / tiles, 0, tiles, "tiles left, by the whole deck"),
        (
            "rack_sizes",
            (players,),
            size_scale,
            0,
            tiles,
            "tiles on each rack, by those dealt",
        ),
        ("opened", (players,), 1, 0, 1, "whether each player has opened"),
        (
            "last_turn",
            (players, len(LAST_TURNS)),
            1,
            0,
            1,
            f"each player's last turn, one of {', '.join(LAST_TURNS)}",
        ),
        ("to_move", (players,), 1, 0, 1, "whose turn it is"),
        ("phase", (len(PHASES),), 1, 0, 1, f"one of {', '.join(PHASES)}"),
        ("passes", (1,), 1 / players, 0, players, "passes in succession, by players"),
        (
            "turns_left",
            (1,),
            1 / players,
            0,
            players,
            "turns until the round ends, by players; 0 while that is open",
        ),
        (
            "round",
            (1,),
            1 / rules.rounds,
            0,
            rules.rounds,
            "rounds that are over, by the rounds of the match",
        ),
        ("rounds", (1,), 1 / MAX_ROUNDS, 0, MAX_ROUNDS, "rounds of the match"),
        ("totals", (players,), SCORE_SCALE, -score, score, "score of each player"),
        (
            "rounds_won",
            (players,),
            1 / rules.rounds,
            0,
            rules.rounds,
            "rounds won by each player, by the rounds of the match",
        ),
        ("actions", (1,), size_scale, 0, tiles, "actions of this turn"),
        (
            "actions_left",
            (1,),
            1 / limit,
            0,
            limit,
            "actions left in this turn; 0 without a limit",
        ),
    ]
    if rules.joker_release == "exact":
        table += [
            (
                "joker_identities",
                (COPIES, NUM_KINDS),
                1,
                0,
                1,
                "for each joker of the table the kinds it may stand for",
            ),
            (
                "commitments",
                (NUM_KINDS,),
                1,
                0,
                COPIES,
                "kinds that jokers were said to stand for in this turn",
            ),
        ]
    return _placed(table)


@cache
def hidden_fields(rules: RuleSet, num_players: int) -> Mapping[str, Field]:
    """Returns the fields that a seat may not know, as they follow an observation.

    Raises:
        ValueError: see `fields`.
    """
    players = num_players
    start = size_of(fields(rules, players).values())
    return _placed(
        [
            (
                "racks",
                (players - 1, NUM_COUNTS),
                1,
                0,
                COPIES,
                "the opponents' racks, without the tiles played",
            ),
            ("pool", (NUM_COUNTS,), 1, 0, COPIES, "tiles left in the pool"),
            (
                "next_tiles",
                (players, NUM_COUNTS),
                1,
                0,
                1,
                "the tiles that are drawn next, one in each row",
            ),
        ],
        start,
    )


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
    return max(part.slice.stop for part in parts)


def by_name(
    flat: npt.NDArray[np.float32], parts: Mapping[str, Field]
) -> dict[str, npt.NDArray[np.float32]]:
    """Returns the fields of a flat array by name, each in its shape; no copies."""
    return {name: flat[part.slice].reshape(part.shape) for name, part in parts.items()}


def scales(parts: Mapping[str, Field]) -> npt.NDArray[np.float64]:
    """Returns the scale of every value of a flat array."""
    return np.concatenate([np.full(part.size, part.scale) for part in parts.values()])


def bounds(
    parts: Mapping[str, Field],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Returns the least and the greatest value of every place of a flat array."""
    low, high = (
        np.concatenate([np.full(part.size, getattr(part, end)) for part in parts.values()])
        for end in ("low", "high")
    )
    scale = scales(parts)
    return (low * scale).astype(np.float32), (high * scale).astype(np.float32)


def _highest_score(rules: RuleSet, players: int) -> int:
    """Most that a match can bring or cost: in every round the whole deck, or fines."""
    most = rack_value(rules.deck, rules.joker_rack_value)
    fine = max(rules.unopened_penalty or (0, 0))
    return rules.rounds * max(1, most + (players - 1) * fine)


def _placed(
    table: list[tuple[str, tuple[int, ...], float, float, float, str]], start: int = 0
) -> Mapping[str, Field]:
    placed = {}
    for name, shape, scale, low, high, doc in table:
        placed[name] = Field(name, start, shape, scale, low, high, doc)
        start += placed[name].size
    return MappingProxyType(placed)
