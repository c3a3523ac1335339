"""The turn solver once more, in plain Python: for reading, and as an oracle in tests.

It shares nothing with the compiled solver but the layout of counts. Numbers are placed
one after the other; every joker is placed as a certain tile; states are kept in a dict.
Slow: some milliseconds to seconds a question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rummi_env.core.tiles import JOKER

Runs = tuple[int, int, int]
"""Open runs of one color that have length 1, 2 and 3 or more."""

Counts = Sequence[int]


def best_worth(
    must: Counts,
    may: Counts,
    *,
    numbers: int = 13,
    colors: int = 4,
) -> dict[int, int]:
    """Places all tiles of ``must`` and any of ``may`` in melds.

    Args:
        must: 53 counts that have to be placed.
        may: 53 counts that can be placed besides.
        numbers: highest number of the deck.
        colors: colors of the deck.

    Returns:
        By number of jokers placed, the greatest worth of the melds; a number of jokers
        with which there is no arrangement is missing.
    """
    most = must[JOKER] + may[JOKER]
    start: tuple[Runs, ...] = ((0, 0, 0),) * 4
    reached = {(start, 0): 0}
    for number in range(1, numbers + 1):
        after: dict[tuple[tuple[Runs, ...], int], int] = {}
        supplies = [
            (must[c * 13 + number - 1], may[c * 13 + number - 1]) for c in range(4)
        ]
        for (runs, jokers), worth in reached.items():
            for new_runs, spent, tiles in _placements(
                runs, supplies, most - jokers, colors
            ):
                key = (new_runs, jokers + spent)
                total = worth + number * tiles
                if total > after.get(key, -1):
                    after[key] = total
        reached = after
    result: dict[int, int] = {}
    for (runs, jokers), worth in reached.items():
        if jokers >= must[JOKER] and all(n1 == n2 == 0 for n1, n2, _ in runs):
            result[jokers] = max(worth, result.get(jokers, -1))
    return result


def _placements(
    runs: tuple[Runs, ...], supplies: list[tuple[int, int]], left: int, colors: int
) -> Iterator[tuple[tuple[Runs, ...], int, int]]:
    """All ways to place one number: open runs after it, jokers and tiles placed."""
    choices = []
    for color, (open_runs, (must, may)) in enumerate(zip(runs, supplies, strict=True)):
        ways = []
        for jokers in range((left if color < colors else 0) + 1):
            for tiles in range(must + jokers, must + may + jokers + 1):
                for in_runs in range(tiles + 1):
                    after = _extend(open_runs, in_runs)
                    if after is not None:
                        ways.append((after, jokers, tiles, tiles - in_runs))
        choices.append(ways)
    for ways_of_colors in product(*choices):
        spent = sum(w[1] for w in ways_of_colors)
        if spent <= left and _groups_fit([w[3] for w in ways_of_colors]):
            yield (
                tuple(w[0] for w in ways_of_colors),
                spent,
                sum(w[2] for w in ways_of_colors),
            )


def _extend(runs: Runs, tiles: int) -> Runs | None:
    n1, n2, n3 = runs
    if tiles < n1 + n2:
        return None
    spare = tiles - n1 - n2
    longer = min(spare, n3)
    return spare - longer, n1, n2 + longer


def _groups_fit(tiles: list[int]) -> bool:
    """Whether tiles of one number, by color, can be cut into groups."""
    if sum(tiles) == 0:
        return True
    for size in (3, 4):
        # The color with most tiles left must be in the next group; taking the fullest
        # colors first keeps the rest as even as possible.
        fullest = sorted(range(4), key=lambda c: -tiles[c])[:size]
        if all(tiles[c] > 0 for c in fullest):
            rest = list(tiles)
            for c in fullest:
                rest[c] -= 1
            if _groups_fit(rest):
                return True
    return False


def reference_mask(
    board: Counts,
    rack: Counts,
    played: Counts,
    *,
    opened: bool = True,
    threshold: int = 30,
    numbers: int = 13,
    colors: int = 4,
) -> tuple[list[bool], bool]:
    """Says by definition which tiles can be played next under ``joker_release="free"``.

    Args:
        board: 53 counts of the table.
        rack: 53 counts of the rack at the start of the turn.
        played: 53 counts of what has been played of it this turn.
        opened: whether the seat had opened before this turn.
        threshold: least worth of an opening.
        numbers: highest number of the deck.
        colors: colors of the deck.

    Returns:
        53 flags: some legal turn plays that tile besides ``played``; and whether
        ``played`` alone is a legal turn.
    """
    nothing = [0] * 53

    def legal(must_play: Counts, may_play: Counts) -> bool:
        if sum(must_play) == 0:
            return False
        base = board if opened else nothing
        must = [b + m for b, m in zip(base, must_play, strict=True)]
        worths = best_worth(must, may_play, numbers=numbers, colors=colors)
        least = 0 if opened else threshold
        return any(w >= least for w in worths.values())

    mask = []
    for kind in range(53):
        rest = [r - p for r, p in zip(rack, played, strict=True)]
        if rest[kind] == 0:
            mask.append(False)
            continue
        rest[kind] -= 1
        more = list(played)
        more[kind] += 1
        mask.append(legal(more, rest))
    return mask, legal(list(played), nothing)
