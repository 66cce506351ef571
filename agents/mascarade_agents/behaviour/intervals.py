"""95% intervals of means over decisions, when whole games are what is independent.

A mean over decisions is a ratio: the sum of a value over the number of chances. Decisions of one
game hang together, so each game is one cluster, and the variance is that of a ratio estimator by
linearisation (W. G. Cochran, Sampling Techniques, 3rd edition, 1977, chapter 6): with n_g chances
and the sum x_g in game g, R = sum(x) / sum(n) and

    variance = G / (G - 1) * sum((x_g - R n_g)^2) / sum(n)^2     over the G games with a chance.

Quantiles are Student's with G - 1 degrees of freedom. A share has Wilson's interval for as many
independent decisions as would give this variance (at most those there were), so that it stays
between 0 and 1; a share of exactly 0 or 1 shows no variance, and is given that of decisions which
are all alike within their game. Other means have a symmetric interval. One game alone has none.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

#: What is kept of games to get there, each a sum over games with a chance.
SUMS = ("games", "chances", "value", "chances^2", "chances*value", "value^2")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure and its 95% interval; None where games give none.

    Attributes:
        value: the measure, None without a chance.
        low: the lower end, None with fewer than two games that had a chance.
        high: the upper end, likewise.
        count: how many chances there were.
    """

    value: float | None
    low: float | None
    high: float | None
    count: int

    def to_dict(self) -> dict[str, Any]:
        """The same for JSON."""
        return {"value": self.value, "low": self.low, "high": self.high, "count": self.count}


def estimate(sums: Sequence[float], *, share: bool, least: float = -math.inf) -> Estimate:
    """The mean that `SUMS` tell, with its interval.

    Args:
        sums: those of `SUMS`.
        share: whether each value is 0 or 1.
        least: below which no mean can lie.
    """
    games, chances, value, chances_2, both, value_2 = sums
    if not chances:
        return Estimate(None, None, None, 0)
    mean = value / chances
    if games < 2:
        return Estimate(mean, None, None, round(chances))
    spread = max(0.0, value_2 - 2 * mean * both + mean * mean * chances_2)
    variance = games / (games - 1) * spread / chances**2
    quantile = _student(round(games) - 1)
    if share:
        low, high = _wilson(mean, _alike(mean, variance, chances, chances_2), quantile)
    else:
        margin = quantile * math.sqrt(variance)
        low, high = max(least, mean - margin), mean + margin
    return Estimate(mean, low, high, round(chances))


def _alike(share: float, variance: float, chances: float, chances_2: float) -> float:
    """How many independent decisions would tell as much about a share."""
    if share in (0, 1):
        return chances**2 / chances_2
    most = share * (1 - share)
    return chances if variance * chances <= most else most / variance


def _wilson(share: float, count: float, quantile: float) -> tuple[float, float]:
    square = quantile**2
    middle = (share + square / (2 * count)) / (1 + square / count)
    margin = math.sqrt(share * (1 - share) / count + square / (4 * count**2))
    margin *= quantile / (1 + square / count)
    low = 0.0 if share == 0 else max(0.0, middle - margin)
    return low, 1.0 if share == 1 else min(1.0, middle + margin)


def _student(freedom: int) -> float:
    """The quantile 0.975 of Student's distribution, to 0.2%.

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
