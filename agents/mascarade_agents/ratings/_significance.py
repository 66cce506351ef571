"""Significant differences, after correction for the number of comparisons.

A 95% interval misses the true value once in twenty times. So among many equal agents, one or
another nearly always has an interval that excludes the fair share. Without a correction that agent
would be called better by luck alone.
"""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.ratings._intervals import Estimates

LEVEL = 0.05  # probability that equal agents show any significant difference
_NORMAL = NormalDist()


def clearly(estimates: Estimates, fair: float) -> NDArray[np.int8]:
    """Return 1 where a mean is significantly above the fair value, -1 where below, else 0.

    Holm's procedure corrects for the number of finite means in the array: if all agents were equal,
    at most about one arena in twenty would show a value other than 0. The deviation of a mean is
    its distance from the fair value, in units of the half of its interval that points there. An
    interval counts as at least as wide as one around the fair value would be, because few wins by
    luck also give a narrow interval.

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
    # The squared width of the intervals, relative to independent wins and losses: games of one deal
    # are alike, and ties halve. It is computed over all intervals, as a single one is uncertain.
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
