"""What an agent sees that chooses whole turns: an observation, and its choices."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import numpy as np

from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_COUNTS
from rummi_env.games.rummikub.choices import NUM_CHOICES
from rummi_env.observation.fields import (
    COPIES,
    SCORE_SCALE,
    Field,
    Layout,
    fields,
    hidden_fields,
    size_of,
)
from rummi_env.solver.compiled import kernel

DEALT = 14
"""Tiles on a rack of the full game, which sizes are scaled by."""

FEW = (1, 2, 3, 5, 8)
"""Sizes of racks that are told apart sharply: their owner may go out soon."""


@cache
def choice_fields(rules: RuleSet, num_players: int) -> Mapping[str, Field]:
    """Returns the fields of an observation and of the choices of a turn that follow.

    They are what a seat sees at the start of its turn; see `games.rummikub.choices`.

    Raises:
        ValueError: see `fields`.
    """
    seen = fields(rules, num_players)
    layout = Layout(size_of(seen.values()))
    add = layout.add
    plays = NUM_CHOICES - 1
    counts = {"high": COPIES}
    add("choices", "tiles of each choice but the first", plays, NUM_COUNTS, **counts)
    add("choices_legal", "which choices there are", NUM_CHOICES)
    by_tiles = {"high": rules.num_tiles, "scale": 1 / DEALT}
    add("choices_tiles", "tiles of each choice but the first", plays, **by_tiles)
    add("choices_left", "tiles left on the rack after it", plays, **by_tiles)
    points = rules.num_tiles * max(rules.numbers, rules.joker_rack_value)
    by_points = {"high": points, "scale": SCORE_SCALE}
    add("choices_points", "points off the rack by it", plays, **by_points)
    add("rack_points", "points on the own rack", 1, **by_points)
    sizes = ", ".join(map(str, FEW))
    doc = f"for each player whether its rack is at most {sizes} tiles"
    add("few_tiles", doc, num_players, len(FEW))
    return MappingProxyType({**seen, **layout.placed()})


@cache
def choice_state_fields(rules: RuleSet, num_players: int) -> Mapping[str, Field]:
    """Returns the fields of `choice_fields` and, after them, what is hidden.

    Raises:
        ValueError: see `fields`.
    """
    seen = choice_fields(rules, num_players)
    layout = Layout(size_of(seen.values()))
    for part in hidden_fields(rules, num_players).values():
        layout.place(part)
    return MappingProxyType({**seen, **layout.placed()})


@kernel
def write_choices(plays, legal, rack, joker_points, sizes, at, out):
    """Writes the fields of `choice_fields` that follow an observation.

    Args:
        plays: int8[`NUM_CHOICES`, 53]; tiles of each choice.
        legal: int8[`NUM_CHOICES`]; which there are.
        rack: int8[53]; at the start of the turn.
        joker_points: what a joker on the rack counts.
        sizes: int64[players]; of the racks, the own one first.
        at: where the observation ends.
        out: float32[...].

    Returns:
        Where the fields end.
    """
    for choice in range(1, NUM_CHOICES):
        for kind in range(NUM_COUNTS):
            out[at + kind] = plays[choice, kind]
        at += NUM_COUNTS
    for choice in range(NUM_CHOICES):
        out[at + choice] = legal[choice]
    at += NUM_CHOICES
    for choice in range(1, NUM_CHOICES):
        tiles, points = _worth(plays[choice], joker_points)
        here = at + choice - 1
        out[here] = tiles / DEALT
        out[here + NUM_CHOICES - 1] = (sizes[0] - tiles) / DEALT
        out[here + 2 * (NUM_CHOICES - 1)] = points * SCORE_SCALE
    at += 3 * (NUM_CHOICES - 1)
    out[at] = _worth(rack, joker_points)[1] * SCORE_SCALE
    at += 1
    for player in range(sizes.size):
        for place in range(len(FEW)):
            # A player who is not there has none, and will not go out.
            out[at + place] = 0 < sizes[player] <= FEW[place]
        at += len(FEW)
    return at


@kernel
def _worth(tiles, joker_points):
    """How many tiles there are, and their points."""
    number = np.int64(0)
    points = np.int64(0)
    for kind in range(NUM_COUNTS):
        number += tiles[kind]
        worth = joker_points if kind == JOKER else kind % 13 + 1
        points += tiles[kind] * worth
    return number, points
