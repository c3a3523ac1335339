"""Plots as PNG, each for a light and for a dark page."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib import colormaps, rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import Normalize
from matplotlib.figure import Figure as Canvas
from matplotlib.layout_engine import ConstrainedLayoutEngine

from rummi_training.budgets import Curve
from rummi_training.figures import Figure, Results
from rummi_training.learning_curves import LearningCurves
from rummi_training.standings import Standings

DPI = 120

COLORS = ("#2a6fbb", "#d1700d", "#2b8a5e", "#b5417a", "#7a5cc0", "#8a7a1f", "#5b6770")
ON_DARK = ("#5b9fe6", "#f0953a", "#4fbf8c", "#e07cab", "#a78be8", "#c9b64a", "#9aa6b0")
"""Of curves and points, on a light and on a dark page; color-blind people can tell the
first ones apart."""

DIVERGING = "RdBu"
"""Colors of the heat map: red for less, blue for more."""

ROOM = 1.25
"""How far the colors go beyond the largest difference, so that text stays legible."""


class Shades(NamedTuple):
    """Colors of a page."""

    text: str
    faint: str
    page: str
    empty: str
    lines: tuple[str, ...]


LIGHT = Shades("#1d2126", "#8a9099", "#ffffff", "#eceef1", COLORS)
DARK = Shades("#e4e7eb", "#8a9099", "#16191d", "#2a2f36", ON_DARK)

MOST_WITH_TEXT = 24
"""Agents whose cells have room for numbers."""


def results_plot(results: Results, dark: bool = False) -> bytes:
    """Draws win rates and scores at one table with their intervals."""
    return _points(
        [agent.name for agent in results.agents],
        [
            ("win rate %", 100, 100 / len(results.agents),
             [agent.win_rate for agent in results.agents]),
            ("score a round", 1, 0, [agent.score for agent in results.agents]),
        ],
        f"{results.deals:,} mirrored deals, intervals of 95 %",
        dark,
    )  # fmt: skip


def standings_plot(standings: Standings, dark: bool = False) -> bytes:
    """Draws ratings, win rates and scores of a tournament with their intervals."""
    agents = standings.agents
    return _points(
        [agent.name for agent in agents],
        [
            ("rating", 1, 0, [agent.rating for agent in agents]),
            ("win rate %", 100, 100 / standings.players,
             [agent.win_rate for agent in agents]),
            ("score a round", 1, 0, [agent.score for agent in agents]),
        ],
        f"{standings.deals:,} mirrored deals at every table, intervals of 95 %",
        dark,
    )  # fmt: skip


def heat_map(standings: Standings, dark: bool = False) -> bytes:
    """Draws the cross table: who has how much more than whom, and how often."""
    names = [agent.name for agent in standings.agents]
    place = {name: index for index, name in enumerate(names)}
    number = len(names)
    cells = np.full((number, number), np.nan)
    texts: dict[tuple[int, int], str] = {}
    for pair in standings.pairs:
        row, column = place[pair.first], place[pair.second]
        score, ahead = pair.score.mean, pair.ahead.mean
        cells[row, column], cells[column, row] = score, -score
        texts[row, column] = f"{score:+.1f}\n{100 * ahead:.0f} %"
        texts[column, row] = f"{-score:+.1f}\n{100 * (1 - ahead):.0f} %"
    most = max(float(np.nanmax(np.abs(cells), initial=0.0)), 1e-9)
    side = max(3.4, 0.62 * number)
    longest = max(map(len, names))

    def draw(canvas: Canvas, shades: Shades) -> None:
        axes = canvas.subplots()
        norm = Normalize(-ROOM * most, ROOM * most)
        cmap = colormaps[DIVERGING].with_extremes(bad=shades.empty)
        image = axes.imshow(cells, cmap=cmap, norm=norm)
        axes.set_xticks(
            range(number), names, fontsize=9,
            rotation=40, ha="left", rotation_mode="anchor",
        )  # fmt: skip
        axes.set_yticks(range(number), names, fontsize=9)
        axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False)
        axes.tick_params(length=0)
        for side_ in axes.spines.values():
            side_.set_visible(False)
        axes.set_xticks(np.arange(number + 1) - 0.5, minor=True)
        axes.set_yticks(np.arange(number + 1) - 0.5, minor=True)
        axes.grid(which="minor", color=shades.page, linewidth=2)
        axes.tick_params(which="minor", top=False, bottom=False, left=False)
        for (row, column), text in texts.items() if number <= MOST_WITH_TEXT else ():
            red, green, blue, _ = cmap(norm(cells[row, column]))
            light = 0.3 * red + 0.59 * green + 0.11 * blue > 0.55
            axes.text(column, row, text, ha="center", va="center", fontsize=8,
                      color=LIGHT.text if light else DARK.text)  # fmt: skip
        bar = canvas.colorbar(image, ax=axes, shrink=0.8)
        bar.set_label("row less column, score a round", fontsize=9)
        bar.ax.tick_params(labelsize=8)
        bar.outline.set_visible(False)

    size = (side + 1.8 + 0.09 * longest, side + 0.6 + 0.06 * longest)
    return _drawn(size, draw, dark)


def budget_plot(curve: Curve, dark: bool = False) -> bytes:
    """Draws strength against the parameter of an agent."""

    def draw(canvas: Canvas, shades: Shades) -> None:
        for axes, (label, factor, par, figures) in zip(
            canvas.subplots(1, 2),
            (
                ("win rate %", 100, 100 * curve.par, curve.win_rates),
                (curve.score_label, 1, 0.0, curve.scores),
            ),
            strict=True,
        ):
            axes.axhline(par, color=shades.faint, linestyle="--", linewidth=1)
            means, ends = _parts(figures, factor)
            axes.errorbar(
                curve.budgets,
                means,
                yerr=ends,
                fmt="o-",
                capsize=4,
                color=shades.lines[0],
            )
            if curve.is_logarithmic:
                axes.set_xscale("log")
            axes.set_xticks(curve.budgets, [f"{budget:g}" for budget in curve.budgets])
            axes.minorticks_off()
            axes.set_xlabel(curve.label)
            axes.set_ylabel(label)
        canvas.suptitle(curve.title, fontsize=10)

    return _drawn((9, 3.6), draw, dark)


def learning_plot(curves: LearningCurves, dark: bool = False) -> bytes:
    """Draws what runs learned, by decisions; the thin lines are single updates."""
    panels = curves.panels()
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)

    def draw(canvas: Canvas, shades: Shades) -> None:
        grid = canvas.subplots(rows, columns, squeeze=False)
        for axes in grid.ravel()[len(panels) :]:
            axes.set_visible(False)
        for axes, (title, lines) in zip(grid.ravel(), panels, strict=False):
            for number, (name, line) in enumerate(lines):
                color = shades.lines[number % len(shades.lines)]
                axes.plot(line.steps, line.values, color=color, alpha=0.25, linewidth=1)
                axes.plot(line.steps, line.smooth, color=color, linewidth=2, label=name)
            axes.set_title(title, fontsize=10)
            axes.xaxis.set_major_formatter(_thousands)
        grid[0, 0].legend(fontsize=8, frameon=False)
        canvas.supxlabel("decisions", fontsize=10)

    return _drawn((3.6 * columns, 2.6 * rows + 0.3), draw, dark)


def _thousands(value: float, _: int | None = None) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g} {unit}"
    return f"{value:g}"


def _points(
    names: Sequence[str],
    panels: Sequence[tuple[str, float, float, Sequence[Figure]]],
    title: str,
    dark: bool,
) -> bytes:
    """Draws figures of agents side by side: label, factor, par and figures of each."""
    places = range(len(names))

    def draw(canvas: Canvas, shades: Shades) -> None:
        many = canvas.subplots(1, len(panels), sharey=True)
        for axes, (label, factor, par, figures) in zip(many, panels, strict=True):
            means, ends = _parts(figures, factor)
            axes.axvline(par, color=shades.faint, linestyle="--", linewidth=1)
            axes.errorbar(
                means, places, xerr=ends, fmt="o", capsize=4, color=shades.lines[0]
            )
            axes.set_xlabel(label)
            axes.margins(y=0.3 / len(names))
            axes.set_ylim(len(names) - 0.5, -0.5)
        many[0].set_yticks(places, names)
        canvas.suptitle(title, fontsize=10)

    return _drawn((3 * len(panels) + 3, 1.4 + 0.42 * len(names)), draw, dark)


def _parts(
    figures: Sequence[Figure], factor: float
) -> tuple[list[float], list[list[float]]]:
    """Returns means, and how far the intervals go below and above them."""
    means = [figure.mean * factor for figure in figures]
    below = [max(0.0, figure.mean - figure.low) * factor for figure in figures]
    above = [max(0.0, figure.high - figure.mean) * factor for figure in figures]
    return means, [below, above]


def _drawn(size: tuple[float, float], draw: Any, dark: bool) -> bytes:
    shades = DARK if dark else LIGHT
    style: Any = {
        "axes.edgecolor": shades.faint,
        "axes.facecolor": shades.page,
        "axes.labelcolor": shades.text,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlecolor": shades.text,
        "figure.facecolor": shades.page,
        "savefig.facecolor": shades.page,
        "text.color": shades.text,
        "xtick.color": shades.faint,
        "xtick.labelcolor": shades.text,
        "ytick.color": shades.faint,
        "ytick.labelcolor": shades.text,
    }
    image = io.BytesIO()
    with rc_context(style):
        canvas = Canvas(figsize=size, layout=ConstrainedLayoutEngine(h_pad=0.08))
        FigureCanvasAgg(canvas)
        draw(canvas, shades)
        # No date or version: the same results give the same file.
        canvas.savefig(image, format="png", dpi=DPI, metadata={"Software": None})
    return image.getvalue()
