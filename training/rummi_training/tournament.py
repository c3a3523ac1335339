"""Tournaments: any number of agents, every table of them on the same mirrored deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from rich.console import Console

from rummi_agents.registry import parameters_of
from rummi_env.core.rulesets import MIN_PLAYERS
from rummi_env.envs.game import game_named
from rummi_training.backends import Backend
from rummi_training.evaluation import Common, Evaluation
from rummi_training.games_file import read_games, tables_text
from rummi_training.jobs import Table, jobs_of
from rummi_training.mirrored import Game, labels_of
from rummi_training.standings import Standings, standings_of
from rummi_training.standings_files import write_standings

MAX_GAMES = 100_000_000
"""More than that is a slip, not a wish."""


@dataclass(frozen=True)
class Tournament(Common):
    """Who plays whom, and what."""

    players: int = 2
    """How many sit at a table."""

    against: str | None = None
    """The agent that fills the other seats of every table; by default the agents play
    each other, in all combinations."""

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ValueError: there are too few agents, or too few or too many players, deals
                or games.
        """
        super().__post_init__()
        most = game_named(self.game).max_players
        if not MIN_PLAYERS <= self.players <= most:
            raise ValueError(
                f"{MIN_PLAYERS} to {most} agents play at a table, not {self.players}"
            )
        if self.against is None and len(self.agents) < self.players:
            raise ValueError(
                f"a tournament of tables of {self.players} needs {self.players} agents "
                f"or more, not {len(self.agents)}"
            )
        if not self.agents:
            raise ValueError("there must be an agent to play against the other")
        games = len(self.tables()) * self.deals * self.players
        if games > MAX_GAMES:
            raise ValueError(
                f"a tournament must have {MAX_GAMES:,} games or fewer, not {games:,}"
            )

    def everybody(self) -> tuple[str, ...]:
        """Returns all agents, the one that the others play against last."""
        return (*self.agents, *(() if self.against is None else (self.against,)))

    def tables(self) -> list[Table]:
        """Returns who sits at each table, by the numbers of `everybody`."""
        numbers = range(len(self.agents))
        if self.against is None:
            return list(combinations(numbers, self.players))
        other = len(self.agents)
        return [(agent, *[other] * (self.players - 1)) for agent in numbers]


def play_tournament(
    settings: Tournament,
    out: Path,
    *,
    resume: bool = False,
    workers: int | None = None,
    backend: Backend = "processes",
    address: str | None = None,
    console: Console,
    names: Sequence[str] | None = None,
) -> Standings:
    """Plays a tournament and writes its results.

    Args:
        settings: who plays what.
        out: folder for the results; those of an earlier tournament are replaced.
        resume: whether to keep the games of a tournament that was stopped.
        workers: processes to play in; with None one for each core, where that is worth
            it.
        backend: where they are; see `backends`.
        address: of a Ray cluster.
        console: where to show progress.
        names: what to call the agents, if not by `labels_of`.

    Returns:
        All figures.

    Raises:
        ValueError: an agent or the rules are impossible, an agent cannot play under
            them, or the folder holds games of other settings.
    """
    everybody = settings.everybody()
    names = labels_of(everybody) if names is None else tuple(names)
    tables = settings.tables()
    seated = [[names[agent] for agent in table] for table in tables]
    made = [parameters_of(agent) for agent in everybody]
    evaluation = Evaluation(
        settings,
        everybody,
        settings.players,
        names,
        more={
            "players": settings.players,
            "tables": seated,
            "bases": [base for base, _ in made],
            "parameters": [parameters for _, parameters in made],
            "against": None if settings.against is None else names[-1],
        },
    )

    def text(games: Sequence[Game], header: bool = True) -> str:
        return tables_text(games, seated, header)

    def read(path: Path) -> list[Game]:
        return read_games(path, settings.players, len(tables))

    jobs = jobs_of(
        tables, evaluation.deals, evaluation.players, records=settings.records
    )
    games = evaluation.play(
        list(jobs),
        out,
        text,
        read if resume else None,
        workers=workers,
        backend=backend,
        address=address,
        console=console,
    )
    standings = standings_of(games, tables, names)
    write_standings(out, standings, evaluation.played, everybody)
    return standings
