"""Evaluation of agents on mirrored deals, in a folder of its own."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from rich.console import Console

from rummi_agents.neural import NeuralAgent
from rummi_agents.policy_files import WEIGHTS_FILE, read_json
from rummi_env.core.options import GameRules
from rummi_env.core.rulesets import MIN_PLAYERS, RuleSet
from rummi_env.envs.game import game_named
from rummi_env.records import GameRecord, Recorder, append_record, read_records
from rummi_training.figures import Results, results_of
from rummi_training.mirrored import (
    Deal,
    Game,
    Numbered,
    Player,
    deals_text,
    digest,
    draw_deals,
    labels_of,
    make_player,
    one_round,
    play_mirrored,
    read_deals,
    unalike,
)
from rummi_training.progress import meter
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
GAMES_FILE = "games.csv"
RECORDS_FILE = "records.jsonl"

MAX_DEALS = 1_000_000
DEALS_AT_ONCE = 5
"""Deals that a process is given at a time."""


@dataclass(frozen=True)
class Settings:
    """What is played."""

    agents: tuple[str, ...]
    """Who plays, in the order of play: names, checkpoints or ``module:Class``."""

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
    """Whether to keep the record of every game, in `RECORDS_FILE`."""

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
        if not 2 <= self.deals <= MAX_DEALS:
            raise ValueError(
                f"deals must be from 2 to {MAX_DEALS}, as intervals need two, not "
                f"{self.deals}"
            )
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed must be from 0 to 2**63 - 1, not {self.seed}")


def evaluate(
    settings: Settings,
    out: Path,
    *,
    resume: bool = False,
    workers: int = 1,
    console: Console,
    names: Sequence[str] | None = None,
) -> Results:
    """Plays an evaluation and writes its results.

    Args:
        settings: what is played.
        out: folder for the results; those of an earlier evaluation are replaced.
        resume: whether to keep the games of an evaluation that was stopped.
        workers: processes to play in.
        console: where to show progress.
        names: what to call the agents, if not by `labels_of`.

    Returns:
        All figures.

    Raises:
        ValueError: an agent or the rules are impossible, an agent cannot play under
            them, or the folder holds games of other settings.
    """
    if workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers}")
    rules = one_round(read_rules_of(settings.game, settings.rules))
    players = _players(settings)
    names = unalike(names) if names else labels_of(settings.agents)
    deals = _deals(settings, rules)
    played = {
        **{name: getattr(settings, name) for name in ("game", "seed", "device")},
        "agents": list(names),
        "weights_sha256": [_weights_digest(player) for player in players],
        "rules": rules.to_dict(),
        "deals": len(deals),
        "deals_sha256": digest(deals, settings.game),
    }
    make_folder(out)
    path, records = out / GAMES_FILE, out / RECORDS_FILE
    games = _kept_games(out, played, names) if resume else []
    if settings.records:
        games = _keep_records(records, games)
    else:
        records.unlink(missing_ok=True)
    write_json(
        out / SETTINGS_FILE,
        {
            "played": played,
            "settings": asdict(settings),
            "surroundings": surroundings(command_line()),
        },
    )
    write_whole(out / DEALS_FILE, deals_text(deals, settings.game))
    write_whole(path, games_text(games, names))
    done = {game.deal for game in games}
    left = [(index, deal) for index, deal in enumerate(deals) if index not in done]
    with (
        meter(console, "deals", len(deals), len(done)) as shown,
        path.open("a", encoding="utf-8") as file,
    ):
        for fresh, kept in _play(settings, names, players, rules, left, workers):
            for record in kept:
                append_record(records, record)
            games += fresh
            file.write(games_text(fresh, names, header=False))
            file.flush()
            shown.advance()
    games.sort(key=lambda game: (game.deal, game.rotation))
    write_whole(path, games_text(games, names))
    results = results_of(games, names)
    write_results(out, results, played)
    return results


def games_text(games: Sequence[Game], names: Sequence[str], header: bool = True) -> str:
    """Returns games as lines of a CSV file."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    if header:
        scores = [f"score of {name}" for name in names]
        wins = [f"won by {name}" for name in names]
        writer.writerow(["deal", "rotation", "turns", "decisions", *scores, *wins])
    for game in games:
        counts = (game.deal, game.rotation, game.turns, game.decisions)
        writer.writerow([*counts, *game.scores, *game.wins])
    return table.getvalue()


def read_games(path: Path, num_agents: int) -> list[Game]:
    """Reads what `games_text` writes; deals whose games are not all there are left out.

    A last line that was cut off counts as not there.
    """
    games: dict[int, list[Game]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in list(csv.reader(file))[1:]:
            if len(row) != 4 + 2 * num_agents:
                continue
            deal, rotation, turns, decisions = map(int, row[:4])
            values = tuple(map(float, row[4:]))
            game = Game(
                deal=deal,
                rotation=rotation,
                scores=values[:num_agents],
                wins=values[num_agents:],
                turns=turns,
                decisions=decisions,
            )
            games.setdefault(deal, []).append(game)
    whole = [played for played in games.values() if len(played) == num_agents]
    return [game for played in whole for game in played]


def _kept_games(out: Path, played: dict[str, Any], names: Sequence[str]) -> list[Game]:
    """Returns the games of an evaluation that was stopped.

    Raises:
        ValueError: the folder holds games of other settings, or damaged ones.
    """
    path = out / GAMES_FILE
    if not path.exists():
        return []
    before = read_json(out / SETTINGS_FILE).get("played")
    if before != json.loads(json.dumps(played)):
        raise ValueError(f"{out} holds games of other settings: name another folder")
    try:
        return read_games(path, len(names))
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from error


def _keep_records(path: Path, games: list[Game]) -> list[Game]:
    """Keeps of a file the records of games that are kept, and nothing else.

    Returns:
        The games that have their records; the others are to be played again.
    """
    kept: dict[tuple[int, int], GameRecord] = {}
    if games and path.exists():
        for record in _whole_records(path):
            deal, rotation = record.about.get("deal"), record.about.get("rotation")
            if isinstance(deal, int) and isinstance(rotation, int):
                kept[deal, rotation] = record
    keys = {(game.deal, game.rotation) for game in games}
    alone = {deal for deal, rotation in keys if (deal, rotation) not in kept}
    games = [game for game in games if game.deal not in alone]
    lines = [kept[game.deal, game.rotation].to_json() for game in games]
    write_whole(path, "".join(f"{line}\n" for line in lines))
    return games


def _whole_records(path: Path) -> Iterator[GameRecord]:
    """Yields records up to a line that was cut off when the evaluation was stopped."""
    try:
        yield from read_records(path)
    except ValueError:
        return


def _players(settings: Settings) -> list[Player]:
    return [
        make_player(spec, settings.device, settings.game) for spec in settings.agents
    ]


def _deals(settings: Settings, rules: GameRules) -> list[Deal]:
    number = len(settings.agents)
    if settings.deal_file is None:
        return draw_deals(rules, number, settings.deals, settings.seed)
    deals = read_deals(Path(settings.deal_file), rules, number)
    if len(deals) < settings.deals:
        raise ValueError(
            f"{settings.deal_file} has {len(deals)} deals, fewer than {settings.deals}"
        )
    return deals[: settings.deals]


Outcome: TypeAlias = tuple[list[Game], list[GameRecord]]
"""The games of one deal, and their records if they are kept."""


def _play(
    settings: Settings,
    names: Sequence[str],
    players: Sequence[Player],
    rules: GameRules,
    deals: Sequence[Numbered],
    workers: int,
) -> Iterator[Outcome]:
    """Yields the games of each deal as they are played, in any order."""
    if workers == 1:
        yield from _outcomes(settings, names, players, rules, deals)
        return
    parts = [
        deals[start : start + DEALS_AT_ONCE]
        for start in range(0, len(deals), DEALS_AT_ONCE)
    ]
    # Not forked: torch and numba may hold threads.
    with ProcessPoolExecutor(
        workers, get_context("spawn"), _start_worker, (settings, names, rules)
    ) as pool:
        try:
            for future in as_completed(
                [pool.submit(_play_part, part) for part in parts]
            ):
                yield from future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _outcomes(
    settings: Settings,
    names: Sequence[str],
    players: Sequence[Player],
    rules: GameRules,
    deals: Sequence[Numbered],
) -> Iterator[Outcome]:
    kept: list[GameRecord] = []
    recorder = Recorder(kept.append) if settings.records else None
    for games in play_mirrored(players, rules, deals, settings.seed, recorder, names):
        yield games, kept[:]
        kept.clear()


_in_worker: list[Any] = []
"""In a process of its own: the first arguments of `_outcomes`, made once."""


def _start_worker(settings: Settings, names: Sequence[str], rules: GameRules) -> None:
    _use_one_thread()
    _in_worker[:] = [settings, names, _players(settings), rules]


def _play_part(deals: Sequence[Numbered]) -> list[Outcome]:
    settings, names, players, rules = _in_worker
    return list(_outcomes(settings, names, players, rules, deals))


def _use_one_thread() -> None:
    """Keeps torch, where it is there, from using the cores of the other processes."""
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)


def _weights_digest(player: Player) -> str | None:
    if isinstance(player, NeuralAgent) and player.folder is not None:
        return hashlib.sha256((player.folder / WEIGHTS_FILE).read_bytes()).hexdigest()
    return None
