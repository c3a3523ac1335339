"""The score sheet of a match."""

from __future__ import annotations

import csv
import io
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

    def lines(self) -> list[list[str]]:
        """Returns the sheet as words: a head, a line for each round, the totals."""
        numbered = [(str(index), row) for index, row in enumerate(self.rows, start=1)]
        return [
            ["round", *self.players],
            *([name, *map(_text, row)] for name, row in numbered),
            ["total", *map(_text, self.totals)],
        ]

    def to_csv(self) -> str:
        """Returns the sheet as comma-separated values."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(self.lines())
        return text.getvalue()

    def section(self) -> str:
        """Returns the sheet as a part of a text; nothing as long as it is empty."""
        if not self.rows:
            return ""
        return "\nScores\n" + "".join(f"  {line}\n" for line in str(self).splitlines())

    def __str__(self) -> str:
        """Returns the sheet as a table with aligned columns."""
        lines = self.lines()
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(map(str.rjust, line, widths)).rstrip() for line in lines
        )


def _text(score: float) -> str:
    return str(int(score)) if score.is_integer() else f"{score:.2f}"
