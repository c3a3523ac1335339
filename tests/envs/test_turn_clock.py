"""Turns on a clock (rule sets, paragraph 2.4): here one that the tests move on."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

from rummi_env import RuleSet, rummikub_v0
from rummi_env.envs.aec import raw_env
from rummi_env.envs.single import RummikubEnv
from rummi_env.solver import Turn

R5, R8, K1, B1, END = 17, 20, 0, 26, 53
POSITION = "R5 R6 R7 ; R8 K1 / B1 B2 ; O1 O2 O3 O4 O5 ; 0"


class StoppedClock:
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def timed(rules: RuleSet | None = None, **keywords: Any) -> tuple[raw_env, Any]:
    clock = StoppedClock()
    env = rummikub_v0.raw_env(
        rules=rules or RuleSet(), turn_clock=True, clock=clock, **keywords
    )
    env.reset(seed=0, options={"position": POSITION})
    return env, clock


def rack_sizes(env: raw_env) -> list[int]:
    return [len(rack) for rack in env.position().racks]


def test_a_late_action_is_not_performed_and_the_turn_is_timed_out() -> None:
    env, clock = timed()
    clock.now += 60
    env.step(R8)
    assert env.infos["player_0"] == {"event": "timed_out"}
    assert env.agent_selection == "player_1"
    # Nothing was laid: one tile by the official rules.
    assert rack_sizes(env) == [3, 2]


def test_an_action_just_in_time_is_performed() -> None:
    env, clock = timed()
    clock.now += 59.999
    assert env.seconds_left == pytest.approx(0.001)
    env.step(R8)
    env.step(END)
    assert env.infos["player_0"] == {"event": "laid"}
    assert rack_sizes(env) == [1, 2]


def test_tiles_laid_go_back_and_cost_the_penalty_for_them() -> None:
    env, clock = timed()
    env.step(R8)
    clock.now += 61
    assert env.seconds_left == 0
    env.step(END)
    assert env.infos["player_0"] == {"event": "timed_out"}
    assert rack_sizes(env) == [5, 2]
    assert env.position().to_dict()["table"] == "R5 R6 R7"


def test_the_actions_of_one_turn_share_its_time() -> None:
    env, clock = timed()
    clock.now += 40
    env.step(R8)
    assert env.seconds_left == 20
    clock.now += 20
    env.step(K1)
    assert env.infos["player_0"]["event"] == "timed_out"


@pytest.mark.parametrize("ending", ["drawn", "laid", "failed", "timed out", "out"])
def test_the_time_of_a_turn_begins_when_the_seat_becomes_the_mover(ending: str) -> None:
    env, clock = timed(RuleSet(rounds=2))
    clock.now += 59
    if ending == "laid":
        env.step(R8)
    elif ending == "failed":
        env.step(R5)
    elif ending == "timed out":
        env.time_out()
    elif ending == "out":
        env.reset(options={"position": "R5 R6 R7 ; R8 / B1 ; ? ; 0"})
        env.step(R8)
    if ending in ("drawn", "laid", "out"):
        env.step(END)
    assert env.seconds_left == 60
    clock.now += 59
    mover = env.agent_selection
    env.step(END)
    assert env.infos[mover] == {"event": "drew"}


def test_an_illegal_action_that_is_late_is_late_whatever_illegal_ones_lead_to() -> None:
    for on_illegal in ("penalty", "raise", "terminate"):
        env, clock = timed(on_illegal=on_illegal)
        clock.now += 60
        env.step(R5)
        assert env.infos["player_0"] == {"event": "timed_out"}
        assert not any(env.terminations.values())


def test_the_demand_for_a_new_deal_comes_too_late() -> None:
    clock = StoppedClock()
    rules = RuleSet.preset("official", redeal_on_three_pairs=True, rack_size=6)
    env = rummikub_v0.raw_env(rules=rules, turn_clock=True, clock=clock)
    env.reset(seed=0, options={"deal": "K1 K1 K2 K2 K3 K3 / R1 R2 R3 R4 R5 R6 ; ? ; 0"})
    clock.now += 60
    env.step(54)
    assert env.infos["player_0"] == {"event": "timed_out"}
    assert rack_sizes(env) == [6, 6]
    assert env.position().to_dict()["racks"][0] == "K1 K1 K2 K2 K3 K3"
    assert env.seconds_left == 60


def test_a_match_that_is_over_has_no_turn_to_time_out() -> None:
    env, clock = timed()
    env.reset(options={"position": "R5 R6 R7 ; R8 / R5"})
    env.step(R8)
    env.step(END)
    assert all(env.terminations.values())
    clock.now += 1_000
    env.step(None)
    env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("preset", RuleSet.presets())
def test_every_preset_has_its_own_time_and_penalties(preset: str) -> None:
    rules = RuleSet.preset(preset, joker_release="free", rounds=1)
    rules = rules.replace(manipulate_on_opening_turn=False, redeal_on_three_pairs=False)
    assert rules.turn_seconds is not None
    for played, penalty in (
        (False, rules.timeout_penalty),
        (True, rules.unfinished_penalty),
    ):
        env, clock = timed(rules)
        if played:
            env.step(R8)
        clock.now += rules.turn_seconds
        env.step(END)
        assert rack_sizes(env) == [2 + penalty, 2]


def test_without_a_clock_no_turn_is_timed_out() -> None:
    env = rummikub_v0.raw_env(rules=RuleSet(turn_seconds=0.000_001))
    env.reset(seed=0, options={"position": POSITION})
    assert env.seconds_left is None
    env.step(R8)
    assert env.infos["player_0"] == {"event": "played"}


def test_the_clock_is_that_of_the_system_by_default() -> None:
    rules = RuleSet(turn_seconds=0.000_001)
    env = rummikub_v0.env(rules=rules, turn_clock=True)
    env.reset(seed=0)
    env.step(END)
    assert env.infos[env.possible_agents[0]] | env.infos[env.possible_agents[1]] == {
        "event": "timed_out"
    }


@pytest.mark.parametrize("pickled", [False, True])
def test_copies_keep_the_seconds_that_the_turn_has_used(pickled: bool) -> None:
    env, clock = timed()
    clock.now += 50
    other: Any = pickle.loads(pickle.dumps(env)) if pickled else copy.deepcopy(env)
    clock.now += 5
    assert env.seconds_left == 5
    # The copy has a clock of its own, which has not moved.
    assert other.seconds_left == 10
    other._match.timer._clock.now += 10
    other.step(R8)
    assert other.infos["player_0"] == {"event": "timed_out"}


def test_loading_a_state_begins_the_time_of_its_turn() -> None:
    env, clock = timed()
    clock.now += 50
    saved = env.save_state()
    clock.now += 100
    env.load_state(saved)
    assert env.seconds_left == 60
    # The bytes do not tell when they were saved.
    assert env.save_state() == saved


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"turn_clock": 1}, "turn_clock must be True or False, not 1"),
        ({"turn_clock": True, "clock": 3.0}, "clock must be None or a function .* 3.0"),
        ({"clock": StoppedClock()}, "clock must be None unless turn_clock=True"),
        (
            {"turn_clock": True, "rules": RuleSet(turn_seconds=None)},
            "turn_clock must be False when turn_seconds of the rules is None",
        ),
    ],
)
def test_keywords_that_make_no_sense_are_refused(
    keywords: dict[str, Any], sentence: str
) -> None:
    for make in (rummikub_v0.raw_env, rummikub_v0.env, RummikubEnv):
        with pytest.raises(ValueError, match=sentence):
            make(**keywords)


# --------------------------------------------------------------------- the single seat


def single(
    position: str = POSITION, **keywords: Any
) -> tuple[RummikubEnv, StoppedClock]:
    clock = StoppedClock()
    env = gymnasium.make(
        "rummi/Rummikub-v0", turn_clock=True, clock=clock, seat=0, **keywords
    ).unwrapped
    assert isinstance(env, RummikubEnv)
    _, info = env.reset(seed=0, options={"position": position})
    assert info["event"] == ""
    return env, clock


def test_the_learner_is_told_that_its_turn_was_timed_out() -> None:
    env, clock = single()
    clock.now += 60
    *_, info = env.step(R8)
    assert info["event"] == "timed_out"
    assert env.current_turn().rack.sum() == 3
    assert env.seconds_left == 60
    *_, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert info["event"] != "timed_out"


def test_what_opponents_take_is_not_the_learners_time() -> None:
    def slow(observation: Any, mask: Any, turn: Turn, rng: Any) -> int:
        clock.now += 59
        return END

    three = POSITION.replace("B1 B2", "B1 B2 / O9")
    env, clock = single(three, opponents=[slow, slow])
    *_, info = env.step(END)
    assert info["event"] == "drew"
    assert env.seconds_left == 60


def test_an_opponent_that_thinks_too_long_is_timed_out_like_anybody() -> None:
    def late(observation: Any, mask: Any, turn: Turn, rng: Any) -> int:
        clock.now += 60
        return B1

    env, clock = single(
        opponents=[late], rules=RuleSet(timeout_penalty=2), render_mode="ansi"
    )
    env.step(END)
    shown = str(env.render())
    assert "last turn: failed" in shown
    assert "player_1   4 tiles" in shown
