"""Means, intervals and paired differences of mirrored games."""

import json

import numpy as np
import pytest
from scipy import stats

from rummi_training.figures import figure, figures_of, results_from, results_of
from rummi_training.mirrored import Game


def game(deal: int, rotation: int, scores: tuple[float, ...]) -> Game:
    best = max(scores)
    winners = scores.count(best)
    wins = tuple((score == best) / winners for score in scores)
    return Game(deal, rotation, scores, wins, turns=10, decisions=20)


def test_interval_of_many_deals_is_that_of_students_t() -> None:
    values = np.random.default_rng(4).normal(1.0, 22.0, size=2000)
    found = figure(values)
    low, high = stats.t.interval(
        0.95, 1999, loc=values.mean(), scale=stats.sem(values, ddof=1)
    )
    assert found.mean == pytest.approx(values.mean())
    # A resampled end is itself known to a few hundredths of the width only.
    assert (found.low, found.high) == pytest.approx(
        (low, high), abs=0.04 * (high - low)
    )


def test_interval_of_skewed_values_is_that_of_scipys_bootstrap() -> None:
    values = np.random.default_rng(4).exponential(3.0, size=300)
    found = figure(values)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=1
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx(
        (theirs.low, theirs.high), abs=0.04 * (theirs.high - theirs.low)
    )


@pytest.mark.parametrize(("deals", "least"), [(5, 900), (10, 925), (40, 930)])
def test_interval_holds_the_truth_in_95_of_100_cases(deals: int, least: int) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(3.0, 22.0, size=(deals, 1000))
    held = sum(found.low <= 3.0 <= found.high for found in figures_of(values))
    assert least <= held <= 970


def test_figures_of_the_same_deals_are_paired() -> None:
    rng = np.random.default_rng(2)
    luck = rng.normal(0.0, 50.0, size=200)
    one, other = luck + rng.normal(1.0, 1.0, 200), luck + rng.normal(0.0, 1.0, 200)
    first, second, between = figures_of(np.stack([one, other, one - other], axis=1))
    assert between.mean == pytest.approx(first.mean - second.mean)
    assert first.high - first.low > 20 * (between.high - between.low)
    assert between.low > 0


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


def test_results_come_back_from_json() -> None:
    games = [
        game(deal, rotation, (float(deal - rotation), float(rotation - deal)))
        for deal in range(5)
        for rotation in range(2)
    ]
    results = results_of(games, ["a", "b"])
    assert results_from(json.loads(json.dumps(results.to_dict()))) == results
