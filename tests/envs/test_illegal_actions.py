"""What an illegal action leads to, and what is said about it."""

import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from rummi_env import IllegalAction, Reason, RuleSet, rummikub_v0

Play = Callable[..., None]

POSITION = "K3 K4 K5 ; K6 R9 R13 / B1 B2 ; O1 O2 O3 O4 O5 ; 0"


def test_the_penalty_takes_the_turn_back_and_costs_three_tiles() -> None:
    env = rummikub_v0.raw_env()
    env.reset(options={"position": POSITION})
    env.step(5)
    env.step(21)
    position = env.position()
    assert env.infos["player_0"] == {"event": "failed"}
    assert env.agent_selection == "player_1"
    assert position.to_dict()["racks"][0] == "K6 R9 R13 O1 O2 O3"
    assert str(position.table[0]) == "K3 K4 K5"
    assert not any(env.terminations.values())


def test_tiles_shown_in_a_turn_that_failed_stay_known() -> None:
    env = rummikub_v0.raw_env(obs_type="dict")
    env.reset(options={"position": POSITION})
    env.step(5)
    env.step(21)
    assert np.flatnonzero(env.observe("player_1")["observation"]["known"]).tolist() == [
        5
    ]
    assert not env.observe("player_0")["observation"]["known"].any()


def test_raising_says_why_and_changes_nothing() -> None:
    env = rummikub_v0.raw_env(on_illegal="raise")
    env.reset(options={"position": POSITION})
    before = env.save_state()
    for action, reason in (
        (0, Reason.TILE_NOT_IN_RACK),
        (21, Reason.BROKEN_MELD),
        (52, Reason.TILE_NOT_IN_RACK),
    ):
        with pytest.raises(IllegalAction) as caught:
            env.step(action)
        assert caught.value.reason is reason
        assert str(caught.value) == env.explain(action)
        assert env.save_state() == before


@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.filterwarnings("ignore:.*Illegal.*")
def test_terminating_ends_the_match_as_lost(wrapped: bool) -> None:
    make: Any = rummikub_v0.env if wrapped else rummikub_v0.raw_env
    env = make(on_illegal="terminate", num_players=3, reward_scale=0.1)
    env.reset(seed=3)
    offender = env.agent_selection
    mask = env.observe(offender)["action_mask"]
    env.step(int(np.flatnonzero(mask == 0)[0]))
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    got = {}
    for agent in env.agent_iter():
        observation, got[agent], terminated, truncated, _ = env.last()
        assert terminated
        assert truncated
        assert not observation["action_mask"].any()
        env.step(None)
    assert got == {
        agent: -10.0 if agent == offender else 0.0 for agent in env.possible_agents
    }
    env.reset(seed=3)
    assert not any(env.terminations.values())


@pytest.mark.parametrize("action", [-1, 54, None, "K1", 1.5])
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = rummikub_v0.raw_env()
    env.reset(seed=1)
    before = env.save_state()
    with pytest.raises(ValueError, match=f"whole number from 0 to 53, not {action!r}"):
        env.step(action)
    assert env.save_state() == before


@pytest.mark.parametrize("action", [np.int8(53), np.int64(53), np.uint8(53), 53])
def test_every_kind_of_integer_is_an_action(action: Any) -> None:
    env = rummikub_v0.raw_env()
    env.reset(seed=1)
    env.step(action)
    assert [info.get("event") for info in env.infos.values()].count("drew") == 1


def test_stepping_without_a_match_is_refused(play: Play) -> None:
    env = rummikub_v0.raw_env()
    with pytest.raises(ValueError, match="call reset"):
        env.step(53)
    with pytest.raises(ValueError, match="call reset"):
        env.time_out()
    env.reset(seed=1)
    play(env)
    for _ in range(2):
        env.step(None)
    with pytest.raises(ValueError, match="call reset"):
        env.step(53)


def test_time_that_runs_out_costs_what_the_rules_say() -> None:
    env = rummikub_v0.raw_env()
    env.reset(options={"position": POSITION})
    env.time_out()
    assert env.infos["player_0"] == {"event": "timed_out"}
    assert env.position().to_dict()["racks"][0] == "K6 R9 R13 O1"
    env.reset(options={"position": POSITION})
    env.step(5)
    env.time_out()
    assert env.position().to_dict()["racks"][0] == "K6 R9 R13 O1 O2 O3"
    assert env.agent_selection == "player_1"


def test_a_failed_turn_with_an_empty_pool_is_a_pass_and_can_end_the_round() -> None:
    env = rummikub_v0.raw_env()
    env.reset(options={"position": " ; K9 / R13 ;"})
    env.step(0)
    env.step(0)
    assert all(env.terminations.values())
    assert list(env.rewards.values()) == [4.0, -4.0]


@pytest.mark.parametrize("seed", range(3))
def test_unmasked_play_ends_and_its_scores_add_up(seed: int) -> None:
    env = rummikub_v0.raw_env(num_players=3)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while not env.terminations[env.agent_selection]:
        env.step(int(rng.integers(54)))
    assert sum(env.rewards.values()) == pytest.approx(0)


PAIRS = "K1 K1 R2 R2 O3 O3 / B1 B1 B2 B2 B3 B3 ; ; 1"


def test_a_new_deal_is_asked_for_in_the_order_of_the_seats() -> None:
    rules = RuleSet(redeal_on_three_pairs=True, rack_size=6)
    env = rummikub_v0.raw_env(rules=rules, on_illegal="raise")
    env.reset(seed=1, options={"deal": PAIRS.replace("; ;", "; ? ;")})
    assert env.agent_selection == "player_0"
    assert np.flatnonzero(env.observe("player_0")["action_mask"]).tolist() == [53, 54]
    assert env.explain(54) == "legal: demand a new deal, as three pairs were dealt"
    with pytest.raises(IllegalAction, match="first the new deal") as caught:
        env.step(0)
    assert caught.value.reason is Reason.NOT_NOW
    env.step(53)
    assert env.infos["player_0"] == {"event": "kept"}
    assert env.agent_selection == "player_1"
    env.step(54)
    assert env.infos["player_1"] == {"event": "redealt"}
    assert env.position().to_dict()["racks"][0] != "K1 K1 R2 R2 O3 O3"


def test_an_illegal_action_when_asked_for_a_new_deal_keeps_the_rack() -> None:
    rules = RuleSet(redeal_on_three_pairs=True, rack_size=6)
    env = rummikub_v0.raw_env(rules=rules)
    env.reset(seed=1, options={"deal": PAIRS.replace("; ;", "; ? ;")})
    env.step(0)
    assert env.agent_selection == "player_1"
    env.step(53)
    # Both have been asked: the starter has the first turn, with the tiles dealt.
    assert env.agent_selection == "player_1"
    assert env.position().to_dict()["racks"][0] == "K1 K1 R2 R2 O3 O3"
    with pytest.raises(ValueError, match="from 0 to 54"):
        env.step(55)


@pytest.mark.parametrize("on_illegal", ["penalty", "terminate", "raise"])
@pytest.mark.parametrize("action", [54, 999, -1, 1.5, "draw", None, True])
def test_what_is_no_action_is_named_and_changes_nothing(
    action: Any, on_illegal: Any
) -> None:
    envs: list[Any] = [
        rummikub_v0.raw_env(on_illegal=on_illegal),
        rummikub_v0.env(on_illegal=on_illegal),
        gymnasium.make("rummi/Rummikub-v0", on_illegal=on_illegal).unwrapped,
    ]
    sentence = f"is a whole number from 0 to 53, not {re.escape(repr(action))}$"
    for env in envs:
        env.reset(seed=1)
        before = env.unwrapped._match.save()
        for ask in (env.step, env.unwrapped.explain):
            with pytest.raises(ValueError, match=sentence):
                ask(action)
        assert env.unwrapped._match.save() == before
