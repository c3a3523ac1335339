"""Mirrored deals: the same deals are played once for every rotation of the seats.

So every agent plays every rack, and luck with the deal falls out of each comparison.
Chance within a game hangs on the deal and the seat, not on who sits there: an agent
against itself plays the very same games and comes out even, exactly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from rummi_agents import Agent, make_agent
from rummi_agents.neural import CHECKPOINTS, NeuralAgent, load_agent
from rummi_agents.protocol import Judging, Revealed, reset
from rummi_agents.registry import is_checkpoint
from rummi_agents.released import Released
from rummi_env.core.options import GameRules
from rummi_env.core.rulesets import RuleSet
from rummi_env.envs.game import game_named
from rummi_env.envs.match import Match
from rummi_env.envs.records.recorder import Recorder
from rummi_env.observation import size_of

Player: TypeAlias = str | Agent
"""A player ready to play: the name of a baseline played compiled, or an agent."""


Deal: TypeAlias = Any
"""A deal of the game: a `Deal` of Rummikub, a position of Rummy, a seed of tabla."""

Numbered: TypeAlias = tuple[int, Deal]
"""Which deal it is, and the deal."""

# What a seed is for; the other numbers are those of the seats, for their agents.
_DEAL, _GAME = 4, 5


@dataclass(frozen=True)
class Game:
    """The outcome of one round."""

    deal: int
    """Which deal."""

    rotation: int
    """How far the agents were rotated: the first of the order sat on this seat."""

    scores: tuple[float, ...]
    """Score of every agent."""

    wins: tuple[float, ...]
    """Share of every agent in having won; with a tie the winners have equal parts."""

    turns: int
    """How many turns it took."""

    decisions: int
    """How many decisions it took."""

    table: int = 0
    """At which table of a tournament."""


def make_player(spec: str, device: str = "cpu", game: str = RuleSet.GAME) -> Player:
    """Makes a player from a name, a checkpoint or ``module:Class``.

    Args:
        spec: what it is made from.
        device: where networks compute.
        game: name of the game that it is to play.

    Raises:
        ValueError: there is no such player, or it does not play the game.
    """
    if spec in game_named(game).scripted:
        return spec
    if not is_checkpoint(spec):
        return make_agent(spec, game)
    agent = load_agent(spec, device)
    if game not in agent.games:
        raise ValueError(f"{spec} was trained for {agent.games[0]}, not for {game}")
    return agent


def check_fit(player: Player, rules: GameRules, num_players: int) -> None:
    """Refuses a network that was trained for other games.

    Args:
        player: it, or anybody else.
        rules: what is to be played.
        num_players: by how many.

    Raises:
        ValueError: it was; the sentence says for which.
    """
    if isinstance(player, NeuralAgent | Released):
        seeing = game_named(rules.GAME).seeing
        values = size_of(seeing.fields(rules, num_players).values())
        player.check_sizes(values, seeing.num_actions(rules))


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


def one_round(rules: GameRules) -> GameRules:
    """Returns the same rules with matches of one round, which is what is compared."""
    changed: GameRules = game_named(rules.GAME).one_round(rules)
    return changed


def draw_deals(
    rules: GameRules, num_players: int, number: int, seed: int
) -> list[Deal]:
    """Returns deals as the game deals them, always the same for a seed."""
    game = game_named(rules.GAME)
    engine = game.make_engine(one_round(rules), num_players)
    return [
        game.draw_deal(engine, _chance(seed, index, _DEAL)) for index in range(number)
    ]


def deals_text(deals: Iterable[Deal], game: str = RuleSet.GAME) -> str:
    """Returns deals as text, one in each line."""
    written = game_named(game).format_deal
    return "".join(f"{written(deal)}\n" for deal in deals)


def read_deals(path: Path, rules: GameRules, num_players: int) -> list[Deal]:
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
            deals.append(game_named(rules.GAME).parse_deal(line, rules, num_players))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
    if not deals:
        raise ValueError(f"{path} has no deals")
    return deals


def digest(deals: Iterable[Deal], game: str = RuleSet.GAME) -> str:
    """Returns a hash that tells lists of deals apart, in hexadecimal digits."""
    return hashlib.sha256(deals_text(deals, game).encode()).hexdigest()


def seats_of(
    number: int, rotation: int, order: Sequence[int] | None = None
) -> tuple[int, ...]:
    """Returns the seat of every agent.

    Args:
        number: how many agents there are.
        rotation: how far they are rotated.
        order: the agents in the order of play; as they are numbered by default.
    """
    placed = range(number) if order is None else order
    seats = {agent: (place + rotation) % number for place, agent in enumerate(placed)}
    return tuple(seats[agent] for agent in range(number))


def play_mirrored(
    players: Sequence[Player],
    rules: GameRules,
    deals: Iterable[Numbered],
    seed: int,
    recorder: Recorder | None = None,
    names: Sequence[str] = (),
    *,
    order: Sequence[int] | None = None,
    about: Mapping[str, int] | None = None,
) -> Iterator[list[Game]]:
    """Plays deals one game at a time, each once for every rotation of the seats.

    Args:
        players: who plays.
        rules: the rules; matches are of one round.
        deals: numbers of deals and the deals.
        seed: of all chance in the games.
        recorder: keeps records of the games, with what networks thought.
        names: what the records call the players; their own names by default.
        order: players in the order of play; as they are listed by default.
        about: what the records say about the games besides the deal and the rotation.

    Yields:
        The games of one deal.

    Raises:
        ValueError: a player cannot play under these rules, or chose an illegal action.
    """
    number = len(players)
    match = Match(one_round(rules), number, game=rules.GAME)
    match.recorder = recorder
    names = names or [
        player if isinstance(player, str) else player.name for player in players
    ]
    for index, deal in deals:
        games = []
        for rotation in range(number):
            seats = seats_of(number, rotation, order)
            if recorder:
                seated = [seats.index(seat) for seat in range(number)]
                recorder.players = tuple(names[agent] for agent in seated)
                told = {"deal": index, "rotation": rotation}
                recorder.about = {**told, **(about or {})}
            games.append(_play(match, players, index, deal, seats, rotation, seed))
        yield games


def _play(
    match: Match,
    players: Sequence[Player],
    index: int,
    deal: Deal,
    seats: Sequence[int],
    rotation: int,
    seed: int,
) -> Game:
    seated = [players[seats.index(seat)] for seat in range(len(players))]
    sources = [seat_chance(seed, index, seat) for seat in range(len(players))]
    for player in players:
        if not isinstance(player, str):
            reset(player)
    match.start(chance_of_game(seed, index), match.game.start_with(deal))
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
    return Game(
        deal=index,
        rotation=rotation,
        scores=tuple(float(game["scores"][seat]) for seat in seats),
        wins=tuple(float(game["rounds_won"][seat]) for seat in seats),
        turns=int(game["turn"]),
        decisions=decisions,
    )


def _choose(match: Match, player: Agent, source: np.random.Generator) -> int:
    observation = match.observation(match.seat)
    if match.recorder and isinstance(player, Judging):
        match.recorder.judge(player.judge(observation, match.mask.copy()))
    if isinstance(player, Revealed):
        player.show(match.games)
    action = int(player.act(observation, match.mask.copy(), match.turn(), source))
    if not 0 <= action < len(match.mask) or not match.mask[action]:
        raise ValueError(illegal_choice(player, action))
    return action


def illegal_choice(player: Agent, action: int) -> str:
    """Says that a player chose an illegal action."""
    return f"{player.name} chose an action that the mask has not: {action}"


def seat_chance(seed: int, index: int, seat: int) -> np.random.Generator:
    """Returns the chance of whoever sits on a seat in the games of a deal."""
    use = seat if seat < _DEAL else seat + 2
    return np.random.default_rng([seed, index, use])


def chance_of_game(seed: int, index: int) -> int:
    """Returns the seed of the chance in the games of a deal."""
    return _chance(seed, index, _GAME)


def _chance(seed: int, index: int, use: int) -> int:
    """Returns a seed for one deal: of the deal itself, or of chance in its games."""
    sequence = np.random.SeedSequence([seed, index, use])
    return int(sequence.generate_state(1, np.uint64)[0])
