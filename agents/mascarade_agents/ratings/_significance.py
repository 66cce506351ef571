"""Significant differences, after correction for the number of comparisons.

In one of twenty cases, a 95% interval misses the true value. So if many equal agents are
compared, the interval of some agent often excludes the fair share. Without a correction, this agent
would be called better although only luck made the difference.
"""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.ratings._intervals import Estimates

LEVEL = 0.05  # probability that any difference between equal agents is called significant
_NORMAL = NormalDist()


def clearly(estimates: Estimates, fair: float) -> NDArray[np.int8]:
    """Return 1 for a mean significantly above the fair value, -1 for one below, else 0.

    Holm's procedure corrects for the number of finite means in the array. If all agents were equal,
    at most about one arena in twenty would have a result other than 0.

    The deviation of a mean is its distance from the fair value, divided by the part of its interval
    on the side of the fair value. This part counts as at least as wide as in an interval around the
    fair value, because an agent with few wins by bad luck also has a narrow interval.

    Args:
        estimates: means of values from 0 to 1.
        fair: the expected mean of equal agents, between 0 and 1.
    """
    finite = np.isfinite(estimates.value)
    value, low, high, count = (
        each[finite] for each in (estimates.value, estimates.low, estimates.high, estimates.count)
    )
    signs = np.zeros(estimates.value.shape, np.int8)
    if not len(value):
        return signs
    away = value - fair
    # The squared width of the intervals, divided by that for independent wins and losses. It is not
    # 1, because games of one deal are similar, and ties count as one half. It is computed over all
    # intervals, because the width of a single interval is uncertain.
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
    signs[finite] = np.where(passes, np.sign(away), 0)
    return signs
