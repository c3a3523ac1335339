"""The command ``rummi``."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn, Union

from rich.console import Console

INTERRUPTED_STATUS = 130
"""Exit status after Ctrl-C, as shells have it."""

TRACEBACK_VARIABLE = "RUMMI_TRACEBACK"
"""Environment variable with which errors are raised instead of told."""

try:
    import tyro

    from rummi_training.command_line import USAGE_STATUS, UsageError, parse, unknown
    from rummi_training.commands import (
        Bench,
        Evaluate,
        Play,
        Quickstart,
        Replay,
        Report,
        Rules,
        Solve,
        Train,
    )
except ImportError as missing:  # pragma: no cover - needs an environment without it
    sys.exit(f"rummi: {missing.name} is missing: pip install 'rummi-env[train]'")


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
        command, rest = _read(given)
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


def _read(given: list[str]) -> tuple[Any, list[str]]:
    """Reads a command line; returns the command, and what means nothing to it.

    Raises:
        UsageError: there is no such command, or it makes no sense.
        SystemExit: the help was asked for and has been printed.
    """
    if not given or given[0].startswith("-"):
        return parse(_all_commands(), given, "rummi")
    name, *rest = given
    if name not in COMMANDS:
        close = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there is {_listed()}"
        raise UsageError(f"unknown command {name!r}: {hint} (see rummi --help)")
    if name == "train" and rest and rest[0][:1] != "-" and {*rest} & {"-h", "--help"}:
        _help_with_keys(Path(rest[0]))
    return parse(COMMANDS[name], rest, f"rummi {name}")


def _listed() -> str:
    return ", ".join(COMMANDS)


def _help_with_keys(path: Path) -> NoReturn:
    """Prints the keys of a configuration as options, with what the file says.

    Raises:
        SystemExit: they have been printed.
    """
    from rummi_training.config import TrainConfig

    parse(TrainConfig, ["--help"], "rummi train CONFIG", TrainConfig.load(path))
    raise SystemExit(0)


def _all_commands() -> Any:
    kinds = [
        Annotated[kind, tyro.conf.subcommand(name, prefix_name=False)]
        for name, kind in COMMANDS.items()
    ]
    return Union[tuple(kinds)]  # noqa: UP007  (made from a list)


def _run(command: Any, rest: list[str]) -> None:
    if rest and not isinstance(command, Train):
        kind = type(command)
        name = next(name for name, made in COMMANDS.items() if made is kind)
        raise unknown(rest, [kind], f"rummi {name}")
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
    run = runners[type(command)]
    if isinstance(command, Rules | Report):
        run()
        return
    from rummi_training.compiling import compiling_told

    with compiling_told():
        run()


# Imported where they are used: torch alone takes seconds.


def _train(command: Train, rest: list[str], console: Console) -> None:
    from rummi_training.config import TrainConfig

    config = TrainConfig.load(command.config)
    prog = "rummi train CONFIG"
    config, meaningless = parse(TrainConfig, rest, prog, config)
    if meaningless:
        raise unknown(meaningless, [TrainConfig, Train], prog)
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
