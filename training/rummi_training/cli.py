"""The command ``rummi``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union

from rich.console import Console

INTERRUPTED_STATUS = 130
"""Exit status after Ctrl-C, as shells have it."""

TRACEBACK_VARIABLE = "RUMMI_TRACEBACK"
"""Environment variable with which errors are raised instead of told."""

try:
    import tyro
    from tyro.conf import Positional

    from rummi_training.command_line import USAGE_STATUS, UsageError, parse
except ImportError as missing:  # pragma: no cover - needs an environment without it
    sys.exit(f"rummi: {missing.name} is missing: pip install 'rummi-env[train]'")


@dataclass(frozen=True)
class Train:
    """Train a policy as a configuration says.

    Every key of the configuration can be given as an option as well, for example
    --total-steps 500000 --ppo.learning-rate 0.001 --opponents random max_tiles.
    """

    config: Positional[Path]
    """YAML file with what differs from the defaults."""

    resume: bool = False
    """Go on from the newest checkpoint of the run folder."""

    out: Path | None = None
    """Run folder; runs/ and the name of the configuration by default."""


@dataclass(frozen=True)
class Evaluate:
    """Play agents against each other on mirrored deals.

    Agents are names (random, greedy, max_tiles, max_points, cautious, patient, ppo,
    expert, best; in Rummy random, meld_greedy, least_deadwood), with a parameter if
    they take one (name:300, name:key=value), folders of checkpoints or of training
    runs, or module:Class. All of them sit at one table; with --tournament all play all.
    """

    agent: Positional[str]
    """The agent in question."""

    opponents: Positional[tuple[str, ...]]
    """One opponent or more: up to three in Rummikub, up to five in Rummy."""

    tournament: bool = False
    """Play a tournament of all agents, any number of them, with standings, ratings and
    a cross table."""

    players: int | None = None
    """Tournament: how many sit at a table, 2 by default; all combinations play."""

    against: str | None = None
    """Tournament: the agents do not play each other, but this one, which fills the
    other seats."""

    deals: int = 200
    """Deals; each is played once for every rotation of the seats."""

    seed: int = 1
    """Seed of the deals and of all chance in the games."""

    out: Path | None = None
    """Folder for the results; runs/evaluation and the agents' names by default."""

    game: str = "rummikub"
    """What is played: rummikub, rummy or tabla."""

    rules: str = "default"
    """A preset, with changes if need be (official,jokers=0), or a YAML file; default is
    the game's first preset."""

    deal_file: Path | None = None
    """Play the first deals of this file instead of random ones."""

    device: str = "cpu"
    """Where networks compute."""

    workers: int | None = None
    """Processes to play in; by default one for each core, once that is worth it."""

    backend: Literal["processes", "ray"] = "processes"
    """Where to play: in processes of this machine, or on a Ray cluster (needs the extra
    rummi-env[ray])."""

    address: str | None = None
    """Address of the Ray cluster; by default one is started on this machine."""

    records: bool = False
    """Keep the record of every game in records.jsonl, for rummi replay."""

    resume: bool = False
    """Keep the games of an evaluation of the same settings that was stopped."""


@dataclass(frozen=True)
class Report:
    """Write one HTML page about tournaments, evaluations and training runs."""

    folders: Positional[tuple[Path, ...]]
    """Folders that train and evaluate have written to."""

    out: Path = Path("report.html")
    """The page; everything is in it, plots as well."""

    title: str | None = None
    """Title of the page."""


@dataclass(frozen=True)
class Quickstart:
    """Train a small agent, evaluate it against the baselines, say where the report is.

    Goes on where an earlier quickstart in the same folder was stopped.
    """

    out: Path = Path("runs/quickstart")
    """Run folder."""

    config: Path | None = None
    """Another configuration than quickstart.yaml."""


@dataclass(frozen=True)
class Bench:
    """Measure the speed and the memory of the environments, beside installed peers.

    Peers come with the extra rummi-env[peers]; those that are absent are named.
    """

    game: str = "rummikub"
    """What is measured: rummikub, rummy or tabla."""

    seconds: float = 2.0
    """CPU time of each measurement of a rate."""

    positions: int = 200
    """Mid-game positions to solve, of Rummikub."""

    games: tuple[int, ...] = (1, 64, 1024, 4096)
    """Sizes of batches."""

    threads: tuple[int, ...] = (1, 2)
    """Threads of batches."""

    players: tuple[int, ...] = (2, 4)
    """Players of each game."""

    seed: int = 1
    """Seed of games and positions."""

    roads: bool = False
    """Measure the interfaces and frameworks beside the plain batch, and nothing else.

    Frameworks come with the extra rummi-env[interop]; those that are absent are named.
    """

    learning: bool = False
    """Measure how fast MaskablePPO learns in the batch, beside environments that cost
    nothing, and nothing else."""

    json: Path | None = None
    """File for the figures."""

    plot: Path | None = None
    """File for a plot of them, and of masks by the size of the table."""


@dataclass(frozen=True)
class Rules:
    """Print a rule set and where it differs from the presets."""

    rules: Positional[str] = "default"
    """A preset, with changes if need be (official,jokers=0), or a YAML file; default is
    the game's first preset."""

    game: str = "rummikub"
    """Whose rules: rummikub, rummy or tabla."""


@dataclass(frozen=True)
class Solve:
    """Say what can be played in a position: 'table ; racks ; pool ; turn ; opened'."""

    position: Positional[str]
    """For example 'B5 R5 K5 O5 ; B4 B6 B7 K1'; all but the table may be left out."""

    rules: str = "official"
    """A preset, with changes if need be (official,jokers=0), or a YAML file."""


@dataclass(frozen=True)
class Replay:
    """Play recorded games again, check every step of them, and show them."""

    file: Positional[Path]
    """Records of games, one in each line."""

    html: Path | None = None
    """Write a page that steps through the games; needs nothing but a browser."""

    gif: Path | None = None
    """Write the first of the games as an animated picture."""

    mp4: Path | None = None
    """Write the first of the games as a video."""

    lines: tuple[int, ...] = ()
    """Lines of the games to show; by default the first 20, of which videos take one."""

    seat: int | None = None
    """Whose rack videos show in full, counted from 0; by default the mover's."""

    hide: bool = False
    """Leave the other racks in videos face down."""

    fps: float = 2.0
    """Pictures in a second of a video."""


@dataclass(frozen=True)
class Play:
    """Play against agents: Rummikub on a page in the browser, any game in the terminal.

    The page is served on this machine only. Games are kept after every change and go on
    after a reload of the page or a restart of this command.
    """

    agents: tuple[str, ...] = ()
    """In the terminal the opponents: names, folders of checkpoints, or module:Class; by
    default one baseline. On the page those of module:Class that are offered too."""

    out: Path = Path("runs/play")
    """Folder of the games, and of games.jsonl, the records of those that are over."""

    port: int = 8000
    """Port of the page; 0 takes one that is free."""

    open: bool = False
    """Open the page in the browser."""

    terminal: bool = False
    """Play in the terminal; what follows is for games there, the page asks for it."""

    game: str = "rummikub"
    """What is played: rummikub, rummy (in the terminal alone) or tabla; the page offers
    others too."""

    rules: str = "default"
    """A preset, with changes if need be (sabra,rounds=3)."""

    seed: int | None = None
    """Seed of all chance."""

    clock: bool = False
    """Time the turns as the rules say."""

    resume: bool = False
    """Go on with the last match in the terminal that is not over."""


COMMANDS = {
    "train": Train,
    "evaluate": Evaluate,
    "report": Report,
    "quickstart": Quickstart,
    "bench": Bench,
    "play": Play,
    "rules": Rules,
    "solve": Solve,
    "replay": Replay,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Carries out a command.

    Args:
        arguments: the command line; that of the process by default.

    Returns:
        The exit status: 0, 2 where the command makes no sense, 130 after Ctrl-C.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        command, rest = parse(_all_commands(), given, "rummi")
        _run(command, rest)
    except KeyboardInterrupt:
        return _told("interrupted", INTERRUPTED_STATUS)
    except BrokenPipeError:
        # Whoever read the output has stopped, as `head` does; nothing more to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError, ImportError) as error:
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        return _told(" ".join(str(error).split()), USAGE_STATUS)
    return 0


def _all_commands() -> Any:
    kinds = [
        Annotated[kind, tyro.conf.subcommand(name, prefix_name=False)]
        for name, kind in COMMANDS.items()
    ]
    return Union[tuple(kinds)]  # noqa: UP007  (made from a list)


def _run(command: Any, rest: list[str]) -> None:
    if rest and not isinstance(command, Train):
        raise UsageError(f"unknown arguments: {' '.join(rest)}")
    console = Console()
    runners: dict[type, Callable[[], None]] = {
        Train: lambda: _train(command, rest, console),
        Evaluate: lambda: _evaluate(command, console),
        Report: lambda: _report(command, console),
        Quickstart: lambda: _quickstart(command, console),
        Bench: lambda: _bench(command, console),
        Play: lambda: _play(command, console),
        Rules: lambda: _rules(command, console),
        Solve: lambda: _solve(command, console),
        Replay: lambda: _replay(command, console),
    }
    runners[type(command)]()


# Imported where they are used: torch alone takes seconds.


def _train(command: Train, rest: list[str], console: Console) -> None:
    from rummi_training.config import TrainConfig

    config = TrainConfig.load(command.config)
    config, unknown = parse(TrainConfig, rest, "rummi train CONFIG", config)
    if unknown:
        raise UsageError(f"unknown arguments: {' '.join(unknown)}")
    out = command.out or Path("runs") / command.config.stem

    from rummi_training.train import train

    last = train(config, out, resume=command.resume, console=console)
    console.print(f"trained: {last}", soft_wrap=True, highlight=False)


def _evaluate(command: Evaluate, console: Console) -> None:
    from rummi_training.evaluation import Settings, evaluate
    from rummi_training.mirrored import labels_of
    from rummi_training.report import REPORT_FILE
    from rummi_training.results import print_results, verdict

    given: dict[str, Any] = {
        name: getattr(command, name)
        for name in (
            "players", "against", "deals", "seed", "game", "rules", "device", "records",
        )
    }  # fmt: skip
    given["agents"] = (command.agent, *command.opponents)
    if command.deal_file is not None:
        given["deal_file"] = str(command.deal_file)
    given = {name: value for name, value in given.items() if value is not None}
    how: dict[str, Any] = {
        "resume": command.resume,
        "workers": command.workers,
        "backend": command.backend,
        "address": command.address,
        "console": console,
    }
    if command.tournament:
        from rummi_training.standings_files import print_standings
        from rummi_training.tournament import Tournament, play_tournament

        out = command.out or Path("runs/tournament")
        print_standings(console, play_tournament(Tournament(**given), out, **how))
    else:
        for name in ("players", "against"):
            if name in given:
                raise UsageError(f"--{name} goes with --tournament only")
        if not command.opponents:
            most = {"rummy": "five"}.get(command.game, "three")
            raise UsageError(f"there must be one to {most} opponents after the agent")
        settings = Settings(**given)
        folder = "-".join(labels_of(settings.agents)).replace(" ", "")
        out = command.out or Path("runs/evaluation") / folder.replace(":", ".")
        results = evaluate(settings, out, **how)
        print_results(console, results)
        console.print(verdict(results), highlight=False)
    console.print(f"results: {out}", soft_wrap=True, highlight=False)
    console.print(f"report: {out / REPORT_FILE}", soft_wrap=True, highlight=False)


def _report(command: Report, console: Console) -> None:
    from rummi_training.report import write_report

    if not command.folders:
        raise UsageError("there must be a folder or more to report about")
    write_report(command.out, command.folders, command.title)
    console.print(f"report: {command.out}", soft_wrap=True, highlight=False)


def _quickstart(command: Quickstart, console: Console) -> None:
    from rummi_training.quickstart import quickstart

    quickstart(command.out, command.config, console)


def _bench(command: Bench, console: Console) -> None:
    from rummi_training.benchmarks.run import BenchSettings, bench

    settings = BenchSettings(
        game=command.game,
        seconds=command.seconds,
        positions=command.positions,
        games=command.games,
        threads=command.threads,
        players=command.players,
        seed=command.seed,
    )
    alone = [f"--{name}" for name in ("roads", "learning") if getattr(command, name)]
    if not alone:
        bench(settings, console, command.json, command.plot)
        return
    if len(alone) > 1:
        raise UsageError("--roads and --learning are measured alone: give one of them")
    if settings.game != "rummikub":
        raise UsageError(f"{alone[0]} is measured in rummikub: give no other --game")
    if command.plot is not None:
        raise UsageError(f"there is no plot of {alone[0]}: give --json, or no --plot")
    if command.learning:
        from rummi_training.benchmarks.learning import bench_learning as measure
    else:
        from rummi_training.benchmarks.roads import bench_roads as measure
    measure(command.seconds, command.seed, console, command.json)


def _play(command: Play, console: Console) -> None:
    if not command.terminal:
        from rummi_training.play.serve import serve

        serve(
            command.out,
            console,
            port=command.port,
            agents=command.agents,
            game=command.game,
            open_page=command.open,
        )
        return
    from rummi_training.play.settings import BASELINES, PERSON, read_settings
    from rummi_training.play.terminal import play_in_terminal

    settings = None
    if not command.resume:
        opponents = command.agents or BASELINES.get(command.game, ("random",))
        settings = read_settings(
            players=(PERSON, *opponents),
            rules=command.rules,
            game=command.game,
            seed=command.seed,
            clock=command.clock,
            trusted=command.agents,
        )
    play_in_terminal(command.out, console, settings)


def _rules(command: Rules, console: Console) -> None:
    from rummi_training.showing import print_rules

    print_rules(command.rules, console, command.game)


def _solve(command: Solve, console: Console) -> None:
    from rummi_training.showing import print_solution

    print_solution(command.position, command.rules, console)


def _replay(command: Replay, console: Console) -> None:
    from rummi_training.replays import verify, write_clip, write_page

    for path, suffix in ((command.gif, ".gif"), (command.mp4, ".mp4")):
        if path is not None and path.suffix != suffix:
            raise UsageError(f"--{suffix[1:]} must be called *{suffix}, not {path}")
    games = verify(command.file, console, command.lines)
    if command.html is not None:
        write_page(games, command.html, command.file)
        lines = ", ".join(str(line) for line, _ in games)
        console.print(
            f"page: {command.html}, with the games of the lines {lines}",
            soft_wrap=True,
            highlight=False,
        )
    for path in filter(None, (command.gif, command.mp4)):
        _, record = games[0]
        write_clip(record, path, command.fps, command.seat, not command.hide, console)
        console.print(f"video: {path}", soft_wrap=True, highlight=False)


def _told(sentence: str, status: int) -> int:
    print(f"rummi: {sentence}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
