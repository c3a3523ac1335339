"""Figures of mirrored games with intervals.

The unit is the deal: the games of one deal are averaged first, as they are not
independent of each other. An interval is that of Student's t over the deals, at 95 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from rummi_training.mirrored import Game

CONFIDENCE = 0.95


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
    """Returns the mean of one value for each deal, with its interval.

    With a single deal there is no interval, and both ends are the mean.
    """
    array = np.asarray(values, np.float64)
    mean = float(array.mean())
    if array.size < 2:
        return Figure(mean, mean, mean)
    error = float(array.std(ddof=1)) / array.size**0.5
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, array.size - 1)) * error
    return Figure(mean, mean - half, mean + half)


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

    def over_deals(values: Iterable[Iterable[float]]) -> npt.NDArray[np.float64]:
        return np.array([np.mean(list(row)) for row in values])

    scores = [
        over_deals((game.scores[agent] for game in played) for played in deals)
        for agent in rotations
    ]
    wins = [
        over_deals((game.wins[agent] for game in played) for played in deals)
        for agent in rotations
    ]
    return Results(
        deals=len(deals),
        games=len(games),
        agents=tuple(
            AgentFigures(name, figure(wins[agent]), figure(scores[agent]))
            for agent, name in enumerate(names)
        ),
        differences=tuple(
            Difference(
                names[other],
                figure(scores[0] - scores[other]),
                figure(wins[0] - wins[other]),
            )
            for other in rotations[1:]
        ),
        draws=figure(
            over_deals((max(game.wins) < 1.0 for game in played) for played in deals)
        ),
        turns=figure(over_deals((game.turns for game in played) for played in deals)),
        decisions=figure(
            over_deals((game.decisions for game in played) for played in deals)
        ),
    )
