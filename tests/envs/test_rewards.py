"""Rewards, and matches of several rounds (evidence, case 15)."""

from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest

from rummi_env import RuleSet, rummikub_v0
from rummi_env.core.tiles import rack_value
from rummi_env.envs.aec import raw_env
from rummi_env.observation import by_name, state_fields

Play = Callable[..., None]


def collected(env: raw_env, seed: int) -> dict[str, float]:
    """Plays a match to its end through `last`, as a learner does."""
    rng = np.random.default_rng(seed)
    got: dict[str, float] = defaultdict(float)
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        assert isinstance(observation, dict)
        got[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated else rng.choice(legal))
    return got


def rack_values(env: raw_env) -> list[int]:
    parts = by_name(env.state(), state_fields(env.rules, env.num_players))
    racks = np.vstack([parts["rack"], parts["racks"]]).astype(np.int64)
    return [rack_value(rack, env.rules.joker_rack_value) for rack in racks]


@pytest.mark.parametrize("rules", ["official", "online", "triple_s"])
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_last_round_pays_what_the_racks_say(
    rules: str, num_players: int, play: Play
) -> None:
    env = rummikub_v0.raw_env(rules=rules, num_players=num_players)
    for seed in range(6):
        env.reset(seed=seed)
        play(env, seed)
        values = rack_values(env)
        lowest = min(values)
        losses = [value - lowest for value in values]
        winners = losses.count(0)
        expected = [-loss if loss else sum(losses) / winners for loss in losses]
        assert list(env.rewards.values()) == pytest.approx(expected)


def test_sum_minus_winner_once_is_paid_as_it_says() -> None:
    rules = RuleSet(pool_empty_scoring="sum_minus_winner_once", pool_empty="immediate")
    env = rummikub_v0.raw_env(rules=rules, num_players=3)
    for seed in range(4):
        env.reset(seed=seed)
        while not env.terminations[env.agent_selection]:
            env.step(53)
        values = rack_values(env)
        lowest = min(values)
        expected = [sum(values) - 2 * lowest if v == lowest else -v for v in values]
        assert list(env.rewards.values()) == expected


def test_every_agent_collects_its_reward_the_losers_included() -> None:
    env = rummikub_v0.raw_env(num_players=4)
    for seed in range(3):
        env.reset(seed=seed)
        got = collected(env, seed)
        assert env.agents == []
        assert list(got.values()) != [0.0] * 4
        assert sum(got.values()) == pytest.approx(0)
        assert tuple(got[agent] for agent in env.possible_agents) == pytest.approx(
            env.score_sheet.totals
        )


def test_a_player_who_goes_out_wins_at_once() -> None:
    env = rummikub_v0.raw_env(num_players=4)
    position = "R5 R6 R7 ; R8 / R5 / K9 B7 / R3 ; ?"
    env.reset(seed=0, options={"position": position})
    env.step(20)
    env.step(53)
    assert env.rewards == {
        "player_0": 24.0,
        "player_1": -5.0,
        "player_2": -16.0,
        "player_3": -3.0,
    }
    assert all(env.terminations.values())


def test_all_passing_with_an_empty_pool_ends_the_round_ties_included() -> None:
    env = rummikub_v0.raw_env(num_players=3)
    env.reset(seed=0, options={"position": " ; K9 / R9 / B1 J ;"})
    for agent in env.possible_agents:
        assert env.agent_selection == agent
        env.step(53)
        assert env.infos[agent] == {"event": "passed"}
    assert list(env.rewards.values()) == [11.0, 11.0, -22.0]


def test_rewards_are_scaled() -> None:
    env = rummikub_v0.raw_env(reward_scale=0.01)
    env.reset(seed=0, options={"position": "R5 R6 R7 ; R8 / R5"})
    env.step(20)
    env.step(53)
    assert list(env.rewards.values()) == pytest.approx([0.05, -0.05])


def test_winning_pays_one_and_the_losers_share_what_it_costs() -> None:
    env = rummikub_v0.raw_env(num_players=3, reward="win")
    env.reset(seed=0, options={"position": "R5 R6 R7 ; R8 / R5 / K1"})
    env.step(20)
    env.step(53)
    assert list(env.rewards.values()) == [1.0, -0.5, -0.5]
    env.reset(seed=0, options={"position": " ; K9 / R9 / B1 J ;"})
    for _ in range(3):
        env.step(53)
    assert list(env.rewards.values()) == [0.5, 0.5, -1.0]
    env.reset(seed=0, options={"position": " ; K9 / R9 / B9 ;"})
    for _ in range(3):
        env.step(53)
    assert list(env.rewards.values()) == [0.0, 0.0, 0.0]


def test_a_match_pays_at_the_end_of_every_round() -> None:
    rules = RuleSet(rounds=3, starter="rotate")
    env = rummikub_v0.raw_env(rules=rules, num_players=3)
    env.reset(seed=2)
    got = collected(env, 2)
    sheet = env.score_sheet
    assert len(sheet.rows) == 3
    assert all(sum(row) == pytest.approx(0) for row in sheet.rows)
    assert tuple(got[agent] for agent in env.possible_agents) == pytest.approx(
        sheet.totals
    )


def test_a_match_won_by_rounds_goes_to_whom_most_rounds_went() -> None:
    rules = RuleSet(rounds=3, rack_size=1, match_winner="rounds_won", starter=0)
    env = rummikub_v0.raw_env(rules=rules, reward="win")
    deals = ["K1 / K13 ;", "K2 / K3 ;", "K13 / K1 ;"]
    env.reset(seed=0, options={"deal": [deal.replace(";", "; ;") for deal in deals]})
    paid = []
    while env.agents and not env.terminations[env.agent_selection]:
        env.step(53)
        paid.append(list(env.rewards.values()))
    assert env.score_sheet.rows == ((12.0, -12.0), (1.0, -1.0), (-12.0, 12.0))
    assert paid[-1] == [1.0, -1.0]
    assert paid[:-1] == [[0.0, 0.0]] * (len(paid) - 1)
