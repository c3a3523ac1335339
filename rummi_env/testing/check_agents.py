"""The check of players."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from rummi_env.core.options import GameRules
from rummi_env.envs.game import game_named
from rummi_env.envs.match import Match
from rummi_env.envs.opponents import Agent, BatchAgent, decision, reset_player
from rummi_env.envs.start import Start
from rummi_env.testing.invariants import require


def check_agent(
    agent: Any,
    *,
    game: str = "rummikub",
    rules: GameRules | str | None = None,
    num_players: int = 2,
    matches: int = 4,
    seed: int = 0,
) -> None:
    """Checks that a player keeps to what is asked of one.

    It plays matches against random players, on every seat. Its actions must be legal,
    it must leave the observation and the mask as they are, and the same generator of
    random numbers must make it play the same match again. One with ``act_batch`` too
    must choose legally for many games at once.

    Args:
        agent: a player with a method ``act`` or ``act_batch``; see
            `rummi_env.envs.opponents`.
        game: what it is to play.
        rules: the rules, or the name of a preset; by default the game's first.
        num_players: how many play.
        matches: how many matches are played, on one seat after the other.
        seed: of the first; those that follow have the numbers that follow.

    Raises:
        ComplianceError: something does not hold.
        TypeError: it is no player.
        ValueError: there is no such game, or the rules do not go with the players.
    """
    if isinstance(agent, type) or not isinstance(agent, Agent | BatchAgent):
        raise TypeError(
            "a player has a method act(observation, mask, turn, rng) or "
            f"act_batch(observations, masks, rng), and {agent!r} has none"
        )
    games = getattr(agent, "games", None)
    require(
        games is None or game in games,
        f"the player says that it plays {games}, so not {game}",
    )
    chosen = game_named(game).rules_of(rules)
    match = Match(chosen, num_players, game=game)
    for number in range(matches):
        seat = number % num_players
        first, second = (_play(agent, match, seat, seed + number) for _ in range(2))
        require(
            first == second,
            f"the same random numbers gave two matches (seed {seed + number}): chance "
            "must come from rng alone, and reset() must forget what was before",
        )
        require(len(first), "the player was never asked")


def _play(agent: Any, match: Match, seat: int, seed: int) -> list[int]:
    """Plays one match; returns what the player did."""
    others, own = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
    reset_player(agent)
    match.start(seed, Start())
    done: list[int] = []
    while not match.over:
        if match.seat == seat:
            action = _ask(agent, match, own)
            done.append(action)
        else:
            action = int(others.choice(np.flatnonzero(match.mask)))
        match.act(action)
    return done


def _ask(agent: Any, match: Match, rng: np.random.Generator) -> int:
    observation, mask = match.observation(match.seat), match.mask.copy()
    seen, legal = observation.copy(), mask.copy()
    state = match.save()
    action = decision(agent, observation, mask, match.turn(), rng)
    try:
        chosen = index(action)
    except TypeError:
        chosen = -1
    allowed = np.flatnonzero(legal)
    require(
        0 <= chosen < len(legal) and legal[chosen],
        f"the player chose {action!r}; legal are {allowed.tolist()}",
    )
    require(np.array_equal(observation, seen), "the player changed the observation")
    require(np.array_equal(mask, legal), "the player changed the mask")
    require(match.save() == state, "the player changed the match")
    if isinstance(agent, BatchAgent):
        _ask_for_many(agent, seen, legal)
    return chosen


def _ask_for_many(agent: BatchAgent, seen: Any, legal: Any) -> None:
    """Asks for three games alike at once."""
    chosen = np.asarray(
        agent.act_batch(
            np.stack([seen] * 3), np.stack([legal] * 3), np.random.default_rng(0)
        )
    )
    require(
        chosen.shape == (3,) and chosen.dtype.kind in "iu",
        f"act_batch must return three whole numbers for three games, not {chosen!r}",
    )
    require(
        legal[chosen].all(), f"act_batch chose {chosen.tolist()}; not all are legal"
    )
