"""Cross tables, standings and curves of games that were made up."""

import json
from itertools import combinations

import numpy as np
import pytest

from rummi_training.budgets import curves_of
from rummi_training.figures import figure
from rummi_training.jobs import Table
from rummi_training.mirrored import Game
from rummi_training.standings import Standings, standings_from, standings_of

NAMES = ("strong", "middle", "weak")
PAIRS: list[Table] = list(combinations(range(3), 2))


def game(deal: int, rotation: int, table: int, scores: tuple[float, ...]) -> Game:
    best = max(scores)
    wins = tuple((score == best) / scores.count(best) for score in scores)
    return Game(deal, rotation, scores, wins, turns=10, decisions=20, table=table)


def made_up(tables: list[Table], strength: list[float], deals: int = 200) -> list[Game]:
    rng = np.random.default_rng(3)
    return [
        game(
            deal,
            rotation,
            number,
            tuple(float(round(strength[agent] + rng.normal(0, 10))) for agent in table),
        )
        for number, table in enumerate(tables)
        for deal in range(deals)
        for rotation in range(len(tables[0]))
    ]


def test_standings_are_sorted_and_paired() -> None:
    games = made_up(PAIRS, [0.0, 8.0, 4.0])
    standings = standings_of(games, PAIRS, ("weak", "strong", "middle"))
    assert [agent.name for agent in standings.agents] == list(NAMES)
    assert (standings.deals, standings.games, standings.players) == (200, 1200, 2)
    assert [(pair.first, pair.second) for pair in standings.pairs] == [
        ("strong", "middle"),
        ("strong", "weak"),
        ("middle", "weak"),
    ]
    strong, _, weak = standings.agents
    assert strong.rating.low > weak.rating.high
    assert sum(agent.rating.mean for agent in standings.agents) == pytest.approx(0)
    assert sum(agent.win_rate.mean for agent in standings.agents) == pytest.approx(1.5)
    assert strong.skill.mu > weak.skill.mu
    pair = standings.pairs[1]
    assert pair.score.low < 8.0 < pair.score.high
    assert pair.ahead.low > 0.5


def test_two_agents_have_the_figures_of_an_evaluation() -> None:
    games = [
        game(0, 0, 0, (10.0, -10.0)),
        game(0, 1, 0, (-4.0, 4.0)),
        game(1, 0, 0, (6.0, -6.0)),
        game(1, 1, 0, (2.0, 2.0)),
    ]
    standings = standings_of(games, [(0, 1)], ("a", "b"))
    (pair,) = standings.pairs
    assert pair.score == figure([6.0, 6.0])
    assert pair.ahead == figure([0.5, 0.75])
    first, second = standings.agents
    assert first.name == "a"
    assert first.win_rate == figure([0.5, 0.75])
    assert second.score == figure([-3.0, -2.0])
    turned = standings.beside("b", "a")
    assert turned.score == figure([-6.0, -6.0])
    assert turned.ahead.mean == 0.375
    assert turned.ahead.low == pytest.approx(1 - pair.ahead.high)
    assert turned.turned().score == pair.score


def test_agent_beside_itself_is_even() -> None:
    games = [
        game(deal, rotation, 0, (1.0, -1.0) if rotation else (-1.0, 1.0))
        for deal in range(9)
        for rotation in range(2)
    ]
    (pair,) = standings_of(games, [(0, 1)], ("a", "a (2)")).pairs
    assert (pair.score.mean, pair.score.low, pair.score.high) == (0.0, 0.0, 0.0)
    assert (pair.ahead.mean, pair.ahead.low, pair.ahead.high) == (0.5, 0.5, 0.5)


def test_three_at_a_table_are_compared_by_place() -> None:
    games = [
        game(deal, rotation, 0, (5.0, -1.0, -4.0))
        for deal in range(4)
        for rotation in range(3)
    ]
    standings = standings_of(games, [(0, 1, 2)], NAMES)
    assert [agent.win_rate.mean for agent in standings.agents] == [1.0, 0.0, 0.0]
    middle = standings.beside("middle", "weak")
    assert (middle.score.mean, middle.ahead.mean) == (3.0, 1.0)


def test_agents_against_one_are_paired_with_the_mean_of_its_places() -> None:
    tables: list[Table] = [(0, 2, 2), (1, 2, 2)]
    games = [
        game(
            deal, rotation, table, (6.0, -2.0, -4.0) if not table else (0.0, 3.0, -3.0)
        )
        for table in range(2)
        for deal in range(3)
        for rotation in range(3)
    ]
    standings = standings_of(games, tables, ("a", "b", "par"))
    assert standings.beside("a", "par").score.mean == 9.0
    assert standings.beside("b", "par").score.mean == 0.0
    assert standings.beside("b", "par").ahead.mean == 0.5
    with pytest.raises(KeyError, match="a did not meet b"):
        standings.beside("a", "b")


@pytest.mark.parametrize("drop", [slice(0, 1), slice(-1, None)])
def test_missing_games_are_refused(drop: slice) -> None:
    games = made_up(PAIRS, [0.0, 1.0, 2.0], deals=3)
    del games[drop]
    with pytest.raises(ValueError, match="not every deal was played once"):
        standings_of(games, PAIRS, NAMES)


def test_standings_come_back_from_json() -> None:
    standings = standings_of(made_up(PAIRS, [0.0, 1.0, 2.0], deals=9), PAIRS, NAMES)
    written = json.loads(json.dumps(standings.to_dict()))
    assert standings_from(written) == standings


def budgets(against: bool) -> tuple[Standings, dict[str, object]]:
    names = ("s:10", "s:100", "s:5,depth=2", "par")
    tables: list[Table] = list(combinations(range(4), 2))
    if against:
        tables = [(0, 3), (1, 3), (2, 3)]
    games = made_up(tables, [0.0, 8.0, 3.0, 0.0], deals=50)
    played: dict[str, object] = {
        "agents": list(names),
        "bases": ["s", "s", "s", "par"],
        "parameters": [
            {"rollouts": 10},
            {"rollouts": 100},
            {"rollouts": 5, "depth": 2},
            {},
        ],
        "against": "par" if against else None,
    }
    return standings_of(games, tables, names), played


def test_curves_of_strength_are_found_by_their_parameter() -> None:
    standings, played = budgets(against=True)
    (curve,) = curves_of(standings, played)
    assert (curve.name, curve.label, curve.budgets) == ("s", "rollouts", (10, 100))
    assert curve.is_logarithmic
    assert curve.scores == (
        standings.beside("s:10", "par").score,
        standings.beside("s:100", "par").score,
    )
    assert curve.score_label == "paired score difference"
    assert "s against par" in curve.title


def test_curves_of_a_round_robin_have_scores() -> None:
    standings, played = budgets(against=False)
    (curve,) = curves_of(standings, played)
    by_name = {agent.name: agent for agent in standings.agents}
    assert curve.scores == (by_name["s:10"].score, by_name["s:100"].score)
    assert curve.win_rates == (by_name["s:10"].win_rate, by_name["s:100"].win_rate)
    assert curve.par == 0.5
