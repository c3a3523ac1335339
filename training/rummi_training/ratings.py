"""Strengths that explain who won: Bradley-Terry and Plackett-Luce.

`strengths` is one fit to all rounds: an agent of strength s wins with a probability in
proportion to exp(s) among those at its table. With two at a table that is the model of
Bradley and Terry, with more the first place of Plackett and Luce. `skills` is
openskill's Plackett-Luce, which goes through the rounds one by one and uses all places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rummi_training.jobs import Table
from rummi_training.mirrored import Game

ELO = 400 / np.log(10)
"""Points of Elo's scale for a strength of 1: with 400 points more the odds are 10."""

VIRTUAL = 1.0
"""Rounds won and rounds lost, for every agent, against one of average strength.

They keep strengths finite where somebody wins or loses all; among hundreds of rounds
they mean nothing.
"""

STEPS = 100
"""Newton steps at most; some ten are needed."""

TOLERANCE = 1e-9


def strengths(
    won: npt.NDArray[np.float64], tables: Sequence[Table], num_agents: int
) -> npt.NDArray[np.float64]:
    """Returns the most likely strengths, their mean 0.

    Args:
        won: float64[..., tables, players]; rounds won by those at each table, ties in
            parts. All along the first axes is fitted by itself.
        tables: who sits at each table; an agent may sit there several times.
        num_agents: how many agents there are.

    Returns:
        float64[..., agents].
    """
    seated = np.zeros((len(tables), len(tables[0]), num_agents))
    for number, table in enumerate(tables):
        seated[number, np.arange(len(table)), table] = 1.0
    rounds = won.sum(axis=-1)
    wins = np.einsum("...tm,tma->...a", won, seated)
    found = np.zeros(wins.shape)
    eye = np.eye(num_agents)
    for _ in range(STEPS):
        odds = np.exp(np.einsum("tma,...a->...tm", seated, found))
        chances = odds / odds.sum(axis=-1, keepdims=True)
        # The chance that any of an agent's places wins.
        expected = np.einsum("...tm,tma->...ta", chances, seated)
        even = 1 / (1 + np.exp(-found))
        slope = (
            wins
            - np.einsum("...t,...ta->...a", rounds, expected)
            + VIRTUAL * (1 - 2 * even)
        )
        bend = (
            np.einsum("...t,...ta,ab->...ab", rounds, expected, eye)
            - np.einsum("...t,...ta,...tb->...ab", rounds, expected, expected)
            + (2 * VIRTUAL * even * (1 - even))[..., None] * eye
        )
        step = np.linalg.solve(bend, slope[..., None])[..., 0]
        # The likelihood has one top, but far from it a whole step may go astray.
        found = found + np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < TOLERANCE:
            break
    centered: npt.NDArray[np.float64] = found - found.mean(axis=-1, keepdims=True)
    return centered


@dataclass(frozen=True)
class Skill:
    """A rating of openskill."""

    mu: float
    """Mean of what is believed of the skill; 25 before the first round."""

    sigma: float
    """Its standard deviation."""


def skills(
    games: Iterable[Game], tables: Sequence[Table], num_agents: int
) -> list[Skill]:
    """Rates agents by openskill's Plackett-Luce model, round by round.

    The winner comes first, the others follow by their scores. Agents that sit at a
    table several times get the mean of what their places get.

    Args:
        games: in the order in which they count.
        tables: who sits at each table.
        num_agents: how many agents there are.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    rated = [model.rating() for _ in range(num_agents)]
    for game in games:
        table = tables[game.table]
        places = list(zip(game.wins, game.scores, strict=True))
        ranks = [float(sum(other > place for other in places)) for place in places]
        teams = model.rate([[rated[agent]] for agent in table], ranks=ranks)
        for agent in set(table):
            mine = [
                team[0]
                for member, team in zip(table, teams, strict=True)
                if member == agent
            ]
            rated[agent].mu = sum(one.mu for one in mine) / len(mine)
            rated[agent].sigma = sum(one.sigma for one in mine) / len(mine)
    return [Skill(float(one.mu), float(one.sigma)) for one in rated]
