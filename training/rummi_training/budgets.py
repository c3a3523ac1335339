"""Curves of strength against a parameter, such as the budget of an agent that searches.

They are found in a tournament: ``search:100`` and ``search:1000`` differ in one number,
and so do ``search:milliseconds=50`` and ``search:milliseconds=200``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rummi_training.figures import Figure
from rummi_training.standings import Standing, Standings


@dataclass(frozen=True)
class Curve:
    """One agent with several values of a parameter."""

    name: str
    """The agent, with the parameters that do not change."""

    label: str
    """What the parameter is called."""

    budgets: tuple[float, ...]
    """Its values, from the smallest on."""

    win_rates: tuple[Figure, ...]
    """Win rates at these."""

    scores: tuple[Figure, ...]
    """Paired score differences to the agent they all played; else scores."""

    score_label: str
    """Which of the two."""

    par: float
    """Win rate of equals."""

    title: str
    """What is drawn."""

    @property
    def is_logarithmic(self) -> bool:
        """Whether the values spread so far that their logarithms are drawn."""
        return self.budgets[0] > 0 and self.budgets[-1] >= 4 * self.budgets[0]


def curves_of(standings: Standings, played: Mapping[str, Any]) -> list[Curve]:
    """Returns the curves that are in a tournament.

    Args:
        standings: figures of the tournament.
        played: what was played: ``agents``, their ``bases`` and ``parameters``, and
            ``against``, the agent that all others played, if there is one.
    """
    against = played["against"]
    by_name = {agent.name: agent for agent in standings.agents}
    groups: dict[tuple[str, str], dict[float, Standing]] = {}
    for name, base, parameters in zip(
        played["agents"], played["bases"], played["parameters"], strict=True
    ):
        for label, value in parameters.items() if name != against else ():
            if type(value) in (int, float):
                others = {k: v for k, v in parameters.items() if k != label}
                kept = ",".join(f"{k}={v}" for k, v in sorted(others.items()))
                key = (f"{base}:{kept}" if kept else base, label)
                groups.setdefault(key, {})[value] = by_name[name]
    found = []
    for (name, label), agents in sorted(groups.items()):
        if len(agents) > 1:
            values = sorted(agents)
            listed = [agents[value] for value in values]
            found.append(_curve(name, label, values, listed, standings, against))
    return found


def _curve(
    name: str,
    label: str,
    values: Sequence[float],
    agents: Sequence[Standing],
    standings: Standings,
    against: str | None,
) -> Curve:
    place = "in the tournament" if against is None else f"against {against}"
    scores = [
        agent.score if against is None else standings.beside(agent.name, against).score
        for agent in agents
    ]
    return Curve(
        name=name,
        label=label,
        budgets=tuple(values),
        win_rates=tuple(agent.win_rate for agent in agents),
        scores=tuple(scores),
        score_label="score a round" if against is None else "paired score difference",
        par=1 / standings.players,
        title=(
            f"{name} {place}, {standings.deals:,} mirrored deals, intervals of 95 %"
        ),
    )
