"""Intervals by resampling deals.

A resample draws as many deals as there are, with replacement, and all games of a deal
go with it; so whatever is compared is compared on the same deals (paired), and figures
of different agents may be subtracted. The resamples hang on nothing but the number of
deals, so the same games give the same intervals.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy import stats

CONFIDENCE = 0.95

RESAMPLES = 5000
"""How often deals are drawn anew."""

SEED = 20_031
"""Seed of the draws."""

CELLS = 10_000_000
"""Counts that are held in memory at a time."""


def resamples(deals: int, number: int = RESAMPLES) -> Iterator[npt.NDArray[np.float64]]:
    """Yields how often each deal is drawn, as parts of all, a block at a time.

    Args:
        deals: how many there are.
        number: how many resamples.

    Yields:
        float64[resamples of the block, deals]; every row sums to 1.
    """
    rng = np.random.default_rng(SEED)
    block = max(1, min(number, CELLS // deals))
    for start in range(0, number, block):
        size = min(block, number - start)
        drawn = rng.integers(deals, size=(size, deals))
        drawn += deals * np.arange(size)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=size * deals)
        yield counts.reshape(size, deals) / deals


def resampled_means(
    values: npt.NDArray[np.float64], number: int = RESAMPLES
) -> npt.NDArray[np.float64]:
    """Returns means over the deals of each resample.

    Args:
        values: float64[deals, figures].
        number: how many resamples.

    Returns:
        float64[resamples, figures].
    """
    means = values.mean(axis=0)
    # Of the deviations, so that equal values have an interval of no width.
    apart = values - means
    drawn = [weights @ apart for weights in resamples(len(values), number)]
    found: npt.NDArray[np.float64] = means + np.concatenate(drawn)
    return found


def interval(
    means: npt.NDArray[np.float64], deals: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Returns the ends of expanded percentile intervals.

    Plain percentiles are too narrow for few deals, as Student's t shows; so they are
    taken a little further out (T. Hesterberg, What Teachers Should Know about the
    Bootstrap, 2015). From some hundreds of deals on it makes no difference.

    Args:
        means: float64[resamples, figures].
        deals: how many deals they are means over.

    Returns:
        The lower and the upper ends, float64[figures] each.
    """
    few = max(deals - 1, 1)
    expanded = (deals / few) ** 0.5 * stats.t.ppf((1 + CONFIDENCE) / 2, few)
    tail = float(stats.norm.cdf(-expanded))
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    return low, high
