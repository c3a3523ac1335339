"""Results of a tournament for people and programs: files, tables, plots, a page."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from rummi_training import plots
from rummi_training.bootstrap import RESAMPLES
from rummi_training.budgets import curves_of
from rummi_training.figures import Figure
from rummi_training.report import REPORT_FILE, runs_of, write_report
from rummi_training.results import (
    FORMAT,
    INTERVAL,
    PLOT_FILE,
    RESULTS_FILE,
    TABLE_FILE,
    shown,
)
from rummi_training.run_folder import write_json, write_whole
from rummi_training.standings import Pair, Standings

CROSS_FILE = "cross_table.csv"
HEAT_MAP_FILE = "heat_map.png"
BUDGET_FILE = "budget.png"


def write_standings(
    out: Path,
    standings: Standings,
    played: dict[str, Any],
    agents: Sequence[str],
) -> None:
    """Writes the figures as JSON, CSV and plots, and a page about all of them.

    Args:
        out: an existing folder.
        standings: all figures.
        played: what was played, and ``against`` whom, if all others played one agent.
        agents: what the agents were made from.
    """
    write_json(
        out / RESULTS_FILE,
        {
            "format": FORMAT,
            "interval": INTERVAL,
            "resamples": RESAMPLES,
            "played": played,
            "standings": standings.to_dict(),
        },
    )
    write_whole(out / TABLE_FILE, _standings_text(standings))
    write_whole(out / CROSS_FILE, _cross_text(standings))
    write_whole(out / PLOT_FILE, plots.standings_plot(standings))
    if played["against"] is None:
        write_whole(out / HEAT_MAP_FILE, plots.heat_map(standings))
    for number, curve in enumerate(curves_of(standings, played)):
        name = BUDGET_FILE if not number else f"budget_{number + 1}.png"
        write_whole(out / name, plots.budget_plot(curve))
    write_report(out / REPORT_FILE, [out], runs=runs_of(agents))


def print_standings(console: Console, standings: Standings) -> None:
    """Prints the standings and the cross table."""
    table = Table(
        title=(
            f"{standings.deals:,} mirrored deals at {len(standings.tables)} "
            f"table{'s' if len(standings.tables) > 1 else ''} of {standings.players}, "
            f"{standings.games:,} games"
        ),
        caption="intervals of 95 % by resampling the deals; ratings on Elo's scale",
        title_justify="left",
        caption_justify="left",
    )
    table.add_column("agent")
    for heading in ("rating", "score a round", "win rate %", "openskill"):
        table.add_column(heading, justify="right")
    for agent in standings.agents:
        table.add_row(
            agent.name,
            shown(agent.rating, 1, 0, signed=True),
            shown(agent.score, 1, 2, signed=True),
            shown(agent.win_rate, 100, 1),
            f"{agent.skill.mu:.2f} ± {1.96 * agent.skill.sigma:.2f}",
        )
    console.print(table)
    pairs = Table(
        title="one beside the other", title_justify="left", caption_justify="left"
    )
    share = "won %" if standings.players == 2 else "came before %"
    for heading in ("agent", "beside"):
        pairs.add_column(heading)
    for heading in ("paired score difference", share):
        pairs.add_column(heading, justify="right")
    for pair in standings.pairs:
        pairs.add_row(
            pair.first,
            pair.second,
            shown(pair.score, 1, 2, signed=True),
            shown(pair.ahead, 100, 1),
        )
    console.print(pairs)


def _standings_text(standings: Standings) -> str:
    figures = ("rating", "score", "win_rate")
    head = ["agent"]
    for name in figures:
        head += [name, f"{name}_low", f"{name}_high"]
    lines: list[list[object]] = [[*head, "openskill_mu", "openskill_sigma"]]
    for agent in standings.agents:
        numbers = [end for name in figures for end in _numbers(getattr(agent, name))]
        lines.append([agent.name, *numbers, agent.skill.mu, agent.skill.sigma])
    return _text(lines)


def _cross_text(standings: Standings) -> str:
    head = ["agent", "beside"]
    for name in ("score_difference", "ahead"):
        head += [name, f"{name}_low", f"{name}_high"]
    lines: list[list[object]] = [list(head)]
    lines += [_line(pair) for pair in standings.pairs]
    return _text(lines)


def _line(pair: Pair) -> list[object]:
    return [pair.first, pair.second, *_numbers(pair.score), *_numbers(pair.ahead)]


def _numbers(figure: Figure) -> list[float]:
    return [figure.mean, figure.low, figure.high]


def _text(lines: Sequence[Sequence[object]]) -> str:
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows(lines)
    return table.getvalue()
