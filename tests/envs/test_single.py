"""The Gymnasium environment with one learning seat."""

import copy
import pickle
import re
from typing import Any

import gymnasium
import numpy as np
import pytest

import rummi_env
from rummi_env import IllegalAction, RuleSet, rummikub_v0
from rummi_env.envs.opponents import Agent, known_names
from rummi_env.envs.single import RummikubEnv
from rummi_env.games.rummikub.scripted import SCRIPTED
from rummi_env.observation import fields, state_fields
from rummi_env.solver import Turn


def play(env: RummikubEnv, seed: int = 0) -> tuple[float, list[dict[str, Any]]]:
    """Plays a match with random legal actions; returns its rewards and infos."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    total, infos, terminated = 0.0, [info], False
    while not terminated:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        total += reward
        infos.append(info)
    return total, infos


class First:
    """Plays the first legal action and keeps what it was shown."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.matches = 0

    def reset(self) -> None:
        self.matches += 1

    def act(self, observation: Any, mask: Any, turn: Turn, rng: Any) -> int:
        self.seen.append((observation, mask, turn, rng))
        return int(mask.argmax())


def test_make_gives_the_documented_environment() -> None:
    env = gymnasium.make("rummi/Rummikub-v0", opponents=["max_tiles"], rules="official")
    observation, info = env.reset(seed=3)
    assert observation.shape == (242,)
    assert observation.dtype == np.float32
    assert info["action_mask"].dtype == np.int8
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
    assert (masks == info["action_mask"]).all()


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_it_is_the_learners_turn_until_the_match_ends(num_players: int) -> None:
    env = RummikubEnv(num_players=num_players)
    for seed in range(4):
        total, infos = play(env, seed)
        assert all(info["action_mask"].any() for info in infos[:-1])
        assert not infos[-1]["action_mask"].any()
        assert total == pytest.approx(infos[-1]["scores"][0])
        assert infos[-1]["scores"].sum() == pytest.approx(0)
        best = infos[-1]["scores"].max()
        assert bool(infos[-1]["won"]) == (infos[-1]["scores"][0] == best)
        seat = infos[0]["seat"]
        assert env.score_sheet.totals[seat] == pytest.approx(total)


def test_the_same_seed_gives_the_same_match() -> None:
    env, other = RummikubEnv(num_players=3), RummikubEnv(num_players=3)
    total, infos = play(env, 4)
    again, infos_again = play(other, 4)
    assert total == again
    assert [info["action_mask"].tolist() for info in infos] == [
        info["action_mask"].tolist() for info in infos_again
    ]


def test_the_same_seed_deals_as_in_the_aec_environment() -> None:
    env, aec = RummikubEnv(seat=0), rummikub_v0.raw_env()
    for seed in range(20):
        aec.reset(seed=seed)
        if aec.agent_selection == "player_0":
            observation, _ = env.reset(seed=seed)
            assert (observation == aec.observe("player_0")["observation"]).all()
            break
    else:
        pytest.fail("player 0 never starts")


def test_the_seat_is_random_unless_given() -> None:
    env = RummikubEnv(num_players=3)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(30)} == {0, 1, 2}
    env = RummikubEnv(num_players=3, seat=2)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(10)} == {2}


def test_rewards_that_come_while_opponents_act_reach_the_learner() -> None:
    env = RummikubEnv(seat=0, opponents=["max_tiles"])
    env.reset(options={"position": "R5 R6 R7 ; R13 K1 / R8 ; O1 ; 0"})
    _, reward, terminated, _, info = env.step(53)
    # The opponent goes out while the learner waits, with O1 13 1 on the rack.
    assert (reward, terminated) == (-15.0, True)
    assert info["scores"].tolist() == [-15.0, 15.0]
    assert info["won"] == 0.0
    with pytest.raises(ValueError, match="call reset"):
        env.step(53)


def test_a_match_of_rounds_is_one_episode() -> None:
    rules = RuleSet(rounds=3, rack_size=5)
    env = RummikubEnv(rules=rules, num_players=4, reward_scale=0.5)
    for seed in range(3):
        total, infos = play(env, seed)
        assert len(env.score_sheet.rows) == 3
        assert total == pytest.approx(0.5 * infos[-1]["scores"][0])


def test_winning_pays_one() -> None:
    env = RummikubEnv(seat=0, opponents=["greedy", "greedy"], reward="win")
    env.reset(options={"position": "R5 R6 R7 ; R8 / K1 / K2"})
    env.step(20)
    _, reward, terminated, _, info = env.step(53)
    assert (reward, terminated, info["won"]) == (1.0, True, 1.0)


def test_agents_and_functions_are_shown_what_their_seat_may_know() -> None:
    agent = First()
    assert isinstance(agent, Agent)
    env = RummikubEnv(opponents=[agent, lambda *shown: agent.act(*shown)], seat=0)
    play(env, 2)
    assert len(agent.seen) > 10
    assert agent.matches == 1
    for observation, mask, turn, rng in agent.seen:
        assert observation.shape == (fields(env.rules, 3)["actions_left"].slice.stop,)
        assert (mask == turn.mask).all()
        assert isinstance(rng, np.random.Generator)
        rack = turn.rack - turn.played
        assert (observation[:53] == rack).all()
    # A turn kept for later still knows the table of its time.
    for _, _, turn, _ in agent.seen:
        tiles = sum((meld.counts for meld in turn.melds), np.zeros(53, int))
        assert (tiles == turn.board).all()


@pytest.mark.parametrize("name", sorted(SCRIPTED))
def test_every_scripted_baseline_plays(name: str) -> None:
    env = RummikubEnv(opponents=[name, name], rules="online")
    total, _ = play(env, 1)
    assert np.isfinite(total)


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"opponents": "random"}, "opponents must be a list of names, agents or"),
        ({"opponents": 3}, "opponents must be a list of names, agents or"),
        ({"opponents": []}, "there must be 1 to 3 opponents, not 0"),
        ({"opponents": ["random"] * 4}, "there must be 1 to 3 opponents, not 4"),
        ({"opponents": ["beat"]}, "no opponent 'beat': known are random, greedy, max"),
        ({"opponents": [7]}, "an opponent is a name, an agent with a method act, or"),
        ({"opponents": [First]}, "an opponent is an agent, not its class First"),
        (
            {"opponents": ["random"], "num_players": 4},
            "with num_players=4 there must be 3 opponents, not 1",
        ),
        ({"num_players": 5}, "num_players must be an integer from 2 to 4, not 5"),
        ({"num_players": 2.0}, "num_players must be an integer from 2 to 4, not 2.0"),
        ({"seat": 2}, "seat must be None or an integer from 0 to 1, not 2"),
        ({"rules": "offical"}, "unknown preset 'offical': did you mean official"),
        ({"on_illegal": "ignore"}, "on_illegal must be one of 'penalty', 'terminate'"),
        ({"obs_type": "image"}, "obs_type must be one of 'flat', 'dict', 'history'"),
        ({"reward": "elo"}, "reward must be one of 'score', 'difference', 'win', not"),
        ({"reward_scale": 0}, "reward_scale must be a number above 0, not 0"),
        ({"reward_scale": float("nan")}, "reward_scale must be a number above 0"),
        ({"render_mode": "jpeg"}, "'rgb_array', 'human' or None, not 'jpeg'"),
        ({"reveal": 1}, "reveal must be True or False, not 1"),
    ],
)
def test_wrong_keywords_are_refused_in_a_sentence(
    keywords: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        RummikubEnv(**keywords)
    if not {"opponents", "seat"} & set(keywords):
        with pytest.raises(ValueError, match=re.escape(sentence)):
            rummikub_v0.raw_env(**keywords)


def test_known_names_are_the_scripted_ones_and_those_installed() -> None:
    assert known_names()[: len(SCRIPTED)] == tuple(SCRIPTED)


def test_installed_agents_are_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "first"

        def load(self) -> type[First]:
            return First

    monkeypatch.setattr(
        "rummi_env.envs.opponents.entry_points",
        lambda group, name=None: [Point()] if name in (None, "first") else [],
    )
    env = RummikubEnv(opponents=["first"])
    play(env, 1)
    with pytest.raises(ValueError, match=r"known are random, .*, first"):
        RummikubEnv(opponents=["second"])


def test_an_opponent_that_acts_illegally_is_an_error() -> None:
    env = RummikubEnv(opponents=[lambda *_: 0], seat=1)
    position = " ; K1 R1 / K2 R2 ; K1 ; 1 ; 11"
    env.reset(options={"position": position})
    with pytest.raises(IllegalAction, match="illegal: play K1"):
        env.step(53)
    env = RummikubEnv(opponents=[lambda *_: 99], seat=1)
    env.reset(options={"position": position})
    with pytest.raises(ValueError, match="an opponent chose 99, which is no action"):
        env.step(53)


def test_illegal_actions_of_the_learner_are_treated_as_asked() -> None:
    position = "K3 K4 K5 ; K6 R9 R13 / B1 B2 ; O1 O2 O3 O4 O5 ; 0"
    env = RummikubEnv(seat=0)
    env.reset(options={"position": position})
    _, reward, terminated, _, _ = env.step(0)
    assert (reward, terminated) == (0.0, False)
    env = RummikubEnv(seat=0, on_illegal="terminate")
    env.reset(options={"position": position})
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated) == (-100.0, True)
    assert not info["action_mask"].any()
    env = RummikubEnv(seat=0, on_illegal="raise")
    env.reset(options={"position": position})
    with pytest.raises(IllegalAction, match="there is no K1 on the rack"):
        env.step(0)
    assert env.explain(0) == "illegal: play K1; there is no K1 on the rack"
    with pytest.raises(ValueError, match="a whole number from 0 to 53, not 54"):
        env.step(54)


def test_a_match_over_before_the_first_decision_is_refused() -> None:
    env = RummikubEnv(seat=1, opponents=["greedy"])
    with pytest.raises(ValueError, match="over before the learner's first decision"):
        env.reset(options={"position": "R5 R6 R7 ; R8 / K1"})
    with pytest.raises(ValueError, match="call reset"):
        env.step(53)
    env.reset(seed=1)
    assert env.action_masks().any()


def test_the_hidden_state_is_given_on_demand() -> None:
    env = RummikubEnv(privileged=True, num_players=3)
    observation, info = env.reset(seed=1)
    parts = state_fields(env.rules, 3)
    assert (info["state"][: observation.size] == observation).all()
    assert env.state_space.contains(info["state"])
    left = observation[parts["pool_size"].slice] * 106
    assert info["state"][parts["pool"].slice].sum() == pytest.approx(left[0])
    assert "state" not in RummikubEnv().reset(seed=1)[1]


def test_a_match_can_be_copied_and_pickled() -> None:
    env = RummikubEnv(num_players=3, opponents=["random", "max_points"])
    _, info = env.reset(seed=4)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(10):
        action = int(info["action_mask"].argmax())
        seen, *others = [each.step(action) for each in (env, *twins)]
        info = seen[-1]
        for same in others:
            assert (seen[0] == same[0]).all()
            assert seen[1:4] == same[1:4]


def test_rendering_shows_the_learners_rack_alone() -> None:
    env = RummikubEnv(seat=1, render_mode="ansi")
    env.reset(options={"position": "R5 R6 R7 ; K9 B9 / K1 ; ? ; 1"})
    shown = env.render()
    assert shown is not None
    assert "Rack of player_1\n  K1\n" in shown
    assert "K9" not in shown


def test_ids_are_registered_on_import() -> None:
    assert "rummi/Rummikub-v0" in gymnasium.registry
    assert rummi_env.rummikub_v0 is rummikub_v0
    with pytest.raises(AttributeError, match="no attribute 'rummikub_v9'"):
        _ = rummi_env.rummikub_v9
