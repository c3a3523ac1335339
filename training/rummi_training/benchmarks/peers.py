"""Games of other packages, played like ours: random legal play, observation and mask.

Each function returns what plays some decisions and tells how many those were.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from rummi_training.benchmarks.absent import imported

PGX_GAMES = 1024
"""Games that pgx plays side by side."""

PGX_STEPS = 64
"""Decisions of each of them in one compiled call."""

Play = Callable[[], int]


def open_spiel_gin_rummy(seed: int) -> Play:
    """OpenSpiel's gin_rummy with the tensor of the observation and the mask.

    Raises:
        AbsentPeer: OpenSpiel is not installed.
    """
    spiel = imported("pyspiel", "OpenSpiel", "open-spiel")
    game = spiel.load_game("gin_rummy")
    chance = random.Random(seed)

    def play_one() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, weights)[0])
                continue
            state.observation_tensor()
            mask = np.asarray(state.legal_actions_mask())
            state.apply_action(chance.choice(np.flatnonzero(mask).tolist()))
            decisions += 1
        return decisions

    return play_one


def rlcard_gin_rummy(seed: int) -> Play:
    """RLCard's gin-rummy; its states come with observation and legal actions.

    Raises:
        AbsentPeer: RLCard is not installed.
    """
    rlcard = imported("rlcard", "RLCard", "rlcard")
    env = rlcard.make("gin-rummy", config={"seed": seed})
    chance = random.Random(seed)

    def play_one() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(chance.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play_one


def pettingzoo_connect_four(seed: int) -> Play:
    """PettingZoo's connect_four without its wrappers.

    Raises:
        AbsentPeer: PettingZoo's classic games are not installed.
    """
    module = imported(
        "pettingzoo.classic.connect_four.connect_four",
        "PettingZoo's connect_four",
        "pettingzoo[classic]",
    )
    env = module.raw_env()
    chance = random.Random(seed)
    seeds = iter(range(seed, 2**31))

    def play_one() -> int:
        env.reset(seed=next(seeds))
        decisions = 0
        while not any(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(chance.choice(np.flatnonzero(mask).tolist()))
            decisions += 1
        return decisions

    return play_one


def pgx_sparrow_mahjong(seed: int) -> Play:
    """The sparrow_mahjong of pgx, the whole loop compiled by JAX.

    Raises:
        AbsentPeer: pgx or JAX is not installed.
    """
    jax = imported("jax", "JAX, for pgx's sparrow_mahjong,", "pgx")
    pgx = imported("pgx", "pgx's sparrow_mahjong", "pgx")
    wrappers = imported("pgx.experimental.wrappers", "pgx's sparrow_mahjong", "pgx")
    jnp = jax.numpy
    env = pgx.make("sparrow_mahjong")
    step = jax.vmap(wrappers.auto_reset(env.step, env.init))

    def one_step(carry, _):  # type: ignore[no-untyped-def]
        state, key = carry
        key, choice, chance = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(choice, logits)
        state = step(state, actions, jax.random.split(chance, PGX_GAMES))
        # What is not used would not be computed.
        return (state, key), state.observation.sum()

    @jax.jit
    def many_steps(state, key):  # type: ignore[no-untyped-def]
        return jax.lax.scan(one_step, (state, key), None, PGX_STEPS)

    key = jax.random.PRNGKey(seed)
    moment = [jax.jit(jax.vmap(env.init))(jax.random.split(key, PGX_GAMES)), key]

    def play_some() -> int:
        moment[:], sums = many_steps(*moment)
        sums.block_until_ready()
        return PGX_GAMES * PGX_STEPS

    return play_some


PEERS: dict[str, Callable[[int], Play]] = {
    "OpenSpiel gin_rummy": open_spiel_gin_rummy,
    "RLCard gin-rummy": rlcard_gin_rummy,
    "PettingZoo connect_four, raw": pettingzoo_connect_four,
    f"pgx sparrow_mahjong, {PGX_GAMES:,} games": pgx_sparrow_mahjong,
}
"""Names of the peers and what makes them."""
