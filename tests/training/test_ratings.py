"""Strengths by maximum likelihood, and openskill's ratings."""

import numpy as np
import pytest
from scipy import optimize

from rummi_training.mirrored import Game
from rummi_training.ratings import ELO, VIRTUAL, skills, strengths


def test_two_agents_are_as_far_apart_as_their_odds() -> None:
    one, other = ELO * strengths(np.array([[7500.0, 2500.0]]), [(0, 1)], 2)
    assert one - other == pytest.approx(400 * np.log10(3), abs=0.2)
    assert one + other == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    "tables",
    [
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)],
        [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)],
        [(0, 3, 3, 3), (1, 3, 3, 3), (2, 3, 3, 3)],
    ],
)
def test_strengths_are_the_most_likely_ones(tables: list[tuple[int, ...]]) -> None:
    rng = np.random.default_rng(7)
    won = rng.integers(0, 60, size=(len(tables), len(tables[0]))).astype(float)

    def unlikely(values: np.ndarray) -> float:
        total = 0.0
        for table, wins in zip(tables, won, strict=True):
            at_table = values[list(table)]
            total += (wins * (at_table - np.log(np.exp(at_table).sum()))).sum()
        virtual = values - 2 * np.log1p(np.exp(values))
        return float(-total - VIRTUAL * virtual.sum())

    best = optimize.minimize(unlikely, np.zeros(4), method="BFGS").x
    found = strengths(won, tables, 4)
    assert found == pytest.approx(best - best.mean(), abs=1e-4)


def test_many_fits_at_once_are_those_one_by_one() -> None:
    tables = [(0, 1), (1, 2)]
    won = np.random.default_rng(1).integers(1, 50, size=(5, 2, 2)).astype(float)
    together = strengths(won, tables, 3)
    assert together.shape == (5, 3)
    for one, alone in zip(together, won, strict=True):
        assert strengths(alone, tables, 3) == pytest.approx(one)


def test_who_wins_everything_has_a_finite_strength() -> None:
    found = strengths(np.array([[4000.0, 0.0]]), [(0, 1)], 2)
    assert np.isfinite(found).all()
    assert found[0] - found[1] > 5


def test_openskill_counts_the_winner_first_and_then_scores() -> None:
    # The second has won, though its score is lower, as some rules have it.
    game = Game(0, 0, (5.0, 3.0, -8.0), (0.0, 1.0, 0.0), turns=9, decisions=9)
    first, second, third = skills([game] * 20, [(0, 1, 2)], 3)
    assert second.mu > first.mu > third.mu
    assert second.sigma < 25 / 3


def test_openskill_takes_ties_and_agents_that_sit_twice() -> None:
    tie = Game(0, 0, (0.0, 0.0), (0.5, 0.5), turns=9, decisions=9)
    one, other = skills([tie] * 5, [(0, 1)], 2)
    assert one.mu == pytest.approx(other.mu)
    game = Game(0, 0, (6.0, -3.0, -3.0), (1.0, 0.0, 0.0), turns=9, decisions=9)
    winner, twice = skills([game] * 5, [(0, 1, 1)], 2)
    assert winner.mu > 25 > twice.mu
