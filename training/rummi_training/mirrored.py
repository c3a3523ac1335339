"""Mirrored deals: the same deals are played once for every rotation of the seats.

So every agent plays every rack, and luck with the deal falls out of each comparison.
Chance within a game hangs on the deal and the seat, not on who sits there: an agent
against itself plays the very same games and comes out even, exactly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from rummi_agents import Agent, make_agent
from rummi_agents.neural import CHECKPOINTS, load_agent
from rummi_agents.protocol import reset
from rummi_agents.registry import is_checkpoint
from rummi_env.core.deals import Deal, format_deal, parse_deal
from rummi_env.core.rulesets import MAX_PLAYERS, RuleSet
from rummi_env.core.tiles import tiles_of
from rummi_env.envs.match import Match
from rummi_env.envs.start import Start
from rummi_env.games.rummikub.engine import Engine
from rummi_env.games.rummikub.scripted import SCRIPTED

Player: TypeAlias = str | Agent
"""A player ready to play: the name of a baseline played compiled, or an agent."""


# What a seed is for; the numbers below are those of the seats, for their agents.
_DEAL, _GAME = MAX_PLAYERS, MAX_PLAYERS + 1


@dataclass(frozen=True)
class Game:
    """The outcome of one round."""

    deal: int
    """Which deal."""

    rotation: int
    """How far the agents were rotated: agent 0 sat on this seat."""

    scores: tuple[float, ...]
    """Score of every agent."""

    wins: tuple[float, ...]
    """Share of every agent in having won; with a tie the winners have equal parts."""

    turns: int
    """How many turns it took."""

    decisions: int
    """How many decisions it took."""


def make_player(spec: str, device: str = "cpu") -> Player:
    """Makes a player from a name, a checkpoint or ``module:Class``.

    Raises:
        ValueError: there is no such player.
    """
    if spec in SCRIPTED:
        return spec
    return load_agent(spec, device) if is_checkpoint(spec) else make_agent(spec)


def labels_of(specs: Sequence[str]) -> tuple[str, ...]:
    """Returns a name for every agent, no two alike."""
    return unalike([_label(spec) for spec in specs])


def unalike(names: Sequence[str]) -> tuple[str, ...]:
    """Numbers those names that come more than once, from the second on."""
    counts = [names[: index + 1].count(name) for index, name in enumerate(names)]
    return tuple(
        name if count == 1 else f"{name} ({count})"
        for name, count in zip(names, counts, strict=True)
    )


def _label(spec: str) -> str:
    if not is_checkpoint(spec):
        return spec
    path = Path(spec).resolve()
    if path.parent.name == CHECKPOINTS and path.name.isdigit():
        return f"{path.parents[1].name}@{int(path.name)}"
    return path.name


def one_round(rules: RuleSet) -> RuleSet:
    """Returns the same rules with matches of one round, which is what is compared."""
    return rules.replace(rounds=1)


def draw_deals(rules: RuleSet, num_players: int, number: int, seed: int) -> list[Deal]:
    """Returns deals as the game deals them, always the same for a seed."""
    engine = Engine(one_round(rules), num_players)
    games = engine.new_games(1)
    deals = []
    for index in range(number):
        engine.start(games, 0, _chance(seed, index, _DEAL))
        game = games[0]
        deals.append(
            Deal(
                racks=tuple(tiles_of(rack) for rack in game["racks"][:num_players]),
                pool=tuple(game["pool"][game["drawn"] : game["pool_size"]].tolist()),
                pool_rest=False,
                starter=int(game["starter"]),
            )
        )
    return deals


def deals_text(deals: Iterable[Deal]) -> str:
    """Returns deals as text, one in each line."""
    return "".join(f"{format_deal(deal)}\n" for deal in deals)


def read_deals(path: Path, rules: RuleSet, num_players: int) -> list[Deal]:
    """Reads what `deals_text` writes.

    Raises:
        ValueError: the file is missing or empty, or a line is no deal of these rules.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
    deals = []
    for number, line in enumerate(lines, start=1):
        try:
            deals.append(parse_deal(line, rules, num_players))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
    if not deals:
        raise ValueError(f"{path} has no deals")
    return deals


def digest(deals: Iterable[Deal]) -> str:
    """Returns a hash that tells lists of deals apart, in hexadecimal digits."""
    return hashlib.sha256(deals_text(deals).encode()).hexdigest()


def play_mirrored(
    players: Sequence[Player],
    rules: RuleSet,
    deals: Iterable[tuple[int, Deal]],
    seed: int,
) -> Iterator[list[Game]]:
    """Plays deals, each once for every rotation of the seats.

    Args:
        players: who plays.
        rules: the rules; matches are of one round.
        deals: numbers of deals and the deals.
        seed: of all chance in the games.

    Yields:
        The games of one deal.

    Raises:
        ValueError: a player cannot play under these rules, or chose an illegal action.
    """
    match = Match(one_round(rules), len(players))
    for index, deal in deals:
        yield [
            _play(match, players, index, deal, rotation, seed)
            for rotation in range(len(players))
        ]


def _play(
    match: Match,
    players: Sequence[Player],
    index: int,
    deal: Deal,
    rotation: int,
    seed: int,
) -> Game:
    number = len(players)
    seated = [players[(seat - rotation) % number] for seat in range(number)]
    sources = [np.random.default_rng([seed, index, seat]) for seat in range(number)]
    for player in players:
        if not isinstance(player, str):
            reset(player)
    match.start(_chance(seed, index, _GAME), Start(deals=(deal,)))
    decisions = 0
    while not match.over:
        seat = match.seat
        player = seated[seat]
        if isinstance(player, str):
            action = match.engine.scripted_action(match.games, 0, player)
        else:
            action = _choose(match, player, sources[seat])
        match.act(action)
        decisions += 1
    game = match.games[0]
    order = [(agent + rotation) % number for agent in range(number)]
    return Game(
        deal=index,
        rotation=rotation,
        scores=tuple(float(game["scores"][seat]) for seat in order),
        wins=tuple(float(game["rounds_won"][seat]) for seat in order),
        turns=int(game["turn"]),
        decisions=decisions,
    )


def _choose(match: Match, player: Agent, source: np.random.Generator) -> int:
    action = int(
        player.act(
            match.observation(match.seat), match.mask.copy(), match.turn(), source
        )
    )
    if not 0 <= action < len(match.mask) or not match.mask[action]:
        raise ValueError(
            f"{player.name} chose an action that the mask has not: {action}"
        )
    return action


def _chance(seed: int, index: int, use: int) -> int:
    """Returns a seed for one deal: of the deal itself, or of chance in its games."""
    sequence = np.random.SeedSequence([seed, index, use])
    return int(sequence.generate_state(1, np.uint64)[0])
