"""95% intervals of means over decisions, with whole deals as independent clusters.

A mean over decisions is a ratio: the sum of a value, divided by the number of opportunities.
Decisions of one game depend on each other, and games of one deal depend on each other too. So each
deal is one cluster. The variance comes from the jackknife, which leaves out one cluster at a time
(B. Efron and C. Stein, The jackknife estimate of variance, Annals of Statistics 9, 1981). Cluster g
has n_g opportunities, whose values sum to x_g. With N = sum(n), R = sum(x) / N, and G clusters that
have an opportunity,

    variance = (G - 1) / G * sum(((x_g - R n_g) / (N - n_g))^2).

If no cluster has a large part of the opportunities, this is the usual linearised variance of a
ratio. If one cluster has a large part, the variance is larger than that, and correct. Quantiles are
those of Student's distribution with G - 1 degrees of freedom. With only one cluster there is no
interval.

If each value is 0 or 1, the mean has Wilson's interval, which stays between 0 and 1. The count in
this interval is the number of independent decisions that would give the same variance, and at most
the real number. If the mean is exactly 0 or 1, the variance is 0. Then the count assumes that all
decisions of a cluster have the same value.

Other means have a symmetric interval. If the values are skewed, a few clusters may contain no large
value, and their variance may be 0. So the interval, but not the mean, counts two more clusters, one
at each end of the span in which most single values are. Each of the two has two opportunities, or
the mean number per cluster if that is less. A. Agresti and B. A. Coull do this for shares
(Approximate is better than exact, American Statistician 52, 1998). The interval always contains the
mean.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MORE = 2  # the opportunities of each cluster that is added at an end of a span


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure and its 95% interval.

    Attributes:
        value: the measure; None if there was no opportunity.
        low: the lower end of the interval; None if fewer than two deals had an opportunity.
        high: the upper end of the interval; None if fewer than two deals had an opportunity.
        count: the number of opportunities.
    """

    value: float | None
    low: float | None
    high: float | None
    count: int

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary for JSON."""
        return {"value": self.value, "low": self.low, "high": self.high, "count": self.count}


def estimate(
    counts: NDArray[np.float64],
    sums: NDArray[np.float64],
    *,
    span: tuple[float, float] | None,
    least: float = -math.inf,
) -> Estimate:
    """Return a mean with its interval.

    Args:
        counts: [clusters] the number of opportunities; clusters without any are skipped.
        sums: [clusters] the sum of the values of these opportunities.
        span: the range in which most single values are; None if each value is 0 or 1.
        least: a lower bound of the mean, which limits the interval.
    """
    some = counts > 0
    counts, sums = counts[some], sums[some]
    clusters, count = len(counts), float(counts.sum())
    if not clusters:
        return Estimate(None, None, None, 0)
    mean = float(sums.sum()) / count
    if clusters == 1:
        return Estimate(mean, None, None, round(count))
    quantile = _student(clusters - 1)
    if span is None:
        variance = _variance(counts, sums)
        low, high = _wilson(mean, _alike(mean, variance, counts), quantile)
    else:
        more = min(_MORE, count / clusters)
        counts = np.append(counts, [more, more])
        sums = np.append(sums, [more * span[0], more * span[1]])
        middle = float(sums.sum() / counts.sum())
        margin = quantile * math.sqrt(_variance(counts, sums))
        low, high = max(least, middle - margin), middle + margin
    return Estimate(mean, low, high, round(count))


def _variance(counts: NDArray[np.float64], sums: NDArray[np.float64]) -> float:
    """Return the variance of the mean, by the jackknife over at least two clusters."""
    clusters, count = len(counts), counts.sum()
    moved = (sums - sums.sum() / count * counts) / (count - counts)
    return float((clusters - 1) / clusters * (moved @ moved))


def _alike(mean: float, variance: float, counts: NDArray[np.float64]) -> float:
    """Return the effective number of decisions.

    A mean of this number of independent decisions, each 0 or 1, has this variance. The number is at
    most the sum of `counts`. If the mean is 0 or 1, the result depends on `counts` alone.
    """
    count = float(counts.sum())
    if mean in (0, 1):
        return count**2 / float(counts @ counts)
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
    """Return the quantile 0.975 of Student's distribution, with an error of at most 0.2%.

    For three degrees of freedom or more, use the expansion around the normal quantile (Abramowitz
    and Stegun, Handbook of Mathematical Functions, 1964, 26.7.5).
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
