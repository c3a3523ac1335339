"""Figures of mirrored games with intervals.

The unit is the deal: the games of one deal are averaged first, as they are not
independent of each other. Intervals are 95 % by resampling the deals; see `bootstrap`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rummi_training.bootstrap import interval, resampled_means
from rummi_training.mirrored import Game


@dataclass(frozen=True)
class Figure:
    """A mean and its interval."""

    mean: float
    """Mean over the deals."""

    low: float
    """Lower end of the interval."""

    high: float
    """Upper end of the interval."""

    def __str__(self) -> str:
        """Return the mean with half the width of the interval."""
        return f"{self.mean:.3f} +- {(self.high - self.low) / 2:.3f}"


def figure(values: npt.ArrayLike) -> Figure:
    """Returns the mean of one value for each deal, with its interval."""
    return figures_of(np.asarray(values, np.float64)[:, None])[0]


def figures_of(values: npt.NDArray[np.float64]) -> list[Figure]:
    """Returns means over deals with their intervals, all by the same resamples.

    With a single deal there is no interval, and both ends are the mean.

    Args:
        values: float64[deals, figures].
    """
    means = values.mean(axis=0).tolist()
    low, high = interval(resampled_means(values), len(values))
    return [Figure(*of) for of in zip(means, low.tolist(), high.tolist(), strict=True)]


@dataclass(frozen=True)
class AgentFigures:
    """How one agent fared."""

    name: str
    """Its name."""

    win_rate: Figure
    """Rounds won; those who tie share one."""

    score: Figure
    """Score of a round."""


@dataclass(frozen=True)
class Difference:
    """The first agent beside another, on the same racks."""

    opponent: str
    """Who the other is."""

    score: Figure
    """Score of the first less the score of the other."""

    win_rate: Figure
    """Win rate of the first less that of the other."""


@dataclass(frozen=True)
class Results:
    """All figures of an evaluation."""

    deals: int
    """How many deals were played."""

    games: int
    """How many games that made."""

    agents: tuple[AgentFigures, ...]
    """How everybody fared."""

    differences: tuple[Difference, ...]
    """The first agent beside each of the others, paired by deal."""

    draws: Figure
    """Part of the rounds whose winners tied."""

    turns: Figure
    """Turns of a round."""

    decisions: Figure
    """Decisions of a round, of all players together."""

    def to_dict(self) -> dict[str, Any]:
        """Returns every figure by name, in types that JSON knows."""
        return asdict(self)


def results_from(written: Mapping[str, Any]) -> Results:
    """Returns what `Results.to_dict` was made from.

    Raises:
        KeyError: something is missing.
        TypeError: something is of another kind.
    """
    return Results(
        deals=written["deals"],
        games=written["games"],
        agents=tuple(
            AgentFigures(one["name"], Figure(**one["win_rate"]), Figure(**one["score"]))
            for one in written["agents"]
        ),
        differences=tuple(
            Difference(
                one["opponent"], Figure(**one["score"]), Figure(**one["win_rate"])
            )
            for one in written["differences"]
        ),
        draws=Figure(**written["draws"]),
        turns=Figure(**written["turns"]),
        decisions=Figure(**written["decisions"]),
    )


def results_of(games: Sequence[Game], names: Sequence[str]) -> Results:
    """Returns the figures of mirrored games.

    Args:
        games: every rotation of every deal.
        names: of the agents.

    Raises:
        ValueError: a rotation of a deal is missing or there twice.
    """
    by_deal: dict[int, list[Game]] = {}
    for game in games:
        by_deal.setdefault(game.deal, []).append(game)
    rotations = list(range(len(names)))
    for deal, played in by_deal.items():
        if sorted(game.rotation for game in played) != rotations:
            raise ValueError(f"deal {deal} was not played once for every rotation")
    deals = [by_deal[deal] for deal in sorted(by_deal)]
    others = rotations[1:]
    scores = np.array([[game.scores for game in played] for played in deals])
    wins = np.array([[game.wins for game in played] for played in deals])
    rest = np.array(
        [
            [(max(game.wins) < 1.0, game.turns, game.decisions) for game in played]
            for played in deals
        ],
        np.float64,
    )
    columns = [part.mean(axis=1) for part in (scores, wins, rest)]
    # The first agent beside each of the others, then everything by itself.
    pairs = [
        columns[0][:, :1] - columns[0][:, 1:],
        columns[1][:, :1] - columns[1][:, 1:],
    ]
    found = iter(figures_of(np.concatenate([*pairs, *columns], axis=1)))
    score_pairs, win_pairs = ([next(found) for _ in others] for _ in range(2))
    score, win_rate = ([next(found) for _ in names] for _ in range(2))
    draws, turns, decisions = found
    return Results(
        deals=len(deals),
        games=len(games),
        agents=tuple(map(AgentFigures, names, win_rate, score)),
        differences=tuple(map(Difference, names[1:], score_pairs, win_pairs)),
        draws=draws,
        turns=turns,
        decisions=decisions,
    )
