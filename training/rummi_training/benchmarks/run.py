"""Figures of speed and memory, beside installed peers, all from one run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from rummi_env.core.rulesets import MIN_PLAYERS, RuleSet
from rummi_env.envs.game import game_named
from rummi_env.envs.threads import LEAST_CHUNK
from rummi_training.benchmarks.absent import AbsentPeer
from rummi_training.benchmarks.memory import memory
from rummi_training.benchmarks.peers import PEERS
from rummi_training.benchmarks.positions import JOKERS, Drawn, positions
from rummi_training.benchmarks.rates import batch_steps, raw_env_games
from rummi_training.benchmarks.report import plot, print_figures
from rummi_training.benchmarks.solving import (
    SOLVERS,
    best_plays,
    mask_seconds,
    our_solver,
)
from rummi_training.benchmarks.timing import REPEATS, rate
from rummi_training.progress import meter
from rummi_training.run_folder import command_line, surroundings, write_json

MOST = 1_000_000
"""Most games and threads."""

PEER_POSITIONS = 20
"""Positions that other solvers solve at most; they take a hundred times as long."""

EXACT = tuple(
    name for name in RuleSet.PRESETS if RuleSet.preset(name).joker_release == "exact"
)
"""Presets whose jokers keep what they stand for."""

CURVE_SIZES = (0, 3, *range(10, 101, 10))
"""Tiles on the table for the plot of masks."""

CURVE_SHARE = 20
"""The plot of masks takes one position of so many for each point, and 3 at least."""

CURVE_REPEATS = 3
"""How often each of these is solved: large tables take long."""


@dataclass(frozen=True)
class BenchSettings:
    """What is measured.

    Raises:
        ValueError: a number is too small or too large.
    """

    game: str = "rummikub"
    """What is played; the solver is measured for Rummikub alone."""

    seconds: float = 2.0
    """CPU time of each measurement of a rate."""

    positions: int = 200
    """Mid-game positions of Rummikub."""

    games: tuple[int, ...] = (1, 64, 1024, 4096)
    """Sizes of batches."""

    threads: tuple[int, ...] = (1, 2)
    """Threads of batches."""

    players: tuple[int, ...] = (2, 4)
    """Players of each game."""

    seed: int = 1
    """Seed of games and positions."""

    def __post_init__(self) -> None:
        """Refuse what cannot be measured."""
        if not self.seconds > 0:
            raise ValueError(f"seconds must be above 0, not {self.seconds}")
        if self.positions < 1:
            raise ValueError(f"positions must be 1 or more, not {self.positions}")
        for name, low, high in (
            ("games", 1, MOST),
            ("threads", 1, MOST),
            ("players", MIN_PLAYERS, game_named(self.game).max_players),
        ):
            numbers = getattr(self, name)
            if not numbers or min(numbers) < low or max(numbers) > high:
                raise ValueError(
                    f"{name} must be whole numbers from {low} to {high:,}, not "
                    f"{list(numbers)}"
                )


def bench(
    settings: BenchSettings,
    console: Console,
    json_file: Path | None = None,
    plot_file: Path | None = None,
) -> dict[str, Any]:
    """Measures, prints tables and writes the figures.

    Args:
        settings: what is measured.
        console: where to print.
        json_file: where to write the figures, if anywhere.
        plot_file: where to plot them, if anywhere; masks by the size of the table are
            measured for it alone.

    Returns:
        The figures: ``rates``, ``peers`` and ``memory``, and for Rummikub ``mask``,
        ``exact_masks``, ``best_play`` and ``mask_curve``; peers that are not installed
        have none.
    """
    console.print("measuring; a first run compiles the game, a minute or more")
    absent: list[str] = []
    measured: dict[str, Callable[[], Any]] = {
        "rates": lambda: our_rates(settings),
        "peers": lambda: _peers(settings, absent),
        "memory": lambda: memory(settings.game),
    }
    if settings.game == "rummikub":
        drawn = positions(settings.positions, settings.seed)
        measured |= {
            "mask": lambda: _mask(drawn, "official"),
            "exact_masks": lambda: [_mask(drawn, rules) for rules in EXACT],
            "best_play": lambda: _best_plays(drawn[:PEER_POSITIONS], absent),
            "mask_curve": lambda: mask_curve(settings) if plot_file is not None else [],
        }
    figures: dict[str, Any] = {}
    with meter(console, "measurements", len(measured)) as progress:
        for name, measure in measured.items():
            figures[name] = measure()
            progress.advance()
    print_figures(console, figures)
    for reason in absent:
        console.print(reason, highlight=False, markup=False, soft_wrap=True)
    if json_file is not None:
        write_json(
            json_file,
            {
                "settings": asdict(settings),
                "figures": figures,
                "surroundings": surroundings(command_line()),
            },
        )
    if plot_file is not None:
        plot(figures, plot_file)
    return figures


def our_rates(settings: BenchSettings) -> list[dict[str, Any]]:
    """Measures our environments; one line for each."""
    seconds, seed, game = settings.seconds, settings.seed, settings.game
    lines = []
    for players in settings.players:
        measured = rate(raw_env_games(players, seed, game), seconds)
        lines.append(_line("raw_env", players, 1, 1) | asdict(measured))
        for games in settings.games:
            for threads in settings.threads:
                if threads > 1 and games < 2 * LEAST_CHUNK:
                    continue  # Few games are played by one thread.
                step = batch_steps(games, threads, players, seed, game)
                measured = rate(step, seconds)
                lines.append(_line("batch", players, games, threads) | asdict(measured))
    return lines


def mask_curve(
    settings: BenchSettings, sizes: Sequence[int] = CURVE_SIZES
) -> list[dict[str, float]]:
    """Measures masks by the tiles on the table and the jokers in play.

    Args:
        settings: of the positions.
        sizes: how many tiles there are on the table.
    """
    number = max(3, settings.positions // CURVE_SHARE)
    lines = []
    for jokers in range(JOKERS + 1):
        for size in sizes:
            times = mask_seconds(
                positions(number, settings.seed, size, jokers), CURVE_REPEATS
            )
            if times:
                lines.append({"tiles": size, "jokers": jokers} | _spread(times))
    return lines


def _line(name: str, players: int, games: int, threads: int) -> dict[str, Any]:
    return {"name": name, "players": players, "games": games, "threads": threads}


def _peers(settings: BenchSettings, absent: list[str]) -> list[dict[str, Any]]:
    lines = []
    for name, make in PEERS.items():
        try:
            play = make(settings.seed)
        except AbsentPeer as reason:
            absent.append(str(reason))
            continue
        lines.append({"name": name} | asdict(rate(play, settings.seconds)))
    return lines


def _mask(drawn: Sequence[Drawn], rules: str) -> dict[str, Any]:
    spread = _spread(mask_seconds(drawn, rules=rules))
    return {"rules": rules, "positions": len(drawn)} | spread


def _best_plays(drawn: Sequence[Drawn], absent: list[str]) -> list[dict[str, Any]]:
    """Measures the best play by us and by others, in the same positions."""
    times, ours = best_plays(our_solver, drawn, REPEATS)
    lines: list[dict[str, Any]] = [
        {"name": "ours", "positions": len(drawn), "same_optimum": len(drawn)}
        | _spread(times)
    ]
    for name, (solver, repeats) in SOLVERS.items():
        try:
            times, theirs = best_plays(solver, drawn, repeats)
        except AbsentPeer as reason:
            absent.append(str(reason))
            continue
        same = sum(mine == other for mine, other in zip(ours, theirs, strict=True))
        lines.append(
            {"name": name, "positions": len(drawn), "same_optimum": same}
            | _spread(times)
        )
    return lines


def _spread(times: Sequence[float]) -> dict[str, float]:
    return {
        "median_seconds": float(np.median(times)),
        "p99_seconds": float(np.percentile(times, 99)),
    }
