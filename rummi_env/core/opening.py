"""What an opening made of given tiles is worth at most.

With `manipulate_on_opening_turn` an opening may be taken apart again in its own turn,
so the final table does not show it: only the tiles played can say whether one existed.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import TypeAlias

from rummi_env.core.melds import MIN_MELD
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_NUMBERS, Counts

_Run: TypeAlias = tuple[int, int]
"""A run that may go on: its length, counted up to 3, and its jokers."""

_Runs: TypeAlias = tuple[_Run, ...]
"""The runs of one color that end at the number reached, in ascending order."""

_State: TypeAlias = tuple[tuple[_Runs, ...], int]
"""The runs of each color, and how many jokers have been used."""


def best_opening(tiles: Counts, rules: RuleSet, enough: int | None = None) -> int:
    """Return the most that melds made of some of these tiles are worth together.

    A joker counts as what it stands for. The numbers are gone through once, keeping for
    every set of runs that may go on the most points so far (the method of van Rijn,
    Takes and Vis 2015, arXiv 1604.07553).

    Args:
        tiles: The tiles that may be used, int8[53].
        rules: Gives the deck and ``jokers_per_meld``.
        enough: Stop at the first value found that is not below this.

    Returns:
        The points; 0 when the tiles contain no meld.
    """
    limit = rules.jokers_per_meld
    jokers = int(tiles[JOKER])
    nothing: _State = (((),) * rules.colors, 0)
    points = {nothing: 0}
    for number in range(1, rules.numbers + 1):
        naturals = [
            int(tiles[color * NUM_NUMBERS + number - 1])
            for color in range(rules.colors)
        ]
        reached: dict[_State, int] = {}
        for (runs, used), before in points.items():
            for longer, spare, in_runs, now_used in _steps(
                runs, naturals, jokers - used, limit
            ):
                left = jokers - used - now_used
                for extra in range(left + 1):
                    in_groups = _most_in_groups(spare, extra, limit)
                    after = before + number * (in_runs + in_groups)
                    state = longer, used + now_used + extra
                    if after > reached.get(state, -1):
                        reached[state] = after
        points = reached
        best = max(value for (runs, _), value in points.items() if _complete(runs))
        if enough is not None and best >= enough:
            return best
    return best


def _complete(runs: tuple[_Runs, ...]) -> bool:
    """Tell whether every run is long enough to be a meld as it is."""
    return all(length == MIN_MELD for color in runs for length, _ in color)


def _steps(
    runs: tuple[_Runs, ...], naturals: list[int], jokers: int, limit: int
) -> Iterator[tuple[tuple[_Runs, ...], tuple[int, ...], int, int]]:
    """Yield every way to go on with the runs of all colors at the next number.

    Yields:
        The runs after it, the tiles of the number left in each color, how many tiles
        went into runs, and how many of these were jokers.
    """
    if not runs:
        yield (), (), 0, 0
        return
    for color, spare, used_jokers in _color_steps(runs[0], naturals[0], jokers, limit):
        for others, spares, in_runs, other_jokers in _steps(
            runs[1:], naturals[1:], jokers - used_jokers, limit
        ):
            in_color = naturals[0] - spare + used_jokers
            yield (
                (color, *others),
                (spare, *spares),
                in_runs + in_color,
                used_jokers + other_jokers,
            )


@cache
def _color_steps(
    runs: _Runs, naturals: int, jokers: int, limit: int
) -> tuple[tuple[_Runs, int, int], ...]:
    """Return every way to go on with the runs of one color at the next number.

    A run shorter than a meld must go on; a longer one may end. Every tile may also
    start a run.

    Returns:
        Per way the runs after it, the tiles left, and the jokers used.
    """
    ways: set[tuple[_Runs, int, int]] = set()
    if runs:
        (length, in_run), rest = runs[0], runs[1:]
        options = [(1, 0)] * (naturals > 0)
        options += [(0, 1)] * (jokers > 0 and in_run < limit)
        for natural, joker in options:
            grown = (min(length + 1, MIN_MELD), in_run + joker)
            for others, spare, used in _color_steps(
                rest, naturals - natural, jokers - joker, limit
            ):
                ways.add((tuple(sorted((grown, *others))), spare, used + joker))
        if length == MIN_MELD:
            ways.update(_color_steps(rest, naturals, jokers, limit))
    else:
        for started in range(naturals + 1):
            for by_joker in range(jokers + 1):
                new = ((1, 0),) * started + ((1, 1),) * by_joker
                ways.add((new, naturals - started, by_joker))
    return tuple(ways)


@cache
def _most_in_groups(spare: tuple[int, ...], jokers: int, limit: int) -> int:
    """Return how many tiles of one number fit into groups, jokers included.

    Args:
        spare: Tiles left of the number in each color.
        jokers: Jokers that may be used.
        limit: Most jokers in one group.
    """
    there = [color for color, count in enumerate(spare) if count]
    best = 0
    for size in range(1, len(there) + 1):
        for colors in combinations(there, size):
            left = tuple(count - (color in colors) for color, count in enumerate(spare))
            for used in range(min(jokers, limit, len(spare) - size) + 1):
                if size + used >= MIN_MELD:
                    others = _most_in_groups(left, jokers - used, limit)
                    best = max(best, size + used + others)
    return best
