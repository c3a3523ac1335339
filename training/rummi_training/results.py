"""Results of an evaluation for people and programs: files, a table, a plot."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from rummi_training import plots
from rummi_training.figures import Figure, Results
from rummi_training.run_folder import write_json, write_whole

RESULTS_FILE = "results.json"
TABLE_FILE = "results.csv"
PLOT_FILE = "results.png"

FORMAT = 1
"""Counts up with every change of what `RESULTS_FILE` holds."""

INTERVAL = (
    "95 %, expanded percentiles of resampled deals; a deal keeps its games together"
)


def write_results(out: Path, results: Results, played: dict[str, Any]) -> None:
    """Writes the figures as JSON and CSV, and the plot.

    Args:
        out: an existing folder.
        results: all figures.
        played: what was played.
    """
    write_json(
        out / RESULTS_FILE,
        {
            "format": FORMAT,
            "interval": INTERVAL,
            "played": played,
            "results": results.to_dict(),
        },
    )
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["figure", "agent", "mean", "low", "high"])
    for what, who, figure in rows(results):
        writer.writerow([what, who, figure.mean, figure.low, figure.high])
    write_whole(out / TABLE_FILE, table.getvalue())
    write_whole(out / PLOT_FILE, plots.results_plot(results))


def rows(results: Results) -> list[tuple[str, str, Figure]]:
    """Returns every figure with what it is and whom it is about."""
    first = results.agents[0].name
    listed = []
    for agent in results.agents:
        listed.append(("win rate", agent.name, agent.win_rate))
        listed.append(("score", agent.name, agent.score))
    for difference in results.differences:
        pair = f"{first} - {difference.opponent}"
        listed.append(("paired win rate difference", pair, difference.win_rate))
        listed.append(("paired score difference", pair, difference.score))
    listed.append(("draws", "", results.draws))
    listed.append(("turns", "", results.turns))
    listed.append(("decisions", "", results.decisions))
    return listed


def print_results(console: Console, results: Results) -> None:
    """Prints the figures as a table."""
    rotations = len(results.agents)
    table = Table(
        title=f"{results.deals:,} mirrored deals, {results.games:,} games",
        caption="intervals of 95 % over the deals",
        title_justify="left",
        caption_justify="left",
    )
    table.add_column("agent")
    for heading in ("win rate %", "score a round", "paired score difference"):
        table.add_column(heading, justify="right")
    differences = {item.opponent: item.score for item in results.differences}
    for agent in results.agents:
        beside = differences.get(agent.name)
        table.add_row(
            agent.name,
            shown(agent.win_rate, 100, 1),
            shown(agent.score, 1, 2),
            "" if beside is None else shown(beside, 1, 2, signed=True),
        )
    console.print(table)
    console.print(
        f"par is {100 / rotations:.1f} % of the rounds; draws "
        f"{shown(results.draws, 100, 1)} %, turns {shown(results.turns, 1, 1)} and "
        f"decisions {shown(results.decisions, 1, 1)} a round",
        highlight=False,
    )


def verdict(results: Results) -> str:
    """Says in a sentence what the figures show, and no more."""
    first = results.agents[0]
    told = []
    for difference in results.differences:
        score = difference.score
        numbers = f"{shown(score, 1, 2, signed=True)} points a round on the same racks"
        if score.low > 0:
            told.append(f"{first.name} beats {difference.opponent}: {numbers}")
        elif score.high < 0:
            told.append(f"{first.name} loses to {difference.opponent}: {numbers}")
        else:
            told.append(
                f"{first.name} against {difference.opponent} is not decided by these "
                f"deals: {numbers}, and the interval holds 0"
            )
    return "; ".join(told)


def shown(figure: Figure, factor: float, digits: int, signed: bool = False) -> str:
    """Returns a figure as text: the mean and half the width of its interval."""
    sign = "+" if signed else ""
    half = (figure.high - figure.low) / 2 * factor
    return f"{figure.mean * factor:{sign}.{digits}f} ± {half:.{digits}f}"
