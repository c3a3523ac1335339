"""The turn solver against an integer program, on large positions of the full game.

The program chooses how often each meld is laid and how many of each tile come from the
rack, as den Hertog and Hulshof (2006) do. Only optimum values are compared, never
arrangements. Runs of more than five tiles need not be listed: they fall into shorter
ones that are worth as much together.
"""

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import TypeAlias

import highspy
import numpy as np
import numpy.typing as npt
import pytest

from rummi_env.core.melds import Meld, all_melds
from rummi_env.core.notation import format_table
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, NUM_COUNTS, Counts, kind_of, number_of
from rummi_env.core.verify import verify_turn
from rummi_env.solver.exact import END_TURN, Turn, TurnSolver

DrawPosition: TypeAlias = Callable[..., tuple[tuple[Meld, ...], Counts]]
TurnsOfPlay: TypeAlias = Callable[..., Iterator[Turn]]

RULES = RuleSet()
SOLVER = TurnSolver(RULES)

LONGEST_RUN = 5

TILE_POINTS = np.array([*map(number_of, range(JOKER)), RULES.joker_rack_value])


@cache
def melds() -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]:
    """Return the tiles of every meld, int8[M, 53], and the most each is worth."""
    runs = [
        [kind_of(color, low + step) for step in range(size)]
        for color in range(4)
        for size in range(3, LONGEST_RUN + 1)
        for low in range(1, 15 - size)
    ]
    groups = [
        [kind_of(color, number) for color in colors]
        for number in range(1, 14)
        for size in (3, 4)
        for colors in combinations(range(4), size)
    ]
    worth: dict[tuple[int, ...], int] = {}
    for full in runs + groups:
        for jokers in range(3):
            for naturals in combinations(full, len(full) - jokers):
                tiles = (*naturals, *[JOKER] * jokers)
                worth[tiles] = max(sum(map(number_of, full)), worth.get(tiles, 0))
    counts = np.zeros((len(worth), NUM_COUNTS), np.int8)
    for row, tiles in enumerate(worth):
        np.add.at(counts[row], list(tiles), 1)
    return counts, np.array(list(worth.values()))


def test_the_melds_of_the_program_are_those_of_the_core() -> None:
    counts, _ = melds()
    assert {row.tobytes() for row in counts} == {
        row.tobytes() for row in all_melds(RULES, LONGEST_RUN)
    }


def optimum(turn: Turn, gains: npt.NDArray[np.int64]) -> int | None:
    """Return the greatest sum of gains of the rack tiles that a legal turn plays.

    Args:
        turn: The moment of the turn; a turn that plays nothing is legal here.
        gains: What each tile played counts, int64[53].
    """
    table = turn.board if turn.opened else np.zeros_like(turn.board)
    counts, worth = melds()
    usable = (counts <= table + turn.rack).all(axis=1)
    counts, worth = counts[usable], worth[usable]
    tiles = np.flatnonzero(table + turn.rack)
    num_melds, num_tiles = len(counts), len(tiles)
    rows = [(counts[:, tile].nonzero()[0], row) for row, tile in enumerate(tiles)]
    lengths = [len(columns) + 1 for columns, _ in rows]
    index = [np.append(columns, num_melds + row) for columns, row in rows]
    value = [
        np.append(counts[columns, tiles[row]].astype(float), -1.0)
        for columns, row in rows
    ]
    lower = table[tiles].astype(float)
    upper = lower.copy()
    if not turn.opened:
        lengths.append(num_melds)
        index.append(np.arange(num_melds))
        value.append(worth.astype(float))
        lower = np.append(lower, RULES.opening_points)
        upper = np.append(upper, highspy.kHighsInf)

    model = highspy.HighsLp()
    model.num_col_ = num_melds + num_tiles
    model.num_row_ = len(lengths)
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = np.append(np.zeros(num_melds), gains[tiles].astype(float))
    model.col_lower_ = np.append(np.zeros(num_melds), turn.played[tiles].astype(float))
    model.col_upper_ = np.append(
        np.full(num_melds, 2.0), turn.rack[tiles].astype(float)
    )
    model.row_lower_, model.row_upper_ = lower, upper
    # Whole melds take whole tiles.
    model.integrality_ = [
        *[highspy.HighsVarType.kInteger] * num_melds,
        *[highspy.HighsVarType.kContinuous] * num_tiles,
    ]
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.cumsum([0, *lengths])
    model.a_matrix_.index_ = np.concatenate(index)
    model.a_matrix_.value_ = np.concatenate(value)

    program = highspy.Highs()  # type: ignore[no-untyped-call]
    program.silent()
    program.setOptionValue("threads", 1)
    program.setOptionValue("mip_rel_gap", 0.0)
    program.setOptionValue("mip_abs_gap", 0.9)
    program.passModel(model)
    program.run()
    status = program.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return None
    assert status == highspy.HighsModelStatus.kOptimal, status
    return round(program.getObjectiveValue())


def check(turn: Turn) -> None:
    """Compare the mask and both optima with the program's."""
    where = (
        f"table {format_table(turn.melds)!r}, rack {turn.rack}, played {turn.played}"
    )
    left = turn.rack > turn.played
    legal = turn.mask[:END_TURN]
    assert not (legal & ~left).any(), where

    # Not legal: no turn plays more of any of these than was played.
    refused = (left & ~legal).astype(np.int64)
    played = optimum(turn, refused)
    assert played is None or played == refused @ turn.played, where

    # Legal: a turn that plays the tile, judged by the independent judge of turns.
    for tile in np.flatnonzero(legal).tolist():
        more = turn.played.copy()
        more[tile] += 1
        prefix = SOLVER.turn(turn.melds, turn.rack, turn.opened, more)
        play = prefix.best("tiles")
        assert play is not None, where
        assert (play.counts >= more).all(), where
        judged = verify_turn(
            RULES, turn.melds, turn.rack, format_table(play.table), turn.opened
        )
        assert (judged == play.counts).all(), where

    if turn.played.any():
        alone = SOLVER.turn(turn.melds, turn.played, turn.opened, turn.played)
        whole = optimum(alone, np.zeros_like(refused)) is not None
        assert turn.mask[END_TURN] == whole, where

    for objective in ("tiles", "points"):
        # First tiles or points, then the other, then fewest jokers.
        weights = (1_000, 1) if objective == "tiles" else (1, 100)
        gains = 4 * (weights[0] + weights[1] * TILE_POINTS)
        gains[JOKER] -= 1
        best = turn.best("tiles" if objective == "tiles" else "points")
        expected = optimum(turn, gains)
        found = int(gains @ best.counts) if best else None
        assert found == (expected or None), f"{objective}: {where}"


def jokers_of(rng: random.Random) -> tuple[int, int]:
    on_table = rng.choice([0, 0, 1, 2])
    return on_table, rng.randint(0, 2 - on_table)


def check_drawn(draw_position: DrawPosition, rng: random.Random, number: int) -> None:
    """Check positions with 20 to 80 tiles on the table and 5 to 20 on the rack."""
    for _ in range(number):
        table, rack = draw_position(
            rng, rng.randint(20, 80), rng.randint(5, 20), jokers_of(rng)
        )
        turn = SOLVER.turn(table, rack)
        check(turn)
        play = turn.best("tiles")
        if play and rng.random() < 0.5:
            kinds = np.repeat(np.arange(NUM_COUNTS), play.counts).tolist()
            played = np.zeros_like(rack)
            np.add.at(played, rng.sample(kinds, rng.randint(1, len(kinds))), 1)
            check(SOLVER.turn(table, rack, True, played))


def check_large_racks(
    draw_position: DrawPosition, rng: random.Random, number: int
) -> None:
    """Check racks of 30 to 48 tiles beside 30 to 60 tiles and both jokers."""
    for _ in range(number):
        on_table = rng.randint(0, 2)
        table, rack = draw_position(
            rng, rng.randint(30, 58), rng.randint(30, 48), (on_table, 2 - on_table)
        )
        turn = SOLVER.turn(table, rack)
        check(turn)
        legal = np.flatnonzero(turn.mask[:END_TURN])
        if legal.size:
            played = np.zeros_like(rack)
            played[rng.choice(legal.tolist())] = 1
            check(SOLVER.turn(table, rack, True, played))


def check_full_tables(
    draw_position: DrawPosition, rng: random.Random, number: int
) -> None:
    """Check turns, tile by tile, with 3 to 7 on the rack beside nearly all others."""
    for _ in range(number):
        on_table = rng.randint(0, 2)
        table, rack = draw_position(
            rng, rng.randint(55, 90), rng.randint(3, 7), (on_table, 2 - on_table)
        )
        played = np.zeros_like(rack)
        turn = SOLVER.turn(table, rack)
        check(turn)
        while (legal := np.flatnonzero(turn.mask[:END_TURN])).size:
            played[rng.choice(legal.tolist())] += 1
            turn = SOLVER.turn(table, rack, True, played)
            check(turn)


def check_unopened(
    draw_position: DrawPosition, rng: random.Random, tiles: int, number: int
) -> None:
    for _ in range(number):
        jokers = rng.choice([0, 1, 2])
        _, rack = draw_position(rng, 0, tiles, (0, jokers))
        check(SOLVER.turn("", rack, opened=False))


def check_play(turns_of_play: TurnsOfPlay, rng: random.Random, every: int) -> int:
    """Check some of the questions that a random game asks; return how many."""
    checked = 0
    for turn in turns_of_play(RULES, rng.randint(2, 4), rng.getrandbits(63)):
        if rng.random() < 1 / every and turn.rack.sum() > 4:
            check(turn)
            checked += 1
    return checked


@pytest.mark.parametrize("seed", range(4))
def test_large_positions_have_the_masks_and_optima_of_the_program(
    draw_position: DrawPosition, seed: int
) -> None:
    check_drawn(draw_position, random.Random(f"drawn {seed}"), 3)


@pytest.mark.parametrize("seed", range(2))
def test_large_racks_have_the_masks_and_optima_of_the_program(
    draw_position: DrawPosition, seed: int
) -> None:
    check_large_racks(draw_position, random.Random(f"racks {seed}"), 1)


@pytest.mark.parametrize("seed", range(2))
def test_turns_beside_full_tables_have_the_masks_and_optima_of_the_program(
    draw_position: DrawPosition, seed: int
) -> None:
    check_full_tables(draw_position, random.Random(f"full {seed}"), 2)


@pytest.mark.parametrize("tiles", [14, 20, 30])
def test_openings_have_the_masks_and_optima_of_the_program(
    draw_position: DrawPosition, tiles: int
) -> None:
    check_unopened(draw_position, random.Random(f"opening {tiles}"), tiles, 20)


def test_openings_from_racks_of_sixty_tiles_are_those_of_the_program(
    draw_position: DrawPosition,
) -> None:
    check_unopened(draw_position, random.Random("opening 60"), 60, 4)


@pytest.mark.parametrize("seed", range(3))
def test_positions_of_play_have_the_masks_and_optima_of_the_program(
    turns_of_play: TurnsOfPlay, seed: int
) -> None:
    checked = check_play(turns_of_play, random.Random(f"play {seed}"), every=4)
    assert checked > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_many_large_positions_have_the_masks_and_optima_of_the_program(
    draw_position: DrawPosition, seed: int
) -> None:
    check_drawn(draw_position, random.Random(f"long {seed}"), 60)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_many_large_racks_have_the_masks_and_optima_of_the_program(
    draw_position: DrawPosition, seed: int
) -> None:
    check_large_racks(draw_position, random.Random(f"long racks {seed}"), 10)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_many_turns_beside_full_tables_have_the_masks_and_optima_of_the_program(
    draw_position: DrawPosition, seed: int
) -> None:
    check_full_tables(draw_position, random.Random(f"long full {seed}"), 20)


@pytest.mark.slow
@pytest.mark.parametrize("tiles", [14, 20, 30, 45, 60])
def test_many_openings_have_the_masks_and_optima_of_the_program(
    draw_position: DrawPosition, tiles: int
) -> None:
    check_unopened(draw_position, random.Random(f"long {tiles}"), tiles, 100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_positions_of_play_have_the_masks_and_optima_of_the_program(
    turns_of_play: TurnsOfPlay, seed: int
) -> None:
    check_play(turns_of_play, random.Random(f"long {seed}"), every=5)
