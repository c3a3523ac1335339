"""The score sheet of a match."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ScoreSheet:
    """Scores of the rounds that are over.

    >>> print(ScoreSheet(("player_0", "player_1"), ((12.0, -12.0), (-7.0, 7.0))))
    round  player_0  player_1
        1        12       -12
        2        -7         7
    total         5        -5
    """

    players: tuple[str, ...]
    """Names of the players, the columns."""

    rows: tuple[tuple[float, ...], ...]
    """For each round the score of every player."""

    @property
    def totals(self) -> tuple[float, ...]:
        """Sum of each player's scores."""
        if not self.rows:
            return (0.0,) * len(self.players)
        return tuple(map(sum, zip(*self.rows, strict=True)))

    def to_csv(self) -> str:
        """Returns the sheet as comma-separated values, in full precision."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(self._lines("{:.15g}"))
        return text.getvalue()

    def section(self) -> str:
        """Returns the sheet as a part of a text; nothing as long as it is empty."""
        if not self.rows:
            return ""
        return "\nScores\n" + "".join(f"  {line}\n" for line in str(self).splitlines())

    def __str__(self) -> str:
        """Returns the sheet as a table with aligned columns."""
        lines = self._lines("{:.2f}")
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join("  ".join(map(str.rjust, line, widths)) for line in lines)

    def _lines(self, fraction: str) -> list[list[str]]:
        """Returns the sheet as words: a head, a line for each round, the totals.

        Args:
            fraction: how a score that is no whole number is written.
        """

        def words(scores: Iterable[float]) -> list[str]:
            return [
                str(int(score)) if score.is_integer() else fraction.format(score)
                for score in scores
            ]

        return [
            ["round", *self.players],
            *([str(number), *words(row)] for number, row in enumerate(self.rows, 1)),
            ["total", *words(self.totals)],
        ]
