"""Means with 95% intervals, by a bootstrap over deals.

Games of one deal are not independent, because an arena plays a deal with several line-ups. So the
bootstrap resamples deals, each with all its games.

After ten wins in ten games, a bootstrap gives an interval of width 0, which is too narrow. So each
interval is widened, as if there were a kind of deal that did not occur among the K deals. Its
probability is 1 - 0.025^(1/K), about 3.7/K, and its win share is 0 or 1. Ten wins in ten deals then
give 0.69 to 1, the interval of Clopper and Pearson. With a hundred deals or more, this rarely
widens an interval.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DRAWS = 2000  # bootstrap samples; other seeds then move an end by about 1/20 of the half-width
_TAIL = 0.025
_AT_ONCE = 4_000_000  # random numbers sampled at a time, to limit memory


@dataclass(frozen=True, slots=True)
class Estimates:
    """Means with 95% intervals, in arrays of one shape; NaN where there is no game.

    Attributes:
        value: the means.
        low: the lower ends of the intervals.
        high: the upper ends of the intervals.
        count: the number of values in each mean.
    """

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    count: NDArray[np.int64]


def by_deal(
    values: NDArray[np.float64], deals: NDArray[np.int64], number: int
) -> NDArray[np.float64]:
    """Return the sums of C values over the games of each of D deals, [D, C].

    Args:
        values: [G, C] the values of each game.
        deals: [G] the number of each game's deal, from 0 to D - 1.
        number: D, the number of deals.
    """
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
    """Return the means of C kinds of values with their intervals, [C].

    Args:
        sums: [D, C] the sum of the values of each deal; values are between 0 and 1.
        counts: [D, C] the number of values of each deal.
        seed: the seed of the bootstrap.
        draws: the number of bootstrap samples.
    """
    total = counts.sum(axis=0)
    value, low, high = (np.full(counts.shape[1], np.nan) for _ in range(3))
    played = total > 0
    if played.any():
        value[played] = sums[:, played].sum(axis=0) / total[played]
        ends = np.nanquantile(
            _redrawn(sums[:, played], counts[:, played], seed, draws), [_TAIL, 1 - _TAIL], axis=0
        )
        unseen = 1 - _TAIL ** (1 / np.count_nonzero(counts[:, played], axis=0))
        low[played] = np.minimum(ends[0], value[played] * (1 - unseen))
        high[played] = np.maximum(ends[1], value[played] * (1 - unseen) + unseen)
    return Estimates(value, low, high, total.astype(np.int64))


def _redrawn(
    sums: NDArray[np.float64], counts: NDArray[np.float64], seed: int, draws: int
) -> NDArray[np.float64]:
    """Return the means of bootstrap samples, [draws, C]. A sample is D deals, with replacement."""
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
