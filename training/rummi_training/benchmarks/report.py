"""The figures of `bench` as tables and as a plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from rummi_training.benchmarks.positions import JOKERS, RACK_TILES, TABLE_TILES

Figures = Mapping[str, Any]


def title_of(line: Mapping[str, Any]) -> str:
    """Returns what a line of the rates is called."""
    if line["name"] == "raw_env":
        return f"raw_env, {line['players']} players"
    games = f"{line['games']:,} game" + "s" * (line["games"] > 1)
    threads = f"{line['threads']} thread" + "s" * (line["threads"] > 1)
    return f"batch, {line['players']} players, {games}, {threads}"


def best_rates(figures: Figures) -> tuple[float, float]:
    """Returns what peers are compared with, in decisions in a second of CPU time.

    It is the rate of `raw_env` and that of the fastest batch, both with the fewest
    players that were measured.
    """
    fewest = min(line["players"] for line in figures["rates"])
    rates = [line for line in figures["rates"] if line["players"] == fewest]
    single, batch = (
        max(line["per_cpu_second"] for line in rates if line["name"] == name)
        for name in ("raw_env", "batch")
    )
    return single, batch


def print_figures(console: Console, figures: Figures) -> None:
    """Prints all figures, and ratios of ours to theirs."""
    single, batch = best_rates(figures)
    rates = _table("decisions a second", "CPU", "clock", "raw_env", "batch")
    for line in figures["rates"]:
        _add_rate(rates, title_of(line), line)
    for line in figures["peers"]:
        theirs = line["per_cpu_second"]
        _add_rate(
            rates,
            line["name"],
            line,
            *(f"{ours / theirs:,.2f} x" for ours in (single, batch)),
        )
    console.print(rates)
    if "best_play" in figures:
        _print_solver(console, figures)
    room = _table("memory", "bytes")
    for name, title in (
        ("first_env", "first raw_env"),
        ("further_env", "further raw_env"),
        ("batch_game", "game of a batch"),
    ):
        room.add_row(title, f"{figures['memory'][name]:,.0f}")
    console.print(room)
    told = (
        "Random legal play; every decision of every player counts, with its "
        "observation and its mask. Ratios are in CPU time, to raw_env and to the "
        "fastest batch. "
    )
    if "mask" in figures:
        told += (
            f"Mid-game: {figures['mask']['positions']} positions with {TABLE_TILES} "
            f"tiles on the table, {RACK_TILES} on the rack and {JOKERS} jokers among "
            "them. "
        )
    console.print(
        told + "Memory is beyond the imports, after some play.", highlight=False
    )


def _print_solver(console: Console, figures: Figures) -> None:
    ours = figures["best_play"][0]["median_seconds"]
    times = _table("mid-game", "median", "p99", "theirs to ours", "same optimum")
    for line in (figures["mask"], *figures["exact_masks"]):
        times.add_row(f"mask, {line['rules']}", *_times(line), "", "")
    for line in figures["best_play"]:
        own = line["name"] == "ours"
        times.add_row(
            "best play" if own else line["name"],
            *_times(line),
            "" if own else f"{line['median_seconds'] / ours:,.0f} x",
            "" if own else f"{line['same_optimum']} of {line['positions']}",
        )
    console.print(times)


def plot(figures: Figures, path: Path) -> None:
    """Draws the rates and the masks; the name of the file says in which format."""
    from matplotlib.figure import Figure

    masks = figures.get("mask_curve", [])
    panels = 2 if masks else 1
    figure = Figure(figsize=(6 * panels, 5), layout="constrained")
    bars, *others = figure.subplots(1, panels, squeeze=False)[0]
    rates = [
        (title_of(line), line["per_cpu_second"] / 1000) for line in figures["rates"]
    ]
    peers = [(line["name"], line["per_cpu_second"] / 1000) for line in figures["peers"]]
    for lines, color in ((rates, "tab:blue"), (peers, "tab:gray")):
        names = [name for name, _ in lines]
        bars.barh(names, [value for _, value in lines], color=color)
    bars.invert_yaxis()
    bars.set_xlabel("thousand decisions in a second of CPU time")
    for curves in others:
        _plot_masks(curves, masks)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def _plot_masks(curves: Any, masks: Sequence[Mapping[str, float]]) -> None:
    for jokers in range(JOKERS + 1):
        points = [line for line in masks if line["jokers"] == jokers]
        if not points:
            continue
        tiles = [line["tiles"] for line in points]
        for name, style in (("median", "-"), ("p99", ":")):
            curves.plot(
                tiles,
                [line[f"{name}_seconds"] * 1e3 for line in points],
                style,
                color=f"C{jokers}",
                label=f"jokers in play: {jokers}, {name}",
            )
    curves.set_xlabel("tiles on the table")
    curves.set_ylabel("mask, ms")
    curves.set_yscale("log")
    curves.legend()


def _table(first: str, *others: str) -> Table:
    table = Table()
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")
    return table


def _add_rate(table: Table, title: str, line: Mapping[str, Any], *ratios: str) -> None:
    table.add_row(
        title,
        f"{line['per_cpu_second']:,.0f}",
        f"{line['per_second']:,.0f}",
        *(ratios or ("", "")),
    )


def _times(line: Mapping[str, float]) -> tuple[str, str]:
    median, most = line["median_seconds"], line["p99_seconds"]
    return f"{median * 1e3:,.3g} ms", f"{most * 1e3:,.3g} ms"
