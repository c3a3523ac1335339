"""The few whole turns that are chosen from."""

import numpy as np
import numpy.typing as npt
import pytest

from rummi_env.core.notation import parse_table, parse_tiles, table_counts
from rummi_env.core.rulesets import RuleSet
from rummi_env.core.tiles import rack_value
from rummi_env.envs.turn_choices import check_choices, see_choices
from rummi_env.games.rummikub.choices import (
    FEWEST_TILES,
    MOST_WEIGHED,
    NOTHING,
    NUM_CHOICES,
    WHOLE_RACK,
    WITH_JOKERS,
    WITHOUT_JOKERS,
)
from rummi_env.games.rummikub.engine import Engine
from rummi_env.games.rummikub.state import END_TURN, coded
from rummi_env.observation import size_of
from rummi_env.observation.choices import choice_fields
from rummi_env.solver.tables import solver_tables
from rummi_env.solver.workspace import make_workspace

Counts = npt.NDArray[np.int8]


def choices(
    board: Counts,
    rack: Counts,
    opened: bool,
    rules: RuleSet | None = None,
    pool_empty: bool = False,
) -> tuple[Counts, Counts]:
    """The tiles of each choice, int8[choices, 53], and which there are."""
    rules = rules or RuleSet()
    seen = np.zeros((1, size_of(choice_fields(rules, 2).values())), np.float32)
    plays = np.zeros((1, NUM_CHOICES, 53), np.int8)
    legal = np.zeros((1, NUM_CHOICES), np.int8)
    see_choices(
        board[None], rack[None], np.array([opened], np.int8),
        np.array([pool_empty], np.int8), np.full((1, 2), int(rack.sum()), np.int64),
        coded(rules, 2), make_workspace(), solver_tables(rules.colors), 242, seen,
        plays, legal,
    )  # fmt: skip
    return plays[0], legal[0]


def of(text: str) -> Counts:
    return parse_tiles(text)


NO_TABLE = np.zeros(53, np.int8)


def test_whole_rack_goes_out_by_the_table() -> None:
    board = table_counts(parse_table("B5 R5 K5 O5 | R1 R2 R3"))
    plays, legal = choices(board, of("B4 B6 R4 J"), True)
    # Whoever can go out has no other play.
    assert legal.tolist() == [1, 1, 0, 0, 0]
    assert (plays[WHOLE_RACK] == of("B4 B6 R4 J")).all()


def test_jokers_are_kept_by_one_choice_and_played_by_another() -> None:
    plays, legal = choices(NO_TABLE, of("K10 K11 R10 R11 R12 J O1"), True)
    assert legal.tolist() == [1, 0, 1, 1, 0]
    assert (plays[WITHOUT_JOKERS] == of("R10 R11 R12")).all()
    assert (plays[WITH_JOKERS] == of("K10 K11 R10 R11 R12 J")).all()


def test_opening_of_fewest_tiles_is_a_choice_of_its_own() -> None:
    rack = of("K10 R10 B10 O1 O2 O3 K7")
    plays, legal = choices(NO_TABLE, rack, False)
    assert legal.tolist() == [1, 0, 1, 0, 1]
    assert (plays[WITHOUT_JOKERS] == of("K10 R10 B10 O1 O2 O3")).all()
    assert (plays[FEWEST_TILES] == of("K10 R10 B10")).all()
    assert choices(NO_TABLE, rack, True)[1][FEWEST_TILES] == 0


def test_openings_need_their_points() -> None:
    assert choices(NO_TABLE, of("O1 O2 O3 K7"), False)[1].tolist() == [1, 0, 0, 0, 0]


def test_nothing_is_no_choice_where_a_play_is_due() -> None:
    rules = RuleSet(must_play_when_pool_empty=True)
    rack = of("O1 O2 O3 K7")
    assert choices(NO_TABLE, rack, True, rules, True)[1][NOTHING] == 0
    assert choices(NO_TABLE, rack, True, rules, False)[1][NOTHING] == 1
    assert choices(NO_TABLE, of("K7"), True, rules, True)[1][NOTHING] == 1


def play_by_tiles(engine: Engine, games: npt.NDArray[np.void], play: Counts) -> None:
    """Plays a turn and holds every action against the mask."""
    for action in [*np.repeat(np.arange(53), play).tolist(), END_TURN]:
        assert games["mask"][0, action]
        engine.act(games, 0, action)


@pytest.mark.parametrize("seed", range(4))
def test_choices_are_plays_and_nearly_the_best(seed: int) -> None:
    engine = Engine("official", 2)
    games = engine.new_games(1)
    engine.start(games, 0, seed)
    checked = 0
    while not engine.is_over(games, 0) and games["racks"][0].sum(axis=1).max() < 30:
        game = games[0]
        seat = int(game["seat"])
        if game["actions"] == 0:
            turn = engine.turn(games, 0)
            rack, opened = game["racks"][seat].copy(), bool(game["opened"][seat])
            plays, legal = choices(game["table"].copy(), rack, opened)
            best = turn.best("points")
            for choice in np.flatnonzero(legal).tolist():
                if choice != NOTHING:
                    play_by_tiles(engine, games.copy(), plays[choice])
            whole = best is not None and best.tiles == rack.sum()
            assert bool(legal[WHOLE_RACK]) == whole
            most = max(rack_value(play, 30) for play in plays)
            if whole or rack.sum() <= MOST_WEIGHED or not opened:
                assert most == (0 if best is None else rack_value(best.counts, 30))
            assert legal[NOTHING]
            checked += best is not None
        name = ("max_points", "patient")[seat]
        engine.act(games, 0, engine.scripted_action(games, 0, name))
    assert checked > 5


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("sabra", "where jokers are free"),
        ("triple_s", "where jokers are free"),
        (RuleSet(turn_actions=3), "without turn_actions only"),
        (RuleSet(redeal_on_three_pairs=True), "without redeal_on_three_pairs only"),
        (RuleSet(rounds=3), "rounds must be 1"),
    ],
)
def test_rules_without_choices_are_refused(rules: RuleSet | str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        check_choices(RuleSet.of(rules), 2)
    assert "\n" not in str(caught.value)
