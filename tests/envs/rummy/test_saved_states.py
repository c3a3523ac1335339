"""Saving, loading, copying and guessing at a match of Rummy."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rummi_env import RummyRules, rummikub_v0, rummy_v0
from rummi_env.envs.match import Match
from rummi_env.envs.start import Start
from rummi_env.observation import by_name
from rummi_env.observation.rummy import state_fields

Play = Callable[..., None]

MATCHES = [
    (RummyRules(), 2),
    (RummyRules(rack_size=4, ace="corner", max_recycles=5, hands=4), 6),
    (RummyRules.preset("pagat", ace="both"), 3),
    (RummyRules.preset("block"), 4),
    (RummyRules.preset("straight_gin"), 2),
]


def rest_of(env: rummy_v0.raw_env, play: Play) -> tuple[list[bytes], object, object]:
    """Plays on for a while; returns all that can be seen of it."""
    states = []
    for step in range(60):
        states.append(env.save_state())
        play(env, step, actions=3)
    return states, env.rewards, env.score_sheet


@pytest.mark.parametrize(("rules", "num_players"), MATCHES)
def test_a_loaded_match_goes_on_as_the_saved_one(
    rules: RummyRules, num_players: int, play: Play
) -> None:
    env, other = (
        rummy_v0.raw_env(rules=rules, num_players=num_players, render_mode="ansi")
        for _ in range(2)
    )
    env.reset(seed=1)
    play(env, actions=150)
    other.load_state(env.save_state())
    assert other.agent_selection == env.agent_selection
    assert other.render() == env.render()
    assert rest_of(other, play)[0] == rest_of(env, play)[0]
    assert other.score_sheet == env.score_sheet
    assert other.terminations == env.terminations


def test_a_match_that_is_over_loads_as_over(play: Play) -> None:
    env, other = (rummy_v0.raw_env(rules=RummyRules(hands=1)) for _ in range(2))
    env.reset(seed=5)
    play(env)
    other.load_state(env.save_state())
    assert all(other.terminations.values())
    assert other.score_sheet == env.score_sheet


@pytest.mark.parametrize("method", ["copy", "pickle"])
def test_copies_go_on_alike_and_apart(method: str, play: Play) -> None:
    env = rummy_v0.raw_env(num_players=3)
    env.reset(seed=8)
    play(env, actions=50)
    twin = pickle.loads(pickle.dumps(env))
    if method == "copy":
        twin = copy.deepcopy(env)
    before = env.save_state()
    assert twin.save_state() == before
    seen = rest_of(twin, play)
    assert env.save_state() == before
    assert rest_of(env, play) == seen
    env.reset()
    twin.reset()
    assert twin.save_state() == env.save_state()


def test_states_that_cannot_be_loaded_are_refused(play: Play) -> None:
    env = rummy_v0.raw_env()
    env.reset(seed=1)
    play(env, actions=30)
    state = env.save_state()
    damaged = bytearray(state)
    damaged[-1] ^= 1
    rummikub = rummikub_v0.raw_env()
    rummikub.reset(seed=1)
    load: Any = env.load_state
    for data, sentence in (
        (5, "a saved state is bytes, not int"),
        (rummikub.save_state(), "no saved state of Rummy"),
        (state[:10], "no saved state of Rummy"),
        (state[:-1], f"must have {len(state)} bytes, not {len(state) - 1}"),
        (bytes(damaged), "checksum is wrong"),
    ):
        with pytest.raises(ValueError, match=sentence):
            load(data)
    with pytest.raises(ValueError, match="no saved state of Rummikub"):
        rummikub.load_state(state)
    other = rummy_v0.raw_env(num_players=3)
    with pytest.raises(ValueError, match="other rules or another number of players"):
        other.load_state(state)
    assert env.save_state() == state


FAULTS: list[tuple[str, Any]] = [
    ("seat", 2),
    ("starter", -1),
    ("phase", 3),
    ("round", 1001),
    ("turn", 401),
    ("melds", -1),
    ("recycles", 3),
    ("pool_size", 53),
    ("row_size", -1),
    ("taken", 52),
    ("melded", 2),
    ("laid", 53),
    ("pool", 52),
    ("pool", 0),
    ("row", 52),
    ("racks", 1),
    ("racks", 1 << 52),
    ("known", (1 << 52) - 1),
    ("groups", 1 | 1 << 13),
    ("groups", 1 | 1 << 13 | 1 << 26),
    ("gaps", 1),
    ("runs", 7),
    ("run_starts", 1),
    ("run_ends", 4),
    ("laid_now", 1),
    ("recycled", 1 << 52),
    ("mask", 1),
]


@pytest.mark.parametrize(("field", "value"), FAULTS)
def test_a_record_that_is_no_position_is_refused(field: str, value: Any) -> None:
    match = Match("basic", 2, game="rummy")
    match.start(1, Start())
    sound = match.save()
    match.games[field] = value
    bad = match.save()
    match.load(sound)
    with pytest.raises(ValueError, match="no position of these rules"):
        match.load(bad)
    assert match.save() == sound


@pytest.mark.parametrize(
    "runs",
    [
        # Q K A 2 goes on after the king; A 2 ends too early; K begins no run.
        {"runs": 0b1100000000011, "run_starts": 1 << 11, "run_ends": 2},
        {"runs": 0b11, "run_starts": 1, "run_ends": 2},
        {"runs": 0b1000000000011, "run_starts": 1 << 12, "run_ends": 2},
        {"runs": 0b1111, "run_starts": 1, "run_ends": 4},
        {"runs": 0b111, "run_starts": 1, "run_ends": 0},
    ],
)
def test_a_table_with_broken_runs_is_refused(runs: dict[str, int]) -> None:
    match = Match("basic", 2, game="rummy")
    match.start(1, Start())
    sound = match.save()
    cards = np.uint64(runs["runs"])
    match.games["racks"] &= ~cards
    for name in ("pool", "row"):
        size = int(match.games[f"{name}_size"][0])
        cards_there = match.games[name][0, :size].tolist()
        kept = [card for card in cards_there if not runs["runs"] >> card & 1]
        match.games[name][0, : len(kept)] = kept
        match.games[f"{name}_size"] = len(kept)
    match.engine.refresh(match.games, 0)
    plain = match.save()
    for name, value in runs.items():
        match.games[name] = value
    broken = match.save()
    match.load(plain)
    match.load(sound)
    with pytest.raises(ValueError, match="no position of these rules"):
        match.load(broken)


@pytest.mark.parametrize(("rules", "num_players"), MATCHES)
def test_guesses_agree_with_all_that_a_seat_sees(
    rules: RummyRules, num_players: int, play: Play
) -> None:
    env, guess = (
        rummy_v0.raw_env(rules=rules, num_players=num_players) for _ in range(2)
    )
    env.reset(seed=num_players)
    for step in range(10):
        play(env, step, actions=13)
        if env.terminations[env.agent_selection]:
            break
        for agent in env.agents:
            states = [env.determinize(agent, seed) for seed in (0, 1, 0)]
            assert states[0] == states[2] != states[1]
            for state in states[:2]:
                guess.load_state(state)
                seen, guessed = env.observe(agent), guess.observe(agent)
                assert (seen["observation"] == guessed["observation"]).all()
                assert (seen["action_mask"] == guessed["action_mask"]).all()
                assert guess.agent_selection == env.agent_selection
                cards = [*guess.position().pool, *guess.position().row]
                cards += [c for rack in guess.position().racks for c in rack]
                cards += [c for meld in guess.position().table for c in meld]
                assert sorted(cards) == list(range(52))


def test_guesses_leave_no_trace_of_what_is_hidden() -> None:
    states: list[bytes] = []
    for hidden in ("2h 3h ; 9d ; Ah 2s 3d", "Ah 3d ; 9d ; 2s 3h 2h"):
        env = rummy_v0.raw_env()
        position = f"; 8s 2c 3c 4c Kd / {hidden} ; 0"
        env.reset(seed=len(states), options={"position": position})
        states.append(env.determinize("player_0", 5))
    assert states[0] == states[1]


def test_the_state_holds_what_is_hidden(play: Play) -> None:
    env = rummy_v0.raw_env(num_players=3)
    env.reset(seed=2)
    for _ in range(5):
        play(env, actions=10)
        assert env.state_space.contains(env.state())
        parts = by_name(env.state(), state_fields(env.rules, env.num_players))
        position = env.position()
        for row, rack in zip(parts["racks"], position.racks[1:], strict=True):
            assert tuple(np.flatnonzero(row)) == rack
        assert set(np.flatnonzero(parts["pool"])) == set(position.pool)
        assert parts["next_cards"].argmax(1).tolist() == list(position.pool[:3])


def test_an_unknown_agent_is_refused() -> None:
    env = rummy_v0.raw_env()
    env.reset(seed=0)
    for method in (env.determinize, env.observe):
        with pytest.raises(ValueError, match="no agent 'player_2', only player_0, pl"):
            method("player_2")
