"""Results of an evaluation for people and programs: files, a table, a plot."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from rummi_training.figures import Figure, Results
from rummi_training.run_folder import write_json, write_whole

RESULTS_FILE = "results.json"
TABLE_FILE = "results.csv"
PLOT_FILE = "results.png"

FORMAT = 1
"""Counts up with every change of what `RESULTS_FILE` holds."""

INTERVAL = "95 %, Student's t over the deals; the games of a deal are averaged first"


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
    write_whole(out / PLOT_FILE, plot(results))


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


def plot(results: Results) -> bytes:
    """Draws win rates and scores with their intervals, as PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    agents = results.agents
    canvas = Canvas(figsize=(9, 1.6 + 0.5 * len(agents)), layout="constrained")
    FigureCanvasAgg(canvas)
    left, right = canvas.subplots(1, 2, sharey=True)
    places = range(len(agents))
    for axes, factor, par, label, figures in (
        (left, 100, 100 / len(agents), "win rate %", [a.win_rate for a in agents]),
        (right, 1, 0, "score a round", [a.score for a in agents]),
    ):
        means = [figure.mean * factor for figure in figures]
        halves = [(figure.high - figure.low) / 2 * factor for figure in figures]
        axes.axvline(par, color="0.6", linestyle="--", linewidth=1)
        axes.errorbar(means, places, xerr=halves, fmt="o", capsize=4)
        axes.set_xlabel(label)
        axes.margins(y=0.3)
    left.set_yticks(places, [agent.name for agent in agents])
    left.invert_yaxis()
    canvas.suptitle(f"{results.deals:,} mirrored deals, intervals of 95 %", fontsize=10)
    image = io.BytesIO()
    # No date or version: the same results give the same file.
    canvas.savefig(image, format="png", dpi=120, metadata={"Software": None})
    return image.getvalue()
