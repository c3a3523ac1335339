"""What the twin asks about a turn, and who answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from rummi_env.core.melds import Meld
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_COUNTS
from rummi_env.solver.reference import reference_mask
from rummi_env.testing.brute_force import Ending, every_ending, legal_actions

END_TURN = JOKER + 1
"""Lays down what was played; with nothing played, draws or passes. Keeps a rack."""

Tiles: TypeAlias = Counter[int]
"""A multiset of tiles."""


class Moment(NamedTuple):
    """A moment of a turn."""

    rules: RuleSet
    """The rules."""

    table: Tiles
    """Tiles on the table at the start of the turn."""

    melds: tuple[Meld, ...]
    """The table as melds; with exact jokers only, else there are none."""

    rack: Tiles
    """The rack at the start of the turn."""

    played: Tiles
    """What was played of it since."""

    named: tuple[int, ...]
    """Kinds that jokers were named as since."""

    opened: bool
    """Whether the seat had opened before."""


Judge: TypeAlias = Callable[[Moment], tuple[set[int], bool]]
"""Answers which tiles some legal turn plays besides those played, and which names, as
actions; and whether the tiles played alone are a legal turn."""


def plain_judge(moment: Moment) -> tuple[set[int], bool]:
    """Ask the plain solver; see `Judge`.

    Raises:
        ValueError: The rules are among those that the plain solver does not know.
    """
    rules = moment.rules
    if (
        rules.joker_release == "exact"
        or rules.jokers_per_meld == 1
        or rules.manipulate_on_opening_turn
    ):
        raise ValueError(f"the plain solver does not know these rules: {rules}")
    mask, complete = reference_mask(
        _listed(moment.table),
        _listed(moment.rack),
        _listed(moment.played),
        opened=moment.opened,
        threshold=rules.opening_points,
        numbers=rules.numbers,
        colors=rules.colors,
    )
    return {tile for tile in range(NUM_COUNTS) if mask[tile]}, complete


def brute_judge(moment: Moment) -> tuple[set[int], bool]:
    """Try all tables; see `Judge`. For exact jokers and a dozen tiles."""
    endings = _endings(
        moment.rules,
        moment.melds,
        tuple(sorted(moment.rack.elements())),
        moment.opened,
    )
    actions = legal_actions(endings, moment.played, moment.named, naming=True)
    return actions - {END_TURN}, END_TURN in actions


@lru_cache(maxsize=64)
def _endings(
    rules: RuleSet, melds: tuple[Meld, ...], rack: tuple[int, ...], opened: bool
) -> set[Ending]:
    """Return the endings of a turn, which are asked for at each of its moments."""
    return every_ending(rules, melds, Counter(rack), opened)


def _listed(tiles: Tiles) -> list[int]:
    """Return a multiset as 53 counts."""
    return [tiles[tile] for tile in range(NUM_COUNTS)]
