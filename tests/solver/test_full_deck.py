"""The turn solver against plain Python on the full deck.

Small positions: brute force, which tries every part of the rack and cuts its tiles into
melds by recursion. Larger ones and random play: the plain reference solver.
"""

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

import numpy as np
import pytest

from rummi_env.core.melds import Meld
from rummi_env.core.notation import format_table, format_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_COUNTS, Counts, counts_of, kind_of, tiles_of
from rummi_env.core.verify import verify_turn
from rummi_env.solver.exact import END_TURN, Turn, TurnSolver
from rummi_env.solver.play import Objective
from rummi_env.solver.reference import reference_mask

DrawPosition: TypeAlias = Callable[..., tuple[tuple[Meld, ...], Counts]]
TurnsOfPlay: TypeAlias = Callable[..., Iterator[Turn]]

Tiles: TypeAlias = tuple[int, ...]
"""Tiles in ascending order."""

IMPOSSIBLE = -1

OBJECTIVES: tuple[Objective, ...] = ("tiles", "points")


@cache
def solver_of(opening_points: int) -> TurnSolver:
    return TurnSolver(RuleSet(opening_points=opening_points))


@cache
def melds_by_lowest() -> dict[int, list[tuple[Tiles, int]]]:
    """Return all melds by their lowest numbered tile, with what they are worth."""
    runs = [
        [kind_of(color, low + step) for step in range(size)]
        for color in range(4)
        for size in range(3, 14)
        for low in range(1, 15 - size)
    ]
    groups = [
        [kind_of(color, number) for color in colors]
        for number in range(1, 14)
        for size in (3, 4)
        for colors in combinations(range(4), size)
    ]
    worth: dict[Tiles, int] = {}
    for full in runs + groups:
        points = sum(kind % 13 + 1 for kind in full)
        for jokers in range(3):
            for naturals in combinations(full, len(full) - jokers):
                meld = (*naturals, *[JOKER] * jokers)
                worth[meld] = max(points, worth.get(meld, 0))
    by_lowest: dict[int, list[tuple[Tiles, int]]] = {}
    for meld, points in worth.items():
        by_lowest.setdefault(meld[0], []).append((meld, points))
    return by_lowest


@cache
def worth_of(tiles: Tiles) -> int:
    """Return the most that these tiles are worth as melds, if they can be melds."""
    if not tiles:
        return 0
    best = IMPOSSIBLE
    # The lowest tile is the lowest of its meld. Jokers alone are no meld.
    for meld, points in melds_by_lowest().get(tiles[0], []):
        rest = list(tiles)
        try:
            for tile in meld:
                rest.remove(tile)
        except ValueError:
            continue
        others = worth_of(tuple(rest))
        if others != IMPOSSIBLE:
            best = max(best, points + others)
    return best


def plays_of(turn: Turn) -> set[Tiles]:
    """Return every legal turn that plays at least what was played."""
    played = tiles_of(turn.played)
    left = turn.rack - turn.played
    board = tiles_of(turn.board) if turn.opened else ()
    least = 0 if turn.opened else turn.rules.opening_points
    plays = set()
    for numbers in product(*(range(n + 1) for n in left[left > 0].tolist())):
        more = np.repeat(np.flatnonzero(left), numbers).tolist()
        play = tuple(sorted([*played, *more]))
        if play and worth_of(tuple(sorted([*board, *play]))) >= least:
            plays.add(play)
    return plays


def key_of(objective: Objective, play: Tiles) -> tuple[int, int, int, list[int]]:
    """Return what ranks plays: the greatest is the best."""
    points = sum(30 if tile == JOKER else tile % 13 + 1 for tile in play)
    tiles = len(play)
    first, second = (tiles, points) if objective == "tiles" else (points, tiles)
    return first, second, -play.count(JOKER), [-tile for tile in play]


def text_of(turn: Turn) -> str:
    return (
        f"table {format_table(turn.melds)!r}, rack {format_tiles(turn.rack)!r}, "
        f"played {format_tiles(turn.played)!r}, opened {turn.opened}, "
        f"{turn.rules.opening_points} points needed"
    )


def check_by_brute_force(turn: Turn, rng: random.Random) -> set[Tiles]:
    where = text_of(turn)
    plays = plays_of(turn)
    mask = np.zeros(END_TURN + 1, np.bool_)
    for play in plays:
        mask[: JOKER + 1] |= counts_of(play) > turn.played
    nothing_played = not turn.played.any()
    mask[END_TURN] = nothing_played or tiles_of(turn.played) in plays
    assert (turn.mask == mask).all(), where

    found = [tiles_of(play.counts) for play in turn.plays()]
    assert len(set(found)) == len(found), where
    assert set(found) == plays, where
    assert turn.count_plays() == (len(plays), True), where
    for objective in OBJECTIVES:
        best = turn.best(objective)
        # Lists of one length are compared, so the lowest tiles come first.
        expected = max(plays, key=lambda p: key_of(objective, p), default=None)
        assert (tiles_of(best.counts) if best else None) == expected, where
    if plays:
        counts = counts_of(rng.choice(sorted(plays)))
        after = format_table(turn.table_after(counts))
        judged = verify_turn(turn.rules, turn.melds, turn.rack, after, turn.opened)
        assert (judged == counts).all(), where
    return plays


def check_small(draw_position: DrawPosition, seed: str, number: int) -> None:
    """Check small positions of the full deck, with and without tiles played."""
    rng = random.Random(seed)
    for _ in range(number):
        opened = rng.random() < 0.7
        on_table = rng.choice([0, 0, 1, 2])
        jokers = on_table, rng.randint(0, 2 - on_table)
        table, _ = draw_position(rng, rng.choice([3, 6, 9, 12]), 0, (on_table, 0))
        rack = near_rack(rng, table, rng.randint(3, 8), jokers[1])
        solver = solver_of(30 if opened else rng.choice([0, 10, 20, 30]))
        turn = solver.turn(table, rack, opened)
        plays = check_by_brute_force(turn, rng)
        if plays:
            whole = rng.choice(sorted(plays))
            played = counts_of(rng.sample(whole, rng.randint(1, len(whole))))
            check_by_brute_force(solver.turn(table, rack, opened, played), rng)
        worth_of.cache_clear()


def near_rack(
    rng: random.Random, table: tuple[Meld, ...], tiles: int, jokers: int
) -> Counts:
    """Draw a rack of few numbers, so that there is much to play."""
    left = RuleSet().deck - sum(
        (meld.counts for meld in table), np.zeros(NUM_COUNTS, np.int8)
    )
    low = rng.randint(1, 10)
    near = [t for t in tiles_of(left) if t != JOKER and low <= t % 13 + 1 <= low + 3]
    far = [tile for tile in tiles_of(left) if tile != JOKER]
    pool = near if len(near) >= tiles and rng.random() < 0.8 else far
    return counts_of([*rng.sample(pool, tiles - jokers), *[JOKER] * jokers])


@pytest.mark.parametrize("seed", range(4))
def test_every_answer_is_that_of_brute_force_in_small_positions(
    draw_position: DrawPosition, seed: int
) -> None:
    check_small(draw_position, f"small {seed}", 25)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_every_answer_is_that_of_brute_force_in_many_small_positions(
    draw_position: DrawPosition, seed: int
) -> None:
    check_small(draw_position, f"long {seed}", 500)


def check_by_reference(turn: Turn) -> None:
    tiles, complete = reference_mask(
        turn.board.tolist(),
        turn.rack.tolist(),
        turn.played.tolist(),
        opened=turn.opened,
        threshold=turn.rules.opening_points,
    )
    where = text_of(turn)
    assert turn.mask[:END_TURN].tolist() == tiles, where
    nothing_played = not turn.played.any()
    must_play = turn.pool_empty and turn.rules.must_play_when_pool_empty
    may_end = not (must_play and any(tiles)) if nothing_played else complete
    assert turn.mask[END_TURN] == may_end, where


def check_drawn(draw_position: DrawPosition, seed: str, number: int) -> None:
    rng = random.Random(seed)
    for _ in range(number):
        on_table = rng.randint(0, 1)
        on_rack = rng.randint(0, 1 - on_table)
        rack_tiles = rng.randint(3, 10)
        table, rack = draw_position(
            rng, rng.randint(6, 40), rack_tiles, (on_table, on_rack)
        )
        opened = rng.random() < 0.8
        check_by_reference(solver_of(30).turn(table, rack, opened))


def check_play(turns_of_play: TurnsOfPlay, seed: str, games: int, every: int) -> None:
    """Check masks in random play where the reference takes no longer than a second."""
    rng = random.Random(seed)
    for _ in range(games):
        for turn in turns_of_play(RuleSet(), rng.randint(2, 4), rng.getrandbits(63)):
            jokers = int(turn.rack[JOKER] + turn.opened * turn.board[JOKER])
            cheap = (
                jokers <= 1
                and turn.rack.sum() <= (18, 10)[jokers]
                and turn.opened * turn.board.sum() <= (70, 35)[jokers]
            )
            if rng.random() < 1 / every and cheap:
                check_by_reference(turn)


@pytest.mark.parametrize("seed", range(2))
def test_masks_are_those_of_the_reference_in_drawn_positions(
    draw_position: DrawPosition, seed: int
) -> None:
    check_drawn(draw_position, f"drawn {seed}", 20)


@pytest.mark.parametrize("seed", range(2))
def test_masks_are_those_of_the_reference_in_random_play(
    turns_of_play: TurnsOfPlay, seed: int
) -> None:
    check_play(turns_of_play, f"play {seed}", games=3, every=8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_masks_are_those_of_the_reference_in_many_positions(
    draw_position: DrawPosition, turns_of_play: TurnsOfPlay, seed: int
) -> None:
    check_drawn(draw_position, f"long {seed}", 100)
    check_play(turns_of_play, f"long {seed}", games=10, every=2)
