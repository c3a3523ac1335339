"""The check of environments: PettingZoo's, Gymnasium's and vector ones."""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv
from pettingzoo import AECEnv

from rummi_env.core.errors import IllegalAction
from rummi_env.envs.aec import GameEnv
from rummi_env.testing.invariants import arrays_of, invariants, require
from rummi_env.testing.random_matches import random_play

KIT_CYCLES = 60
"""Actions in PettingZoo's own tests."""

STEPS = 200
"""Steps of environments for one learner."""

EVERY = 7
"""After so many actions an illegal one is tried, and what is hidden is guessed at."""


def check_env(env: Any, *, matches: int = 3, seed: int = 0) -> None:
    """Checks that an environment keeps to its interface and to itself.

    Of all: PettingZoo's or Gymnasium's own checks; matches of random legal actions come
    to an end; the same seed gives the same match; copies and pickles go on as the
    original does; illegal actions do what they should. Of our AEC environments also
    `invariants` after every action, and that a seat sees the same whatever is hidden
    from it.

    Args:
        env: an AEC environment of PettingZoo with masks, an environment of Gymnasium
            with ``info["action_mask"]``, or a vector environment with the same. What it
            was doing is lost.
        matches: how many matches are played.
        seed: of the first; those that follow have the numbers that follow.

    Raises:
        ComplianceError: something does not hold. The checks of PettingZoo and Gymnasium
            raise their own errors.
        TypeError: it is none of these.
    """
    if isinstance(env, AECEnv):
        _check_aec(env, matches, seed)
    elif isinstance(env, VectorEnv):
        _check_vector(env, seed)
    elif isinstance(env, gymnasium.Env):
        _check_single(env, seed)
    else:
        raise TypeError(
            "check_env takes an AEC environment of PettingZoo or an environment of "
            f"Gymnasium, not {type(env).__name__}"
        )


# ------------------------------------------------------------------------- PettingZoo


def _check_aec(env: Any, matches: int, seed: int) -> None:
    with _quiet():
        from pettingzoo.test.api_test import api_test
        from pettingzoo.test.seed_test import seed_test

        api_test(copy.deepcopy(env), num_cycles=KIT_CYCLES)
        seed_test(lambda: copy.deepcopy(env), num_cycles=KIT_CYCLES)
    watch = _Watch()
    for number in range(seed, seed + matches):
        played = random_play(env, number, watch=watch)
        again = random_play(env, number)
        require(played == again, f"two matches of seed {number} differ")
    for duplicate in (copy.deepcopy, _pickled):
        _check_copy(env, duplicate, seed)


class _Watch:
    """Looks at a match after every action, and tries what may go wrong."""

    def __init__(self) -> None:
        self._seen = 0

    def __call__(self, env: Any) -> None:
        invariants(env)
        self._seen += 1
        if self._seen % EVERY or not env.agents:
            return
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            return
        _try_illegal(env, agent)
        if isinstance(env.unwrapped, GameEnv):
            for seat in env.possible_agents:
                _check_hidden(env.unwrapped, seat)


def _try_illegal(env: Any, agent: str) -> None:
    """Performs an illegal action in a copy; it must be survived or refused."""
    mask = env.observe(agent)["action_mask"]
    illegal = np.flatnonzero(mask == 0)
    if not len(illegal):
        return
    other = copy.deepcopy(env)
    with _quiet():
        try:
            other.step(int(illegal[0]))
        except IllegalAction:
            same = np.array_equal(other.observe(agent)["action_mask"], mask)
            require(same, "an illegal action was refused, but has changed the mask")
            return
    for name in other.agents:
        space = other.observation_space(name)
        inside = space.contains(other.observe(name))
        require(inside, f"after an illegal action {name} sees what no space has")


def _check_hidden(raw: GameEnv, agent: str) -> None:
    """Draws anew what an agent cannot see; it must not see the difference."""
    match, seat = raw._match, raw.possible_agents.index(agent)
    guess = type(match)(match.rules, match.num_players, game=match.game.name)
    guess.load(raw.determinize(agent, seed=1))
    same = np.array_equal(guess.observation(seat), match.observation(seat))
    require(same, f"{agent} sees something of what is hidden from it")
    if seat == match.seat:
        same = np.array_equal(guess.mask, match.mask)
        require(same, f"the mask of {agent} tells something of what is hidden from it")


def _check_copy(env: Any, duplicate: Callable[[Any], Any], seed: int) -> None:
    """Plays on in a copy from the middle of a match."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(KIT_CYCLES // 2):
        if not _act(env, rng):
            return
    other = duplicate(env)
    chance = rng.bit_generator.state
    for _ in range(KIT_CYCLES):
        if not _act(env, rng):
            break
    rng.bit_generator.state = chance
    for _ in range(KIT_CYCLES):
        if not _act(other, rng):
            break
    require(
        env.agents == other.agents and env.agent_selection == other.agent_selection,
        "a copy goes on in another way than the original",
    )
    for agent in env.agents:
        require(
            _same(env.observe(agent), other.observe(agent)),
            f"{agent} sees something else in a copy than in the original",
        )


def _act(env: Any, rng: np.random.Generator) -> bool:
    agent = env.agent_selection
    if not env.agents or env.terminations[agent] or env.truncations[agent]:
        return False
    env.step(int(rng.choice(np.flatnonzero(env.observe(agent)["action_mask"]))))
    return True


# -------------------------------------------------------------------------- Gymnasium


def _check_single(env: Any, seed: int) -> None:
    from gymnasium.utils.env_checker import check_env as check_gymnasium_env

    with _quiet():
        check_gymnasium_env(env.unwrapped, skip_render_check=True)
    first, second = (_play_single(env, seed) for _ in range(2))
    require(first == second, f"two runs of seed {seed} differ")
    env.reset(seed=seed)
    for duplicate in (copy.deepcopy, _pickled):
        other = duplicate(env)
        same = _play_single(other, None) == _play_single(copy.deepcopy(env), None)
        require(same, "a copy goes on in another way than the original")


def _play_single(env: Any, seed: int | None) -> list[Any]:
    """Plays some steps; returns all that was seen and paid."""
    rng = np.random.default_rng(0)
    seen, info = env.reset(seed=seed)
    lines: list[Any] = []
    for _ in range(STEPS):
        mask = info["action_mask"]
        require(env.observation_space.contains(seen), "an observation leaves its space")
        require(mask.any(), "the learner is to move and has no legal action")
        masks = getattr(env.unwrapped, "action_masks", None)
        if masks is not None:
            same = np.array_equal(masks(), mask.astype(bool))
            require(same, "action_masks() and the info disagree")
        seen, reward, over, cut, info = env.step(int(rng.choice(np.flatnonzero(mask))))
        lines.append(([a.tolist() for a in arrays_of(seen)], reward, over, cut))
        if over or cut:
            legal = info["action_mask"].any()
            require(not legal, "the match is over, but an action is legal")
            seen, info = env.reset()
    return lines


def _check_vector(envs: Any, seed: int) -> None:
    first, second = (_play_vector(envs, seed) for _ in range(2))
    require(first == second, f"two runs of seed {seed} differ")


def _play_vector(envs: Any, seed: int) -> list[Any]:
    rng = np.random.default_rng(0)
    seen, info = envs.reset(seed=seed)
    lines: list[Any] = []
    ended = np.zeros(envs.num_envs, np.bool_)
    for _ in range(STEPS):
        require(
            envs.observation_space.contains(seen), "an observation leaves its space"
        )
        masks = info["action_mask"]
        legal = masks.any(axis=1)
        require((legal | ended).all(), "a learner is to move and has no legal action")
        drawn = rng.random(masks.shape) * masks
        seen, rewards, overs, cuts, info = envs.step(drawn.argmax(axis=1))
        ended = overs | cuts
        values = [array.tolist() for array in arrays_of(seen)]
        lines.append((values, rewards.tolist(), overs.tolist(), cuts.tolist()))
    return lines


# ---------------------------------------------------------------------------- helping


def _same(one: Any, other: Any) -> bool:
    pairs = zip(arrays_of(one), arrays_of(other), strict=True)
    return all(np.array_equal(mine, theirs) for mine, theirs in pairs)


def _pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keeps the kits from printing, and from warning of what all masks bring."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        for said in (
            "Observation is not a NumPy array",
            "Observation space for each agent probably should be",
            "Action mask numpy array is all zeros",
            "Casting input x to numpy array",
            "The old environment creation API",
        ):
            warnings.filterwarnings("ignore", message=f".*{said}")
        yield
