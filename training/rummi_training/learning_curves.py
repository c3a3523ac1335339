"""What training runs learned, read from the files with their figures."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

METRICS_FILE = "metrics.csv"

TITLES = {
    "score": "score a match",
    "won": "matches won",
    "agreement": "agreement with the teacher",
    "entropy": "entropy of the choices",
    "explained_variance": "explained variance of the values",
    "approx_kl": "KL divergence of an update",
    "decisions_per_match": "own decisions a match",
}
"""Columns that are drawn, and how they are called."""

WINDOW = 0.05
"""Part of a run over which is averaged."""


@dataclass(frozen=True)
class Line:
    """One figure of one run."""

    steps: npt.NDArray[np.float64]
    """Decisions made, for each update that has the figure."""

    values: npt.NDArray[np.float64]
    """The figure."""

    smooth: npt.NDArray[np.float64]
    """Its mean over the updates around."""


@dataclass(frozen=True)
class LearningCurves:
    """Figures of one run or more, by column."""

    names: tuple[str, ...]
    """Of the runs."""

    lines: tuple[dict[str, Line], ...]
    """Of each run."""

    def panels(self) -> list[tuple[str, list[tuple[str, Line]]]]:
        """Returns titles with the lines under them, without empty ones."""
        found = []
        for column, title in TITLES.items():
            lines = [
                (name, of[column])
                for name, of in zip(self.names, self.lines, strict=True)
                if column in of
            ]
            if lines:
                found.append((title, lines))
        return found


def has_learning_curves(folder: Path) -> bool:
    """Tells whether a folder is that of a training run."""
    return (folder / METRICS_FILE).is_file()


def read_learning_curves(
    folders: Sequence[Path], names: Sequence[str]
) -> LearningCurves:
    """Reads the figures of runs.

    Args:
        folders: of the runs.
        names: what to call them.

    Raises:
        ValueError: a file is missing or damaged.
    """
    lines = tuple(_read(folder / METRICS_FILE) for folder in folders)
    return LearningCurves(tuple(names), lines)


def _read(path: Path) -> dict[str, Line]:
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from error
    found = {}
    try:
        for column in TITLES:
            pairs = [
                (float(row["steps"]), float(row[column]))
                for row in rows
                # A last line may be cut off where a run was killed.
                if row.get("steps") and row.get(column)
            ]
            if pairs:
                steps, values = np.array(pairs).T
                found[column] = Line(steps, values, _smooth(values))
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from error
    return found


def _smooth(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Returns means over the updates around each, fewer of them near the ends."""
    half = max(1, round(WINDOW * values.size / 2))
    sums = np.concatenate([[0.0], np.cumsum(values)])
    places = np.arange(values.size)
    first = np.maximum(places - half, 0)
    last = np.minimum(places + half + 1, values.size)
    smooth: npt.NDArray[np.float64] = (sums[last] - sums[first]) / (last - first)
    return smooth
