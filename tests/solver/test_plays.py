"""What the solver's front promises besides right answers."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any, TypeAlias

import pytest

from rummi_env.core.melds import Meld
from rummi_env.core.notation import format_tiles
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import JOKER, Counts, counts_of, kind_of, tiles_of
from rummi_env.solver import workspace
from rummi_env.solver.exact import Turn, TurnSolver

DrawPosition: TypeAlias = Callable[..., tuple[tuple[Meld, ...], Counts]]
TurnsOfPlay: TypeAlias = Callable[..., Iterator[Turn]]

RULES = RuleSet()


def big_rack() -> Counts:
    """Return sixty tiles, jokers included, with astronomically many plays."""
    tiles = [kind_of(color, number) for color in range(4) for number in range(1, 14)]
    return counts_of([*tiles, *tiles[:6], JOKER, JOKER])


def test_plays_are_listed_lazily() -> None:
    turn = TurnSolver(RULES).turn("", big_rack(), opened=False)
    first = [play.counts.tobytes() for play in islice(turn.plays(), 2_000)]
    assert len(set(first)) == 2_000
    assert turn.count_plays(limit=2_000) == (2_000, False)


def test_two_lists_of_plays_and_other_questions_do_not_disturb_each_other() -> None:
    solver = TurnSolver(RULES)
    turn = solver.turn("R5 R6 R7 | K9 B9 O9", "R8 R4 R9 K8 K7 R3 J B9 J K1 K2 R2")
    other = solver.turn("K1 K2 K3", "K4 K5 J R1 R2")
    expected = [format_tiles(play.counts) for play in turn.plays()]
    expected_other = [format_tiles(play.counts) for play in other.plays()]
    found, found_other = [], []
    others = other.plays()
    for play in turn.plays():
        found.append(format_tiles(play.counts))
        found_other += [format_tiles(p.counts) for p in islice(others, 1)]
        turn.table_after(play.counts)
        assert solver.turn("", "K1 K2 K3", opened=False).best() is None
    found_other += [format_tiles(play.counts) for play in others]
    assert found == expected
    assert found_other == expected_other
    assert len(expected) > 300


def test_counting_stops_at_the_limit() -> None:
    turn = TurnSolver(RULES).turn("", "K1 K2 K3 K4 R1 B1")
    everything = len(list(turn.plays()))
    assert everything == 5
    assert turn.count_plays() == (everything, True)
    assert turn.count_plays(everything) == (everything, True)
    assert turn.count_plays(everything - 1) == (everything - 1, False)
    assert turn.count_plays(0) == (0, False)
    assert TurnSolver(RULES).turn("", "K1").count_plays(0) == (0, True)
    with pytest.raises(ValueError, match="-1"):
        turn.count_plays(-1)


def test_a_play_knows_its_tiles_its_points_and_its_table() -> None:
    turn = TurnSolver(RULES).turn("R5 R6 R7", "R8 J")
    best = turn.best("points")
    assert best is not None
    assert (best.tiles, best.points) == (2, 38)
    assert best == max(turn.plays(), key=lambda play: play.tiles)
    assert len({best, *turn.plays()}) == turn.count_plays()[0]
    assert [str(meld) for meld in best.table] in (["R5 R6 R7 R8 J"], ["J R5 R6 R7 R8"])


def answers(turn: Turn) -> list[Any]:
    """Return all that is asked about a turn in one list that can be compared."""
    best = [turn.best("tiles"), turn.best("points")]
    return [
        turn.mask.tolist(),
        [None if play is None else play.counts.tolist() for play in best],
        [play.counts.tobytes() for play in islice(turn.plays(), 200)],
        turn.count_plays(500),
        [None if play is None else str(play.table) for play in best],
    ]


def drawn(draw_position: DrawPosition, number: int) -> list[dict[str, Any]]:
    rng = random.Random(5)
    positions = []
    for _ in range(number):
        table, rack = draw_position(
            rng, rng.randint(9, 45), rng.randint(4, 14), rng.choice([(0, 1), (1, 1)])
        )
        opened = rng.random() < 0.7
        positions.append({"table": table, "rack": rack, "opened": opened})
    return positions


def test_threads_can_share_a_solver(draw_position: DrawPosition) -> None:
    positions = drawn(draw_position, 20)
    alone = TurnSolver(RULES)
    expected = [answers(alone.turn(**position)) for position in positions]
    shared = TurnSolver(RULES)
    with ThreadPoolExecutor(2) as threads:
        for found in threads.map(
            lambda _: [answers(shared.turn(**p)) for p in positions], range(4)
        ):
            assert found == expected


def test_threads_can_ask_one_turn(draw_position: DrawPosition) -> None:
    position = drawn(draw_position, 1)[0]
    expected = answers(TurnSolver(RULES).turn(**position))
    shared = TurnSolver(RULES).turn(**position)
    with ThreadPoolExecutor(2) as threads:
        for found in threads.map(lambda _: answers(shared), range(8)):
            assert found == expected


def test_the_smallest_workspace_gives_the_same_answers(
    draw_position: DrawPosition, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = drawn(draw_position, 10)
    positions.append({"table": "", "rack": big_rack(), "opened": False})
    roomy = TurnSolver(RULES)
    expected = [answers(roomy.turn(**position)) for position in positions]
    monkeypatch.setattr(workspace, "FIRST_NODES", 64)
    monkeypatch.setattr(workspace, "FIRST_EDGES", 64)
    tiny = TurnSolver(RULES)
    assert [answers(tiny.turn(**position)) for position in positions] == expected


def test_asking_again_gives_the_same_answer(draw_position: DrawPosition) -> None:
    solver = TurnSolver(RULES)
    turns = [solver.turn(**position) for position in drawn(draw_position, 5)]
    first = [answers(turn) for turn in turns]
    again = [answers(solver.turn(t.melds, t.rack, t.opened)) for t in reversed(turns)]
    assert again[::-1] == first


def test_positions_of_play_are_asked_as_the_machine_asks_them(
    turns_of_play: TurnsOfPlay,
) -> None:
    # The fixture itself compares the masks; every play is open to the machine.
    for turn in turns_of_play(RULES, 3, seed=7):
        for play in islice(turn.plays(), 5):
            missing = play.counts - turn.played
            assert (missing >= 0).all()
            assert turn.mask[:-1][missing > 0].all()


# --------------------------------------------------------------------------- a peer


def test_most_tiles_are_as_many_as_another_package_finds(
    draw_position: DrawPosition,
) -> None:
    """Without jokers only: it leaves out melds with a spare joker."""
    peer = pytest.importorskip(
        "rummikub_solver", reason="the package rummikub-solver is not installed"
    )
    peer_rules = peer.RuleSet()
    solver = TurnSolver(RULES)
    rng = random.Random(9)
    for _ in range(25):
        table, rack = draw_position(rng, rng.randint(12, 60), rng.randint(4, 14))
        turn = solver.turn(table, rack)
        # Its colors have another order, but all colors are alike; it counts from one.
        state = peer_rules.new_game()
        state.add_table(*(peer_rules.tiles[tile] for tile in tiles_of(turn.board)))
        state.add_rack(*(peer_rules.tiles[tile] for tile in tiles_of(rack)))
        solution = peer_rules.solve(state, peer.SolverMode.TILE_COUNT)
        best = turn.best("tiles")
        assert (best.tiles if best else 0) == (len(solution.tiles) if solution else 0)


@pytest.mark.parametrize(
    ("table", "rack", "sentence"),
    [
        (5, "R4", "a table is text or a list of melds, not 5$"),
        (None, "R4", "a table is text or a list of melds, not None$"),
        ([1], "R4", "a table is a list of melds, not of 1$"),
        ("R4 R5 R6", 5, "a rack is text or an array of 53 counts, not 5$"),
        ("R4 R5 R6", [1, 2], r"counts must be an array of 53 integers, .*\(2,\)"),
    ],
)
def test_what_is_no_position_is_refused(table: Any, rack: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        TurnSolver("official").turn(table, rack)
