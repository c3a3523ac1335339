"""How many decisions our environments make, with random legal play.

Every decision counts, whoever's it is, and each is given its observation and its mask.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from rummi_env.envs.batch import Batch

SPREAD_GAMES = 64
SPREAD_STEPS = 300
"""A batch is filled from this many games after so many decisions of each and more, when
some are in their first turns and some near their end, as they are later on."""

SNAPSHOT_EVERY = 8
"""Decisions after which the games that a batch is filled from count as others."""


def raw_env(game: str, players: int = 2) -> Any:
    """Makes our PettingZoo environment of a game, by the game's name."""
    return import_module(f"rummi_env.{game}_v0").raw_env(num_players=players)


def raw_env_games(players: int, seed: int, game: str = "rummikub") -> Callable[[], int]:
    """Returns what plays one match after the other in our PettingZoo environment.

    Args:
        players: how many play.
        seed: of matches and choices.
        game: what is played.
    """
    env = raw_env(game, players)
    chance = random.Random(seed)
    seeds = iter(range(seed, 2**62))

    def play_one() -> int:
        env.reset(seed=next(seeds))
        decisions = 0
        while not any(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(chance.choice(np.flatnonzero(mask).tolist()))
            decisions += 1
        return decisions

    return play_one


def batch_steps(
    games: int, threads: int, players: int, seed: int, game: str = "rummikub"
) -> Callable[[], int]:
    """Returns what makes one decision in every game of a batch, all seats ours.

    Args:
        games: how many.
        threads: of the batch.
        players: how many play each game.
        seed: of matches and choices.
        game: what is played.
    """
    rng = np.random.default_rng(seed)
    batch = Batch(games, game=game, num_players=players, threads=threads, copy=False)
    batch.reset(seed=seed)
    source = _at_all_stages(game, players, seed)
    for first in range(0, games, SPREAD_GAMES):
        rows = np.arange(first, min(first + SPREAD_GAMES, games))
        batch.copy_games(rows - first, rows, of=source)
        for _ in range(SNAPSHOT_EVERY):
            source.step(legal(source.out.masks, rng))

    def step() -> int:
        before = int(batch.out.decisions.sum())
        batch.step(legal(batch.out.masks, rng))
        return int(batch.out.decisions.sum()) - before

    return step


@cache
def _at_all_stages(game: str, players: int, seed: int) -> Batch:
    """Returns games of which some are near their end and some near their start."""
    rng = np.random.default_rng(seed)
    source = Batch(SPREAD_GAMES, game=game, num_players=players, copy=False)
    source.reset(seed=seed)
    for _ in range(SPREAD_STEPS * players // 2):
        source.step(legal(source.out.masks, rng))
    return source


def legal(
    masks: np.ndarray[tuple[int, ...], np.dtype[np.int8]], rng: np.random.Generator
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Chooses one of the legal actions of every game, int64[games]."""
    drawn = rng.random(masks.shape, np.float32) * masks
    chosen: np.ndarray[tuple[int, ...], np.dtype[np.int64]] = drawn.argmax(axis=1)
    return chosen
