"""Histories: all that a seat has seen, public and private parts apart."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

from rummi_env import RuleSet, rummikub_v0, rummy_v0, tabla_v0
from rummi_env.envs.aec import GameEnv
from rummi_env.observation.history import ACTOR, NO_ACTION, latest

SMALL = RuleSet(numbers=6, colors=3, rack_size=5, opening_points=8, rounds=2)

GAMES: list[tuple[Any, dict[str, Any]]] = [
    (rummikub_v0, {"rules": SMALL}),
    (rummikub_v0, {"rules": "sabra", "num_players": 3}),
    (rummikub_v0, {"rules": "tournament", "num_players": 4}),
    (rummy_v0, {}),
    (rummy_v0, {"rules": "straight_gin"}),
    (rummy_v0, {"rules": "pagat", "num_players": 4}),
    (tabla_v0, {"num_players": 3}),
]

games = pytest.mark.parametrize(("module", "keywords"), GAMES)

Play = Any
Rows = npt.NDArray[np.float32]


def started(module: Any, keywords: dict[str, Any], seed: int = 3) -> GameEnv:
    env: GameEnv = module.raw_env(obs_type="history", **keywords)
    env.reset(seed=seed)
    return env


def some_actions(env: GameEnv, number: int, illegal_every: int = 0) -> list[str]:
    """Play random actions; return who acted."""
    rng = np.random.default_rng(1)
    actors = []
    for turn in range(number):
        agent = env.agent_selection
        if env.terminations[agent]:
            break
        mask = env.observe(agent)["action_mask"]
        wanted = 0 if illegal_every and turn % illegal_every == 1 else 1
        env.step(int(rng.choice(np.flatnonzero(mask == wanted))))
        actors.append(agent)
    return actors


def histories(env: GameEnv) -> list[dict[str, Any]]:
    return [env.observe(agent)["observation"] for agent in env.possible_agents]


@games
def test_a_history_has_a_row_for_every_action_and_lies_in_its_space(
    module: Any, keywords: dict[str, Any]
) -> None:
    env = started(module, keywords)
    actors = some_actions(env, 60, illegal_every=9)
    assert env.history is not None
    for agent, seen in zip(env.possible_agents, histories(env), strict=True):
        assert env.observation_space(agent)["observation"].contains(seen)  # type: ignore[index]
        assert len(seen["public"]) == len(seen["private"]) == len(actors) + 1
        own = seen["actions"] != NO_ACTION
        assert own.tolist() == [False, *(actor == agent for actor in actors)]
        acted = seen["public"][:, env.history.rows.public[ACTOR].slice]
        assert acted[0].sum() == 0
        seats = [env.possible_agents.index(actor) for actor in actors]
        assert acted[1:].argmax(axis=1).tolist() == seats


@games
def test_the_public_part_is_the_same_for_all_and_each_could_have_written_it(
    module: Any, keywords: dict[str, Any]
) -> None:
    env = started(module, keywords)
    assert env.history is not None
    for _ in range(25):
        some_actions(env, 4, illegal_every=3)
        first, *others = histories(env)
        for other in others:
            assert np.array_equal(other["public"], first["public"])
        row = first["public"][-1]
        for seat in range(env.num_players):
            flat = env._match.observation(seat)
            for name, part in env._fields.items():
                if name not in env.history.rows.public:
                    continue
                values = flat[part.slice].reshape(part.shape)
                public = env.history.rows.public[name]
                known = row[public.slice].reshape(public.shape)
                # Counted from the observer on, as far as it counts players.
                for axis, length in enumerate(public.shape):
                    players = env.num_players
                    by_player = axis == 0 and name != "phase"
                    if length == players and (by_player or name == "exchanges"):
                        known = np.roll(known, -seat, axis)
                if public.shape != part.shape:
                    known = known[1:]
                assert np.array_equal(values, known), (name, seat)


@games
def test_the_latest_row_says_what_the_flat_observation_says(
    module: Any, keywords: dict[str, Any]
) -> None:
    env = started(module, keywords)
    some_actions(env, 40)
    assert env.history is not None
    rows = env.history.rows
    in_rows = {ACTOR, *env._fields}
    assert {*rows.public, *rows.private} == in_rows
    assert not set(rows.public) & set(rows.private)
    for seat, seen in enumerate(histories(env)):
        flat = env._match.observation(seat)
        for name, part in rows.private.items():
            value = seen["private"][-1, part.slice]
            assert np.array_equal(value, flat[env._fields[name].slice])


@games
def test_nothing_hidden_is_in_a_history(module: Any, keywords: dict[str, Any]) -> None:
    env = started(module, keywords)
    some_actions(env, 20)
    agent = env.possible_agents[1]
    guess = started(module, keywords, seed=99)
    env.load_state(env.save_state())
    guess.load_state(env.determinize(agent, seed=5))
    # From here on both have seen the same; seat 1 alone can tell.
    mine, theirs = (one.observe(agent)["observation"] for one in (env, guess))
    for part in ("public", "private", "actions"):
        assert np.array_equal(mine[part], theirs[part])
        assert len(mine[part]) == 1


@games
def test_nothing_that_was_seen_is_forgotten(
    module: Any, keywords: dict[str, Any]
) -> None:
    env = started(module, keywords)
    before = histories(env)
    for _ in range(10):
        some_actions(env, 5)
        now = histories(env)
        for old, new in zip(before, now, strict=True):
            for part, rows in old.items():
                assert np.array_equal(new[part][: len(rows)], rows)
        before = now
    env.reset(seed=4)
    assert len(env.observe("player_0")["observation"]["public"]) == 1


def test_what_is_returned_belongs_to_the_caller() -> None:
    env = started(rummikub_v0, {"rules": SMALL})
    some_actions(env, 5)
    seen = env.observe("player_0")["observation"]
    kept = copy.deepcopy(seen)
    seen["public"][:] = -1
    again = env.observe("player_0")["observation"]
    assert np.array_equal(again["public"], kept["public"])


@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
)
def test_copies_go_on_with_their_own_history(duplicate: Any) -> None:
    env = started(rummikub_v0, {"rules": SMALL})
    some_actions(env, 7)
    other = duplicate(env)
    some_actions(env, 6)
    assert len(other.observe("player_0")["observation"]["public"]) == 8
    some_actions(other, 6)
    for mine, theirs in zip(histories(env), histories(other), strict=True):
        assert np.array_equal(mine["public"], theirs["public"])
        assert np.array_equal(mine["private"], theirs["private"])


def test_the_single_seat_sees_the_actions_of_its_opponents_too() -> None:
    env: Any = gymnasium.make(
        "rummi/Rummikub-v0", rules=SMALL, obs_type="history", seat=1
    ).unwrapped
    seen, info = env.reset(seed=3)
    # Seat 0 had its turn first.
    assert len(seen["public"]) > 1
    over = False
    while not over:
        action = int(info["action_mask"].argmax())
        seen, _, over, _, info = env.step(action)
        assert env.observation_space.contains(seen)
    rows = env.history.rows
    actors = seen["public"][:, rows.public[ACTOR].slice]
    assert (actors.sum(axis=0) > 3).all()
    assert np.array_equal(actors[:, 1] == 1, seen["actions"] != NO_ACTION)


@pytest.mark.filterwarnings(
    # Said of all observations that are no arrays, and of the masks of those who wait.
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Action mask numpy array is all zeros:UserWarning",
)
@pytest.mark.parametrize("module", [rummikub_v0, rummy_v0, tabla_v0])
def test_the_kits_of_pettingzoo_and_gymnasium_accept_histories(module: Any) -> None:
    api_test(module.env(obs_type="history"), num_cycles=40)
    seed_test(lambda: module.env(obs_type="history"), num_cycles=40)
    name = module.raw_env.game.capitalize()
    env = gymnasium.make(f"rummi/{name}-v0", obs_type="history")
    check_env(env.unwrapped)


def test_compiled_batches_say_that_they_have_none() -> None:
    with pytest.raises(ValueError, match="obs_type must be 'flat' or 'dict' for"):
        gymnasium.make_vec("rummi/Rummikub-v0", num_envs=2, obs_type="history")


def test_the_last_rows_fit_an_array_of_fixed_length() -> None:
    rows = np.arange(6, dtype=np.float32).reshape(3, 2)
    kept, there = latest(rows, 2)
    assert kept.tolist() == [[2, 3], [4, 5]]
    assert there.tolist() == [True, True]
    kept, there = latest(rows, 5)
    assert kept.tolist() == [[0, 0], [0, 0], [0, 1], [2, 3], [4, 5]]
    assert there.tolist() == [False, False, True, True, True]
    with pytest.raises(ValueError, match="length must be 1 or more, not 0"):
        latest(rows, 0)
