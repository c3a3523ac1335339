"""Saving, loading, copying and pickling a match."""

import copy
import pickle
from collections.abc import Callable

import pytest

from rummi_env import RuleSet, rummikub_v0
from rummi_env.envs.aec import raw_env

Play = Callable[..., None]

MATCHES = [
    (RuleSet(), 2),
    (RuleSet.preset("online"), 3),
    (RuleSet(rounds=3, rack_size=4, numbers=6, starter="rotate"), 4),
    (RuleSet(redeal_on_three_pairs=True, unopened_penalty=(100, 200)), 2),
    (RuleSet.preset("sabra"), 2),
    (RuleSet.preset("triple_s", rack_size=6), 3),
    (RuleSet.preset("tournament", jokers_per_meld=1), 4),
]


def rest_of(env: raw_env, play: Play) -> tuple[list[bytes], object, object]:
    """Plays on for a while; returns all that can be seen of it."""
    states = []
    for step in range(60):
        states.append(env.save_state())
        play(env, step, actions=1)
    return states, env.rewards, env.score_sheet


@pytest.mark.parametrize(("rules", "num_players"), MATCHES)
def test_a_loaded_match_goes_on_as_the_saved_one(
    rules: RuleSet, num_players: int, play: Play
) -> None:
    env = rummikub_v0.raw_env(rules=rules, num_players=num_players)
    other = rummikub_v0.raw_env(rules=rules, num_players=num_players)
    env.reset(seed=1)
    play(env, actions=70)
    other.load_state(env.save_state())
    assert other.agent_selection == env.agent_selection
    assert other.score_sheet == env.score_sheet
    assert rest_of(other, play)[0] == rest_of(env, play)[0]
    assert other.score_sheet == env.score_sheet
    assert other.terminations == env.terminations


@pytest.mark.parametrize("rules", RuleSet.presets())
def test_a_loaded_match_is_shown_as_the_saved_one(rules: str, play: Play) -> None:
    env, other = (
        rummikub_v0.raw_env(rules=rules, render_mode="ansi") for _ in range(2)
    )
    env.reset(seed=3)
    for _ in range(3):
        play(env, actions=40)
        other.load_state(env.save_state())
        assert other.render() == env.render()
        # Once shown, the arrangement itself is saved.
        other.load_state(env.save_state())
        assert other.render() == env.render()


def test_the_deals_to_come_are_saved() -> None:
    rules = RuleSet(rack_size=1, rounds=2, starter=0)
    env, other = (rummikub_v0.raw_env(rules=rules) for _ in range(2))
    env.reset(seed=1, options={"deal": ["K1 / K13 ; ;", "O7 / O8 ; ;"]})
    other.reset(seed=2)
    other.load_state(env.save_state())
    for _ in range(2):
        other.step(53)
    assert other.position().to_dict()["racks"] == ["O7", "O8"]


def test_a_match_that_is_over_loads_as_over(play: Play) -> None:
    env, other = rummikub_v0.raw_env(), rummikub_v0.raw_env()
    env.reset(seed=5)
    play(env)
    other.load_state(env.save_state())
    assert all(other.terminations.values())
    assert other.score_sheet == env.score_sheet
    assert not other.observe("player_0")["action_mask"].any()


@pytest.mark.parametrize("preset", ["official", "triple_s"])
@pytest.mark.parametrize("method", ["copy", "pickle", "deepcopied pickle"])
def test_copies_go_on_alike_and_apart(method: str, preset: str, play: Play) -> None:
    rules = RuleSet.preset(preset, rounds=2)
    env = rummikub_v0.raw_env(num_players=3, rules=rules)
    env.reset(seed=8)
    play(env, actions=50)
    twin = env
    if "pickle" in method:
        twin = pickle.loads(pickle.dumps(env))
    if "cop" in method:
        twin = copy.deepcopy(twin)
    assert twin.rules == env.rules
    assert twin.save_state() == env.save_state()
    before = env.save_state()
    seen = rest_of(twin, play)
    assert env.save_state() == before
    assert rest_of(env, play) == seen
    # The chance of later matches is copied too.
    env.reset()
    twin.reset()
    assert twin.save_state() == env.save_state()


def test_rewards_not_collected_yet_are_copied() -> None:
    env = rummikub_v0.raw_env()
    env.reset(options={"position": "R5 R6 R7 ; R8 / R5"})
    env.step(20)
    env.step(53)
    twin = pickle.loads(pickle.dumps(env))
    assert twin.last()[1:3] == env.last()[1:3] == (5.0, True)


def test_an_environment_can_be_copied_before_it_is_reset() -> None:
    env = copy.deepcopy(rummikub_v0.env(num_players=4, rules="online"))
    env.reset(seed=0)
    assert env.num_agents == 4


def test_wrapped_environments_are_copied_with_their_match(play: Play) -> None:
    env = rummikub_v0.env()
    env.reset(seed=2)
    play(env, actions=20)
    raw, copied = env.unwrapped, copy.deepcopy(env).unwrapped
    assert isinstance(raw, raw_env)
    assert isinstance(copied, raw_env)
    assert copied.save_state() == raw.save_state()


def test_states_that_cannot_be_loaded_are_refused(play: Play) -> None:
    env = rummikub_v0.raw_env()
    env.reset(seed=1)
    play(env, actions=30)
    state = env.save_state()
    other = rummikub_v0.raw_env(rules="online")
    wrong_version = state[:4] + b"\x63\x00" + state[6:]
    damaged = bytearray(state)
    damaged[200] ^= 1
    for load, data, sentence in (
        (env, "text", "a saved state is bytes, not str"),
        (env, b"", "no saved state of Rummikub"),
        (env, b"x" * len(state), "no saved state of Rummikub"),
        (env, wrong_version, "has version 99, this package reads version 1"),
        (env, state[:-1], f"must have {len(state)} bytes, not {len(state) - 1}"),
        (env, state + b"\x00", f"must have {len(state)} bytes, not {len(state) + 1}"),
        (env, bytes(damaged), "checksum is wrong"),
        (other, state, r"other rules or another number of players .*'online'"),
    ):
        with pytest.raises(ValueError, match=sentence):
            load.load_state(data)  # type: ignore[arg-type]
    assert env.save_state() == state


def test_a_record_that_is_no_position_is_refused() -> None:
    env = rummikub_v0.raw_env()
    env.reset(seed=1)
    sound = env.save_state()
    for field, value in (
        ("seat", 2),
        ("phase", 3),
        ("round", 2),
        ("drawn", 107),
        ("pool_size", 107),
        ("table", 3),
        ("played", 1),
        ("known", 1),
        ("mask", 1),
    ):
        env.load_state(sound)
        env._match.games[field] = value
        bad = env.save_state()
        env.load_state(sound)
        with pytest.raises(ValueError, match="no position of these rules"):
            env.load_state(bad)


@pytest.mark.parametrize("sets", [(0, 0), (-1, 0), (1 << 52, 0), (1 << 25, 1 << 25)])
def test_a_record_whose_jokers_stand_for_nothing_is_refused(
    sets: tuple[int, int],
) -> None:
    rules = RuleSet.preset("sabra", numbers=6)
    env = rummikub_v0.raw_env(rules=rules)
    env.reset(seed=1, options={"position": "K1 K2 J ; R1 / R2"})
    sound = env.save_state()
    env.load_state(sound)
    env._match.games["joker_sets"] = sets
    with pytest.raises(ValueError, match="no position of these rules"):
        env.load_state(env.save_state())


def test_states_hold_no_pickle(play: Play) -> None:
    env = rummikub_v0.raw_env()
    env.reset(seed=1)
    play(env, actions=30)
    with pytest.raises(pickle.UnpicklingError):
        pickle.loads(env.save_state())


def test_before_the_first_match_there_is_nothing_to_save() -> None:
    env = rummikub_v0.raw_env()
    for ask in (env.save_state, lambda: env.determinize("player_0")):
        with pytest.raises(ValueError, match=r"^there is no match yet: call reset\(\)"):
            ask()
    env.reset(seed=1)
    with pytest.raises(
        ValueError, match=r"^seed must be a whole number from 0, not -4"
    ):
        env.determinize("player_0", -4)
    assert len(env.save_state()) == len(env.determinize("player_0", 4))
