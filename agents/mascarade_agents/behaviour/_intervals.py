"""95% intervals of means over decisions, when whole deals are what is independent.

A mean over decisions is a ratio: the sum of a value over the number of opportunities. Decisions of
one game hang together, and so do games of one deal, so each deal is one cluster, and the variance
is that of the jackknife that leaves out one cluster at a time (B. Efron and C. Stein, The jackknife
estimate of variance, Annals of Statistics 9, 1981): with n_g opportunities and the sum x_g in
cluster g, N = sum(n) and R = sum(x) / N

    variance = (G - 1) / G * sum(((x_g - R n_g) / (N - n_g))^2)   over the G clusters with one.

Where no cluster has many of the opportunities that is the usual linearised variance of a ratio;
where one has, it is larger, and right. Quantiles are Student's with G - 1 degrees of freedom. One
cluster alone has no interval.

Where each value is 0 or 1, the mean has Wilson's interval for as many independent decisions as
would give this variance (at most those there were), so that it stays between 0 and 1; a mean of
exactly 0 or 1 shows no variance, and is given that of decisions which are all alike within their
cluster.

Other means have a symmetric interval. A few clusters show little of a skewed value, and no variance
at all if they agree, so one cluster more at each end of the span in which single values mostly lie
is counted for the interval, but not for the mean. It has two opportunities, or as many as others
have if these are fewer. For shares that is how A. Agresti and B. A. Coull do it (Approximate is
better than exact, American Statistician 52, 1998). The interval always holds the mean.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MORE = 2  # chances at each end of a span that are counted without having been seen


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure and its 95% interval; None where games give none.

    Attributes:
        value: the measure, None without an opportunity.
        low: the lower end, None with fewer than two deals that had an opportunity.
        high: the upper end, likewise.
        count: how many opportunities there were.
    """

    value: float | None
    low: float | None
    high: float | None
    count: int

    def to_dict(self) -> dict[str, Any]:
        """Return the same for JSON."""
        return {"value": self.value, "low": self.low, "high": self.high, "count": self.count}


def estimate(
    chances: NDArray[np.float64],
    values: NDArray[np.float64],
    *,
    span: tuple[float, float] | None,
    least: float = -math.inf,
) -> Estimate:
    """Return a mean with its interval.

    Args:
        chances: [clusters] how many there were; a cluster without one counts for nothing.
        values: [clusters] their sum.
        span: between which single values mostly lie; None if each is 0 or 1.
        least: below which no mean can lie.
    """
    some = chances > 0
    chances, values = chances[some], values[some]
    clusters, count = len(chances), float(chances.sum())
    if not clusters:
        return Estimate(None, None, None, 0)
    mean = float(values.sum()) / count
    if clusters == 1:
        return Estimate(mean, None, None, round(count))
    quantile = _student(clusters - 1)
    if span is None:
        variance = _variance(chances, values)
        low, high = _wilson(mean, _alike(mean, variance, chances), quantile)
    else:
        each = min(_MORE, count / clusters)
        chances = np.append(chances, [each, each])
        values = np.append(values, [each * span[0], each * span[1]])
        middle = float(values.sum() / chances.sum())
        margin = quantile * math.sqrt(_variance(chances, values))
        low, high = max(least, middle - margin), middle + margin
    return Estimate(mean, low, high, round(count))


def _variance(chances: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """That of the mean by the jackknife, of at least two clusters."""
    clusters, count = len(chances), chances.sum()
    moved = (values - values.sum() / count * chances) / (count - chances)
    return float((clusters - 1) / clusters * (moved @ moved))


def _alike(mean: float, variance: float, chances: NDArray[np.float64]) -> float:
    """Return how many independent decisions would tell as much about a mean of values 0 and 1."""
    count = float(chances.sum())
    if mean in (0, 1):
        return count**2 / float(chances @ chances)
    most = mean * (1 - mean)
    return count if variance * count <= most else most / variance


def _wilson(share: float, count: float, quantile: float) -> tuple[float, float]:
    square = quantile**2
    middle = (share + square / (2 * count)) / (1 + square / count)
    margin = math.sqrt(share * (1 - share) / count + square / (4 * count**2))
    margin *= quantile / (1 + square / count)
    low = 0.0 if share == 0 else max(0.0, middle - margin)
    return low, 1.0 if share == 1 else min(1.0, middle + margin)


def _student(freedom: int) -> float:
    """Return the quantile 0.975 of Student's distribution, to 0.2%.

    From three degrees of freedom on by the expansion around the normal quantile (Abramowitz and
    Stegun, Handbook of Mathematical Functions, 1964, 26.7.5).
    """
    if freedom < 3:
        return (12.706, 4.303)[freedom - 1]
    z = 1.959964
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / math.pow(freedom, power) for power, term in enumerate(terms, start=1))
