"""The score sheet: a row for each round, a column for each player, totals."""

import csv
import pickle
from collections.abc import Callable, Iterator

import gymnasium
import numpy as np
import pytest

from rummi_env import RuleSet, rummikub_v0
from rummi_env.envs.aec import raw_env
from rummi_env.envs.score_sheet import ScoreSheet
from rummi_env.envs.single import RummikubEnv

Play = Callable[..., None]


def rounds_of(env: raw_env, seed: int) -> Iterator[tuple[float, ...]]:
    """Plays a match and yields the rewards of every round as it ends."""
    rng = np.random.default_rng(seed)
    over = 0
    while not env.terminations[env.agent_selection]:
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(rng.choice(np.flatnonzero(mask)))
        if len(env.score_sheet.rows) > over:
            over = len(env.score_sheet.rows)
            yield tuple(env.rewards.values())


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("preset", RuleSet.presets())
def test_the_rows_are_what_the_rounds_have_paid(preset: str, num_players: int) -> None:
    rules = RuleSet.preset(preset, rounds=4, rack_size=5)
    env = rummikub_v0.raw_env(rules=rules, num_players=num_players)
    env.reset(seed=num_players)
    paid = list(rounds_of(env, seed=num_players))
    sheet = env.score_sheet
    assert len(paid) == 4
    assert sheet.players == tuple(env.possible_agents)
    assert sheet.rows == tuple(paid)
    assert sheet.totals == pytest.approx(np.sum(paid, axis=0))
    if rules.pool_empty_scoring == "difference":
        assert sum(sheet.totals) == pytest.approx(0)
    # A new match has a sheet of its own.
    env.reset()
    assert env.score_sheet == ScoreSheet(sheet.players, ())


def test_a_match_of_given_deals_fills_it_row_by_row() -> None:
    rules = RuleSet(rounds=2, rack_size=1, starter=0)
    env = rummikub_v0.raw_env(rules=rules, render_mode="ansi")
    env.reset(seed=0, options={"deal": ["K1 / K13 ; ;", "K9 / K3 ; ;"]})
    assert not env.score_sheet.rows
    assert env.score_sheet.totals == (0.0, 0.0)
    assert "Scores" not in str(env.render())
    env.step(53)
    env.step(53)
    assert env.score_sheet.rows == ((12.0, -12.0),)
    assert str(env.render()).endswith(
        """
Scores
  round  player_0  player_1
      1        12       -12
  total        12       -12
"""
    )
    env.step(53)
    env.step(53)
    assert env.score_sheet.to_csv() == (
        "round,player_0,player_1\n1,12,-12\n2,-6,6\ntotal,6,-6\n"
    )
    assert str(env.render()).endswith("  total         6        -6\n")


def test_points_that_were_shared_are_exact_in_the_file_and_rounded_to_the_eye() -> None:
    third = 10 / 3
    sheet = ScoreSheet(
        ("player_0", "player_1", "player_2", "player_3"),
        ((third, third, third, -10.0), (-120.0, 0.0, 0.5, 119.5)),
    )
    assert str(sheet).splitlines() == [
        "round  player_0  player_1  player_2  player_3",
        "    1      3.33      3.33      3.33       -10",
        "    2      -120         0      0.50    119.50",
        "total   -116.67      3.33      3.83    109.50",
    ]
    head, *rows, totals = csv.reader(sheet.to_csv().splitlines())
    assert head == ["round", *sheet.players]
    assert [[float(score) for score in row[1:]] for row in rows] == [
        pytest.approx(list(row), rel=1e-14) for row in sheet.rows
    ]
    assert [row[0] for row in (*rows, totals)] == ["1", "2", "total"]
    assert [float(score) for score in totals[1:]] == pytest.approx(list(sheet.totals))


def test_it_is_saved_and_copied_with_the_match(play: Play) -> None:
    env, other = (
        rummikub_v0.raw_env(rules=RuleSet(rounds=3, rack_size=3), num_players=3)
        for _ in range(2)
    )
    env.reset(seed=6)
    while len(env.score_sheet.rows) < 2:
        play(env, actions=1)
    other.load_state(env.save_state())
    assert other.score_sheet == env.score_sheet
    assert pickle.loads(pickle.dumps(env)).score_sheet == env.score_sheet


def test_the_single_seat_has_it_by_seat_and_shows_it() -> None:
    env = gymnasium.make(
        "rummi/Rummikub-v0",
        rules=RuleSet(rounds=2, rack_size=3),
        seat=1,
        render_mode="ansi",
    ).unwrapped
    assert isinstance(env, RummikubEnv)
    _, info = env.reset(seed=3)
    assert "Scores" not in str(env.render())
    over, paid = False, 0.0
    while not over:
        action = np.flatnonzero(info["action_mask"])[0]
        _, reward, over, _, info = env.step(action)
        paid += reward
    sheet = env.score_sheet
    assert sheet.players == ("player_0", "player_1")
    assert len(sheet.rows) == 2
    assert sheet.totals[1] == pytest.approx(paid)
    assert str(env.render()).endswith(sheet.section())
