"""Means with 95% intervals, by a bootstrap that draws deals.

Games of one deal are not independent: an arena plays a deal with several line-ups, so the same
masks and the same luck come again. So deals are drawn, with all their games, not games. A bootstrap
knows nothing of what it never saw, and after ten wins in ten games it is certain. Hence every
interval leaves room for a kind of deal that came up in none of the K deals seen: with a chance of
1 - 0.025^(1/K), about 3.7/K, and a share of nothing or of all. Ten wins in ten deals leave 0.69,
which is the interval of Clopper and Pearson; from a hundred deals on this hardly ever widens one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DRAWS = 2000  # the ends of an interval move by a twentieth of its half-width from seed to seed
_TAIL = 0.025
_AT_ONCE = 4_000_000  # numbers drawn at a time, so that memory stays small


@dataclass(frozen=True, slots=True)
class Estimates:
    """Means with 95% intervals; NaN where nothing was played.

    Attributes:
        value: the mean.
        low: the lower end.
        high: the upper end.
        count: what it is a mean of, as many.
    """

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    count: NDArray[np.int64]


def by_deal(
    values: NDArray[np.float64], deals: NDArray[np.int64], number: int
) -> NDArray[np.float64]:
    """Sums over the games of each deal, from [G, C] to [D, C]; deals are numbered below D."""
    sums = np.zeros((number, values.shape[1]))
    np.add.at(sums, deals, values)
    return sums


def estimate(
    sums: NDArray[np.float64],
    counts: NDArray[np.float64],
    *,
    seed: int = 0,
    draws: int = DRAWS,
) -> Estimates:
    """Return what comes to sums over counts, with intervals.

    Args:
        sums: [D, C] for each deal, of values from 0 to 1.
        counts: [D, C] how many values that is.
        seed: of the bootstrap.
        draws: of the bootstrap.
    """
    total = counts.sum(axis=0)
    value, low, high = (np.full(counts.shape[1], np.nan) for _ in range(3))
    known = total > 0
    if known.any():
        value[known] = sums[:, known].sum(axis=0) / total[known]
        ends = np.nanquantile(
            _redrawn(sums[:, known], counts[:, known], seed, draws), [_TAIL, 1 - _TAIL], axis=0
        )
        unseen = 1 - _TAIL ** (1 / np.count_nonzero(counts[:, known], axis=0))
        low[known] = np.minimum(ends[0], value[known] * (1 - unseen))
        high[known] = np.maximum(ends[1], value[known] * (1 - unseen) + unseen)
    return Estimates(value, low, high, total.astype(np.int64))


def _redrawn(
    sums: NDArray[np.float64], counts: NDArray[np.float64], seed: int, draws: int
) -> NDArray[np.float64]:
    """Return [draws, C] the means of as many deals as there are, drawn with replacement."""
    rng = np.random.default_rng(seed)
    number = len(sums)
    means = np.full((draws, sums.shape[1]), np.nan)
    step = max(1, _AT_ONCE // number)
    for start in range(0, draws, step):
        lines = min(step, draws - start)
        picks = rng.integers(number, size=(lines, number)) + number * np.arange(lines)[:, None]
        times = np.bincount(picks.ravel(), minlength=lines * number)
        times = times.reshape(lines, number).astype(np.float64)
        total = times @ counts
        np.divide(times @ sums, total, out=means[start : start + lines], where=total > 0)
    return means
