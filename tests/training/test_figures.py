"""Means, intervals and paired differences of mirrored games."""

import numpy as np
import pytest
from scipy import stats

from rummi_training.figures import figure, results_of
from rummi_training.mirrored import Game


def game(deal: int, rotation: int, scores: tuple[float, ...]) -> Game:
    best = max(scores)
    winners = scores.count(best)
    wins = tuple((score == best) / winners for score in scores)
    return Game(deal, rotation, scores, wins, turns=10, decisions=20)


def test_interval_is_that_of_students_t() -> None:
    values = np.array([1.0, 4.0, 2.0, 8.0, 5.0])
    found = figure(values)
    low, high = stats.t.interval(
        0.95, 4, loc=values.mean(), scale=stats.sem(values, ddof=1)
    )
    assert (found.mean, found.low, found.high) == pytest.approx((4.0, low, high))


def test_interval_holds_the_truth_in_95_of_100_cases() -> None:
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(1000):
        found = figure(rng.normal(3.0, 22.0, size=40))
        held += found.low <= 3.0 <= found.high
    assert 930 <= held <= 970


def test_equal_values_have_an_interval_of_no_width() -> None:
    found = figure(np.zeros(10))
    assert (found.mean, found.low, found.high) == (0.0, 0.0, 0.0)


def test_games_of_a_deal_are_averaged_before_deals_are_compared() -> None:
    games = [
        game(0, 0, (10.0, -10.0)),
        game(0, 1, (-4.0, 4.0)),
        game(1, 0, (6.0, -6.0)),
        game(1, 1, (2.0, -2.0)),
    ]
    results = results_of(games, ["a", "b"])
    assert results.deals == 2
    assert results.games == 4
    a, b = results.agents
    assert (a.score.mean, b.score.mean) == (3.5, -3.5)
    assert (a.win_rate.mean, b.win_rate.mean) == (0.75, 0.25)
    assert results.differences[0].score == figure([6.0, 8.0])
    assert results.differences[0].win_rate == figure([0.0, 1.0])
    assert results.draws.mean == 0.0


def test_ties_are_draws_and_shared() -> None:
    games = [game(0, 0, (0.0, 0.0)), game(0, 1, (0.0, 0.0))]
    games += [game(1, 0, (1.0, -1.0)), game(1, 1, (1.0, -1.0))]
    results = results_of(games, ["a", "b"])
    assert results.draws.mean == 0.5
    assert results.agents[1].win_rate.mean == 0.25


def test_missing_rotation_is_refused() -> None:
    with pytest.raises(ValueError, match="deal 3 was not played once for every"):
        results_of([game(3, 0, (1.0, -1.0))], ["a", "b"])
