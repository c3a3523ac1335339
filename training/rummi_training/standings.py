"""Figures of a tournament: standings, ratings and the cross table, with intervals.

As in `figures`, the unit is the deal. All tables play the same deals, so a resample
draws deals for all of them at once and every difference is paired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from rummi_training.bootstrap import interval, resampled_means
from rummi_training.figures import Figure
from rummi_training.jobs import Table
from rummi_training.mirrored import Game
from rummi_training.ratings import ELO, Skill, skills, strengths

RATED = 1000
"""Resamples for the intervals of ratings."""

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Standing:
    """How one agent fared in all of its games."""

    name: str
    """Its name."""

    rating: Figure
    """Bradley-Terry or Plackett-Luce strength on Elo's scale, the mean of all is 0."""

    skill: Skill
    """Rating of openskill."""

    win_rate: Figure
    """Rounds won; those who tie share one."""

    score: Figure
    """Score of a round."""


@dataclass(frozen=True)
class Pair:
    """One agent beside another, in all games that both were in."""

    first: str
    """The one."""

    second: str
    """The other."""

    score: Figure
    """Score of the one less the score of the other, a round."""

    ahead: Figure
    """Part of the rounds in which the one came before the other; ties count half.

    The winner comes first, the others follow by their scores. With two at a table it is
    the win rate.
    """

    def turned(self) -> Pair:
        """Returns the other beside the one."""
        score, ahead = self.score, self.ahead
        return Pair(
            self.second,
            self.first,
            Figure(-score.mean, -score.high, -score.low),
            Figure(1 - ahead.mean, 1 - ahead.high, 1 - ahead.low),
        )


@dataclass(frozen=True)
class Standings:
    """All figures of a tournament."""

    deals: int
    """How many deals every table played."""

    games: int
    """How many games that made, at all tables."""

    players: int
    """How many sat at a table."""

    tables: tuple[tuple[str, ...], ...]
    """Who sat at each table."""

    agents: tuple[Standing, ...]
    """How everybody fared, the highest rating first."""

    pairs: tuple[Pair, ...]
    """Everybody beside everybody whom they met, in the order of the standings."""

    def to_dict(self) -> dict[str, Any]:
        """Returns every figure by name, in types that JSON knows."""
        return asdict(self)

    def beside(self, first: str, second: str) -> Pair:
        """Returns one agent beside another.

        Raises:
            KeyError: they did not meet.
        """
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
            if (pair.second, pair.first) == (first, second):
                return pair.turned()
        raise KeyError(f"{first} did not meet {second}")


def standings_from(written: Mapping[str, Any]) -> Standings:
    """Returns what `Standings.to_dict` was made from.

    Raises:
        KeyError: something is missing.
        TypeError: something is of another kind.
    """
    agents = [
        Standing(
            name=agent["name"],
            skill=Skill(**agent["skill"]),
            **{name: Figure(**agent[name]) for name in ("rating", "win_rate", "score")},
        )
        for agent in written["agents"]
    ]
    pairs = [
        Pair(
            pair["first"], pair["second"], Figure(**pair["score"]),
            Figure(**pair["ahead"]),
        )
        for pair in written["pairs"]
    ]  # fmt: skip
    return Standings(
        deals=written["deals"],
        games=written["games"],
        players=written["players"],
        tables=tuple(tuple(table) for table in written["tables"]),
        agents=tuple(agents),
        pairs=tuple(pairs),
    )


def standings_of(
    games: Sequence[Game], tables: Sequence[Table], names: Sequence[str]
) -> Standings:
    """Returns the figures of a tournament.

    Args:
        games: every rotation of every deal at every table.
        tables: who sits at each table.
        names: of the agents.

    Raises:
        ValueError: a game is missing or there twice.
    """
    scores, wins, ahead = _by_deal(games, tables)
    deals, number = len(scores), len(names)
    pairs = [
        pair
        for pair in combinations(range(number), 2)
        if any(set(pair) <= set(table) for table in tables)
    ]
    agents = range(number)
    columns = [
        *(_mean_of(wins, tables, agent) for agent in agents),
        *(_mean_of(scores, tables, agent) for agent in agents),
        *(_mean_of_pair(scores, tables, *pair) for pair in pairs),
        *(_mean_ahead(ahead, tables, *pair) for pair in pairs),
    ]
    flat = wins.reshape(deals, -1)
    values = np.concatenate([np.stack(columns, axis=1), flat], axis=1)
    drawn = resampled_means(values)
    means, (low, high) = values.mean(axis=0), interval(drawn[:, : len(columns)], deals)
    found = iter(
        [
            Figure(float(means[i]), float(low[i]), float(high[i]))
            for i in range(len(low))
        ]
    )
    win_rate, score = ([next(found) for _ in agents] for _ in range(2))
    pair_score, pair_ahead = ([next(found) for _ in pairs] for _ in range(2))
    # Of all rounds: each deal was played once for every rotation.
    rounds = deals * len(tables[0])
    won = rounds * np.concatenate([means[None], drawn[:RATED]])[:, len(columns) :]
    rated = ELO * strengths(won.reshape(-1, *wins.shape[1:]), tables, number)
    rating = [
        Figure(float(mean), float(least), float(most))
        for mean, least, most in zip(rated[0], *interval(rated[1:], deals), strict=True)
    ]
    skill = skills(_in_order(games), tables, number)
    listed = [
        Standing(names[agent], rating[agent], skill[agent], win_rate[agent],
                 score[agent])
        for agent in agents
    ]  # fmt: skip
    rank = sorted(agents, key=lambda agent: -rating[agent].mean)
    place = {agent: index for index, agent in enumerate(rank)}
    met = {}
    for pair, points, before in zip(pairs, pair_score, pair_ahead, strict=True):
        one, other = pair
        figures = Pair(names[one], names[other], points, before)
        if place[one] > place[other]:
            one, other, figures = other, one, figures.turned()
        met[place[one], place[other]] = figures
    return Standings(
        deals=deals,
        games=len(games),
        players=len(tables[0]),
        tables=tuple(tuple(names[agent] for agent in table) for table in tables),
        agents=tuple(listed[agent] for agent in rank),
        pairs=tuple(met[key] for key in sorted(met)),
    )


def _in_order(games: Sequence[Game]) -> list[Game]:
    return sorted(games, key=lambda game: (game.deal, game.table, game.rotation))


def _by_deal(
    games: Sequence[Game], tables: Sequence[Table]
) -> tuple[Values, Values, Values]:
    """Returns means over the games of a deal, in arrays [deals, tables, players].

    Scores, rounds won, and [deals, tables, players, players] who came before whom.

    Raises:
        ValueError: a game is missing or there twice.
    """
    players = len(tables[0])
    listed = _in_order(games)
    deals = sorted({game.deal for game in games})
    wanted = [
        (deal, table, rotation)
        for deal in deals
        for table in range(len(tables))
        for rotation in range(players)
    ]
    if [(game.deal, game.table, game.rotation) for game in listed] != wanted:
        raise ValueError(
            "not every deal was played once for every rotation at every table"
        )
    shape = (len(deals), len(tables), players, players)
    scores = np.array([game.scores for game in listed]).reshape(shape)
    wins = np.array([game.wins for game in listed]).reshape(shape)
    more = np.sign(scores[..., :, None] - scores[..., None, :])
    won = np.sign(wins[..., :, None] - wins[..., None, :])
    ahead = (np.where(won != 0, won, more) + 1) / 2
    return scores.mean(axis=2), wins.mean(axis=2), ahead.mean(axis=2)


def _places(table: Table, agent: int) -> list[int]:
    return [place for place, member in enumerate(table) if member == agent]


def _mean_of(values: Values, tables: Sequence[Table], agent: int) -> Values:
    """Returns the mean over all places of an agent, float64[deals]."""
    parts = [
        values[:, number, _places(table, agent)]
        for number, table in enumerate(tables)
        if agent in table
    ]
    return cast(Values, np.concatenate(parts, axis=1).mean(axis=1))


def _mean_of_pair(
    values: Values, tables: Sequence[Table], one: int, other: int
) -> Values:
    """Returns how much more one has than the other where both sit, float64[deals]."""
    parts = [
        values[:, number, _places(table, one)].mean(axis=1)
        - values[:, number, _places(table, other)].mean(axis=1)
        for number, table in enumerate(tables)
        if {one, other} <= set(table)
    ]
    return cast(Values, np.mean(parts, axis=0))


def _mean_ahead(ahead: Values, tables: Sequence[Table], one: int, other: int) -> Values:
    """Returns how often one came before the other where both sit, float64[deals]."""
    parts = [
        ahead[:, number][:, _places(table, one)][:, :, _places(table, other)]
        for number, table in enumerate(tables)
        if {one, other} <= set(table)
    ]
    return cast(Values, np.mean([part.mean(axis=(1, 2)) for part in parts], axis=0))
