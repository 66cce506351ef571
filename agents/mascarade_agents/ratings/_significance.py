"""What is clear: differences that equals, all together, seldom show.

A 95% interval misses the truth once in twenty times. So among many agents that are equal one or
another nearly always has an interval off the fair share, and to name it is to name chance.
"""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.ratings._intervals import Estimates

LEVEL = 0.05  # the chance to name anybody in vain
_NORMAL = NormalDist()


def clearly(estimates: Estimates, fair: float) -> NDArray[np.int8]:
    """Return 1 where a mean is clearly above the fair one, -1 where clearly below, else 0.

    By Holm's procedure over all that is known in the array: if all were fair, hardly one arena in
    twenty would show anything but 0. How unlikely each is by itself is read from its interval: by
    how much the half of it that points to the fair value would have to grow to reach it. But where
    few win by chance, their intervals are narrow by that chance too. So none counts for narrower
    than one around the fair value would be.

    Args:
        estimates: means of values from 0 to 1.
        fair: between 0 and 1.
    """
    finite = np.isfinite(estimates.value)
    value, low, high, count = (
        each[finite] for each in (estimates.value, estimates.low, estimates.high, estimates.count)
    )
    clear = np.zeros(estimates.value.shape, np.int8)
    if not len(value):
        return clear
    away = value - fair
    # How wide intervals are beside those of independent wins and losses: games of one deal are
    # alike, and ties halve. In squares, all together, since a single one is uncertain.
    middle = (low + high) / 2
    wider = ((high - low) ** 2).sum() / (middle * (1 - middle) / count).sum()
    half = np.where(away > 0, value - low, high - value)
    half = np.maximum(half, np.sqrt(wider * fair * (1 - fair) / count) / 2)
    deviations = _NORMAL.inv_cdf(0.975) * np.abs(away) / half
    bounds = [
        _NORMAL.inv_cdf(1 - LEVEL / (2 * comparisons)) for comparisons in range(len(away), 0, -1)
    ]
    order = np.argsort(-deviations)
    passes = np.zeros(len(away), np.bool_)
    passes[order] = np.logical_and.accumulate(deviations[order] > bounds)
    clear[finite] = np.where(passes, np.sign(away), 0)
    return clear
