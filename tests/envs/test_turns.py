"""Masks, turns and seeds of the AEC environment (evidence, cases 13, 14 and 16)."""

from collections.abc import Callable

import numpy as np
import pytest

from rummi_env import IllegalAction, RuleSet, rummikub_v0
from rummi_env.envs.aec import raw_env
from rummi_env.observation import num_actions

Play = Callable[..., None]


def mask_of(env: raw_env) -> list[int]:
    mask = env.observe(env.agent_selection)["action_mask"]
    return list(np.flatnonzero(mask))


@pytest.mark.parametrize("rules", RuleSet.presets())
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_masks_are_those_of_the_solver(
    rules: str, num_players: int, play: Play
) -> None:
    env = rummikub_v0.raw_env(rules=rules, num_players=num_players)
    env.reset(seed=num_players)
    for _ in range(150):
        turn = env.current_turn()
        mask = env.observe(env.agent_selection)["action_mask"]
        assert mask.tolist() == turn.mask.astype(np.int8).tolist()
        play(env, actions=1)
        if env.terminations[env.agent_selection]:
            break


def test_an_agent_not_to_move_has_an_all_zero_mask(play: Play) -> None:
    env = rummikub_v0.raw_env(num_players=3)
    env.reset(seed=4)
    for _ in range(100):
        for agent in env.agents:
            mask = env.observe(agent)["action_mask"]
            assert mask.any() == (agent == env.agent_selection)
        play(env, actions=1)


@pytest.mark.parametrize("rules", ["official", "sabra"])
def test_every_legal_action_leads_to_a_state_of_its_own(rules: str, play: Play) -> None:
    env = rummikub_v0.raw_env(rules=rules)
    env.reset(seed=11)
    for _ in range(60):
        before = env.save_state()
        states = {before}
        legal = mask_of(env)
        for action in legal:
            env.step(action)
            states.add(env.save_state())
            env.load_state(before)
        assert len(states) == len(legal) + 1
        play(env, actions=1)


@pytest.mark.parametrize("rules", RuleSet.presets())
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_random_legal_play_meets_no_illegal_step_and_ends(
    rules: str, num_players: int, play: Play
) -> None:
    env = rummikub_v0.raw_env(rules=rules, num_players=num_players, on_illegal="raise")
    for seed in range(5):
        env.reset(seed=seed)
        play(env, seed)
        assert all(env.terminations.values())
        assert not any(env.truncations.values())


def test_an_agent_acts_until_its_turn_ends() -> None:
    env = rummikub_v0.raw_env()
    position = "K3 K4 K5 ; K6 R9 R13 / B1 B2 ; O1 O2 ; 0"
    env.reset(seed=0, options={"position": position})
    env.step(5)
    assert (env.agent_selection, env.infos["player_0"]) == (
        "player_0",
        {"event": "played"},
    )
    env.step(53)
    assert (env.agent_selection, env.infos["player_0"]) == (
        "player_1",
        {"event": "laid"},
    )
    env.step(53)
    assert (env.agent_selection, env.infos["player_1"]) == (
        "player_0",
        {"event": "drew"},
    )


def test_the_documented_number_of_actions_is_that_of_the_space() -> None:
    for rules in (RuleSet(), RuleSet(redeal_on_three_pairs=True)):
        env = rummikub_v0.raw_env(rules=rules)
        space = env.action_space("player_0")
        assert space.n == num_actions(rules)  # type: ignore[attr-defined]
        env.reset(seed=0)
        assert env.observe("player_0")["action_mask"].shape == (num_actions(rules),)


def test_spaces_are_the_same_objects_on_every_call() -> None:
    env = rummikub_v0.raw_env()
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)


def trajectory(env: raw_env, play: Play, seed: int | None) -> list[bytes]:
    env.reset(seed=seed)
    states = []
    for step in range(120):
        states.append(env.save_state())
        play(env, step, actions=1)
    return states


def test_the_same_seed_gives_the_same_match(play: Play) -> None:
    env, other = rummikub_v0.raw_env(), rummikub_v0.raw_env()
    first = trajectory(env, play, seed=5)
    assert trajectory(other, play, seed=5) == first
    assert trajectory(env, play, seed=6) != first
    # Without a seed chance goes on, in the same way for both.
    other.reset(seed=6)
    following = trajectory(env, play, None)
    assert following == trajectory(other, play, None)
    assert following != trajectory(env, play, None)


def test_every_option_survives_a_seeded_reset() -> None:
    rules = RuleSet(rounds=2, opening_points=10)
    env = rummikub_v0.raw_env(
        num_players=3,
        rules=rules,
        render_mode="ansi",
        on_illegal="raise",
        obs_type="dict",
        reward="win",
        reward_scale=0.5,
        turn_clock=True,
    )
    for seed in (3, None, 4):
        env.reset(seed=seed)
        assert env.seconds_left is not None
        assert len(env.agents) == 3
        assert env.rules == rules
        assert env.render()
        assert isinstance(env.observe("player_0")["observation"], dict)
        illegal = next(a for a in range(54) if a not in mask_of(env))
        with pytest.raises(IllegalAction):
            env.step(illegal)


def test_observations_are_not_written_to_later(play: Play) -> None:
    env = rummikub_v0.raw_env()
    env.reset(seed=1)
    kept = env.observe("player_0")
    copies = {name: array.copy() for name, array in kept.items()}
    play(env, actions=30)
    env.observe("player_0")
    assert all((kept[name] == copies[name]).all() for name in kept)
