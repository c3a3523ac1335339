"""Evaluation of agents on mirrored deals, in a folder of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from rummi_agents.network import device_named
from rummi_agents.neural import NeuralAgent
from rummi_agents.policy_files import WEIGHTS_FILE, read_json
from rummi_agents.released import Released
from rummi_env.core.options import GameRules
from rummi_env.core.rulesets import MIN_PLAYERS, RuleSet
from rummi_env.envs.game import game_named
from rummi_env.records import append_record
from rummi_training.backends import Backend, check_backend, do_jobs
from rummi_training.figures import Results, results_of
from rummi_training.games_file import (
    GAMES_FILE,
    RECORDS_FILE,
    games_text,
    keep_records,
    read_games,
)
from rummi_training.jobs import Job, Setup, jobs_of
from rummi_training.mirrored import (
    Deal,
    Game,
    Player,
    check_fit,
    deals_text,
    digest,
    draw_deals,
    labels_of,
    one_round,
    read_deals,
    unalike,
)
from rummi_training.progress import meter
from rummi_training.report import REPORT_FILE, runs_of, write_report
from rummi_training.results import write_results
from rummi_training.rules_text import DEFAULT, read_rules_of
from rummi_training.run_folder import (
    command_line,
    make_folder,
    surroundings,
    write_json,
    write_whole,
)

SETTINGS_FILE = "evaluation.json"
DEALS_FILE = "deals.txt"

MAX_DEALS = 1_000_000

Writer = Callable[..., str]
"""Writes games as lines of a file; ``header=False`` without the names of columns."""

Reader = Callable[[Path], list[Game]]
"""Reads whole deals of a file that may be cut off."""


@dataclass(frozen=True)
class Common:
    """What evaluations and tournaments have in common."""

    agents: tuple[str, ...]
    """Who plays: names, checkpoints or ``module:Class``."""

    deals: int = 200
    """How many deals; each is played once for every rotation of the seats."""

    seed: int = 1
    """Seed of the deals and of all chance in the games."""

    rules: str = DEFAULT
    """A preset, with changes if need be, or a YAML file; matches have one round."""

    deal_file: str | None = None
    """Deals to play instead of random ones, one in each line."""

    device: str = "cpu"
    """Where networks compute, in the words of torch."""

    game: str = RuleSet.GAME
    """What is played."""

    records: bool = False
    """Whether to keep the record of every game, in `games_file.RECORDS_FILE`."""

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ValueError: there are too few or too many deals, or no such seed.
        """
        if not 2 <= self.deals <= MAX_DEALS:
            raise ValueError(
                f"deals must be from 2 to {MAX_DEALS}, as intervals need two, not "
                f"{self.deals}"
            )
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed must be from 0 to 2**63 - 1, not {self.seed}")


@dataclass(frozen=True)
class Settings(Common):
    """What is played, by agents at one table, in the order of play."""

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ValueError: there are too few or too many players or deals.
        """
        number = len(self.agents)
        most = game_named(self.game).max_players
        if not MIN_PLAYERS <= number <= most:
            raise ValueError(
                f"{MIN_PLAYERS} to {most} agents play at a table, not {number}"
            )
        super().__post_init__()


def evaluate(
    settings: Settings,
    out: Path,
    *,
    resume: bool = False,
    workers: int | None = None,
    backend: Backend = "processes",
    address: str | None = None,
    console: Console,
    names: Sequence[str] | None = None,
) -> Results:
    """Plays an evaluation and writes its results.

    Args:
        settings: what is played.
        out: folder for the results; those of an earlier evaluation are replaced.
        resume: whether to keep the games of an evaluation that was stopped.
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
    called = unalike(names) if names else labels_of(settings.agents)
    number = len(called)
    evaluation = Evaluation(settings, settings.agents, number, called)

    def text(games: Sequence[Game], header: bool = True) -> str:
        return games_text(games, called, header)

    def read(path: Path) -> list[Game]:
        return read_games(path, number)

    jobs = jobs_of(
        [tuple(range(number))],
        evaluation.deals,
        evaluation.players,
        single_table=True,
        records=settings.records,
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
    results = results_of(games, called)
    write_results(out, results, evaluation.played)
    write_report(out / REPORT_FILE, [out], runs=runs_of(settings.agents))
    return results


class Evaluation:
    """Deals, and those who are to play them.

    Args:
        settings: what is played.
        agents: everybody who takes part.
        num_players: how many sit at a table.
        names: of everybody.
        more: what else tells evaluations apart.

    Attributes:
        players: everybody, ready to play.
        deals: the deals, with their numbers.
        played: what figures hang on, for files.

    Raises:
        ValueError: an agent, the rules, the device or a file of deals are impossible.
    """

    def __init__(
        self,
        settings: Common,
        agents: Sequence[str],
        num_players: int,
        names: Sequence[str],
        more: Mapping[str, Any] | None = None,
    ) -> None:
        self._settings = settings
        rules = one_round(read_rules_of(settings.game, settings.rules))
        self._setup = Setup(
            tuple(agents),
            rules,
            settings.seed,
            settings.device,
            tuple(names),
            settings.records,
        )
        self.players = self._setup.players()
        # Who cannot play is told of before anything is written.
        for player in self.players:
            check_fit(player, rules, num_players)
        device_named(settings.device)
        deals = _deals(settings, rules, num_players)
        self._deals_text = deals_text(deals, settings.game)
        self.deals = list(enumerate(deals))
        self.played = {
            **{name: getattr(settings, name) for name in ("game", "seed", "device")},
            "agents": list(names),
            "weights_sha256": [_weights_digest(player) for player in self.players],
            "rules": rules.to_dict(),
            "deals": len(deals),
            "deals_sha256": digest(deals, settings.game),
            **(more or {}),
        }

    def play(
        self,
        jobs: Sequence[Job],
        out: Path,
        text: Writer,
        read: Reader | None,
        *,
        workers: int | None,
        backend: Backend,
        address: str | None,
        console: Console,
    ) -> list[Game]:
        """Does jobs and keeps the games in a folder.

        Args:
            jobs: all that has to be played.
            out: the folder.
            text: writes games as lines.
            read: reads them, to go on where an evaluation was stopped.
            workers: see `evaluate`.
            backend: see `evaluate`.
            address: see `evaluate`.
            console: where to show progress.

        Returns:
            All games, by table, deal and rotation.
        """
        check_backend(workers, backend, address)
        make_folder(out)
        path = out / GAMES_FILE
        games = [] if read is None else self._kept_games(out, read)
        if self._settings.records:
            games = keep_records(out / RECORDS_FILE, games)
        done = {(game.table, game.deal) for game in games}
        left = [job for job in jobs if not done.issuperset(_deals_of(job))]
        # A job is done as a whole: chance in ``act_batch`` is that of all its games.
        again = {part for job in left for part in _deals_of(job)}
        games = [game for game in games if (game.table, game.deal) not in again]
        records = out / RECORDS_FILE
        if self._settings.records:
            keep_records(records, games)
        else:
            records.unlink(missing_ok=True)
        played = do_jobs(
            self._setup,
            self.players,
            left,
            workers=workers,
            backend=backend,
            address=address,
        )
        write_json(
            out / SETTINGS_FILE,
            {
                "played": self.played,
                "settings": asdict(self._settings),
                "surroundings": surroundings(command_line()),
            },
        )
        write_whole(out / DEALS_FILE, self._deals_text)
        write_whole(path, text(games))
        number = sum(len(job.deals) * len(job.table) for job in jobs)
        with (
            closing(played),
            meter(console, "games", number, len(games)) as shown,
            path.open("a", encoding="utf-8") as file,
        ):
            for outcome in played:
                for record in outcome.records:
                    append_record(records, record)
                fresh = outcome.games
                games += fresh
                file.write(text(fresh, header=False))
                file.flush()
                shown.advance(len(fresh))
        games.sort(key=lambda game: (game.table, game.deal, game.rotation))
        write_whole(path, text(games))
        return games

    def _kept_games(self, out: Path, read: Reader) -> list[Game]:
        """Returns the games of an evaluation that was stopped.

        Raises:
            ValueError: the folder holds games of other settings, or damaged ones.
        """
        path = out / GAMES_FILE
        if not path.exists():
            return []
        before = read_json(out / SETTINGS_FILE).get("played")
        if before != json.loads(json.dumps(self.played)):
            raise ValueError(
                f"{out} holds games of other settings: name another folder"
            )
        try:
            return read(path)
        except ValueError as error:
            raise ValueError(f"{path} is damaged: {error}") from error


def _deals_of(job: Job) -> set[tuple[int, int]]:
    return {(job.number, index) for index, _ in job.deals}


def _deals(settings: Common, rules: GameRules, number: int) -> list[Deal]:
    if settings.deal_file is None:
        return draw_deals(rules, number, settings.deals, settings.seed)
    deals = read_deals(Path(settings.deal_file), rules, number)
    if len(deals) < settings.deals:
        raise ValueError(
            f"{settings.deal_file} has {len(deals)} deals, fewer than {settings.deals}"
        )
    return deals[: settings.deals]


def _weights_digest(player: Player) -> str | None:
    folders: tuple[Path, ...] = ()
    if isinstance(player, NeuralAgent) and player.folder is not None:
        folders = (player.folder,)
    elif isinstance(player, Released):
        folders = player.folders
    digest = hashlib.sha256()
    for folder in folders:
        digest.update((folder / WEIGHTS_FILE).read_bytes())
    return digest.hexdigest() if folders else None
