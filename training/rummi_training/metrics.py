"""Figures of a training run: to a CSV file and to TensorBoard."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
from stable_baselines3.common.logger import KVWriter, Logger, TensorBoardOutputFormat
from torch.utils.tensorboard import SummaryWriter

from rummi_training.learning_curves import METRICS_FILE as METRICS_FILE
from rummi_training.run_folder import write_whole

TENSORBOARD_FOLDER = "tensorboard"

COLUMNS = (
    "steps",
    "matches",
    "score",
    "won",
    "decisions_per_match",
    "entropy",
    "value_loss",
    "explained_variance",
    "approx_kl",
    "clip_fraction",
    "learning_rate",
    "agreement",
)
"""Columns of `METRICS_FILE`. None depends on how fast the machine is, so the same seed
gives the same file."""

FROM_TRAINER = {
    "train/value_loss": "value_loss",
    "train/explained_variance": "explained_variance",
    "train/approx_kl": "approx_kl",
    "train/clip_fraction": "clip_fraction",
    "train/learning_rate": "learning_rate",
}
"""Names that stable-baselines gives to the figures of an update."""


ON_BOARD = {
    "score": "matches/score",
    "won": "matches/won",
    "matches": "matches/finished",
    "decisions_per_match": "matches/own_decisions",
    "entropy": "policy/entropy",
    "agreement": "policy/agreement_with_teacher",
    "train/learning_rate": "policy/learning_rate",
    "train/approx_kl": "policy/kl_divergence",
    "train/clip_fraction": "policy/clipped_part",
    "train/clip_range": "policy/clip_range",
    "train/policy_gradient_loss": "policy/loss",
    "train/value_loss": "value/loss",
    "train/explained_variance": "value/explained_variance",
    "train/loss": "policy/total_loss",
}
"""Names of figures on TensorBoard, in groups; others keep theirs."""

NOT_ON_BOARD = ("train/entropy_loss",)
"""Figures that are there already: the entropy with another sign."""


class MetricsFile(KVWriter):
    """Writes one line for each update.

    Args:
        path: the file; lines of updates that will be done again are taken out of it.
        steps: decisions done before.
    """

    def __init__(self, path: Path, steps: int) -> None:
        kept = [list(COLUMNS)]
        if steps and path.exists():
            with path.open(newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file))[1:]
            kept += [row for row in rows if _is_before(row, steps)]
        table = io.StringIO()
        csv.writer(table, lineterminator="\n").writerows(kept)
        write_whole(path, table.getvalue())
        self._file = path.open("a", newline="", encoding="utf-8")
        self._writer = csv.writer(self._file, lineterminator="\n")

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...]],
        step: int = 0,
    ) -> None:
        """Writes the figures of one update."""
        named = {FROM_TRAINER.get(key, key): value for key, value in key_values.items()}
        named["steps"] = step
        self._writer.writerow([_text(named.get(name)) for name in COLUMNS])
        self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


class Board(TensorBoardOutputFormat):
    """Writes to TensorBoard.

    Args:
        folder: where to.
        steps: decisions done before; figures of later ones are taken back.
    """

    def __init__(self, folder: Path, steps: int) -> None:
        # Not by the base class, whose writer takes nothing back.
        self.writer = SummaryWriter(
            str(folder), purge_step=steps + 1 if steps else None
        )
        self._is_closed = False

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...]],
        step: int = 0,
    ) -> None:
        """Writes the figures of one update, by their names on the board."""
        names = {
            key: ON_BOARD.get(key, key) for key in key_values if key not in NOT_ON_BOARD
        }
        super().write(
            {name: key_values[key] for key, name in names.items()},
            {name: key_excluded[key] for key, name in names.items()},
            step,
        )


def metrics_logger(run: Path, steps: int) -> Logger:
    """Returns a logger that writes to the folder of a run.

    Args:
        run: the folder.
        steps: decisions done before; what was written after them is taken back.
    """
    board = Board(run / TENSORBOARD_FOLDER, steps)
    return Logger(str(run), [MetricsFile(run / METRICS_FILE, steps), board])


def _is_before(row: list[str], steps: int) -> bool:
    """Tells whether a line is whole and of an update before so many decisions."""
    whole = len(row) == len(COLUMNS)
    return whole and row[0].isdigit() and int(row[0]) <= steps


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, int | np.integer):
        return str(int(value))
    return f"{float(value):.6g}"
