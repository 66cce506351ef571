"""Intervals against cases that are known."""

import math

import numpy as np
import pytest
from numpy.typing import ArrayLike

from mascarade_agents.behaviour.intervals import SUMS, Estimate, estimate


def sums_of(chances: ArrayLike, values: ArrayLike) -> list[float]:
    n, x = np.asarray(chances, float), np.asarray(values, float)
    found = [np.count_nonzero(n), n.sum(), x.sum(), (n * n).sum(), (n * x).sum(), (x * x).sum()]
    assert len(found) == len(SUMS)
    return [float(number) for number in found]


def test_no_chance_and_one_game() -> None:
    assert estimate([0.0] * 6, share=True) == Estimate(None, None, None, 0)
    assert estimate(sums_of([4], [1]), share=True) == Estimate(0.25, None, None, 4)
    assert estimate(sums_of([4, 0, 0], [1, 0, 0]), share=False) == Estimate(0.25, None, None, 4)


def test_games_of_one_chance_each_have_the_interval_of_a_mean() -> None:
    values = [1.0, 2.0, 4.0, 5.0]
    found = estimate(sums_of([1] * 4, values), share=False)
    margin = 3.182 * math.sqrt(np.var(values, ddof=1) / 4)  # Student's quantile of three degrees
    assert found.value == 3
    assert found.low == pytest.approx(3 - margin, abs=5e-3)
    assert found.high == pytest.approx(3 + margin, abs=5e-3)


def test_independent_shares_have_wilsons_interval() -> None:
    # 30 of 100: Wilson's interval of 95% is 0.2189 to 0.3958.
    found = estimate(sums_of([1] * 100, [1] * 30 + [0] * 70), share=True)
    assert (found.value, found.count) == (0.3, 100)
    assert found.low == pytest.approx(0.2189, abs=0.002)
    assert found.high == pytest.approx(0.3958, abs=0.002)


def test_decisions_that_are_alike_in_a_game_count_once() -> None:
    once = estimate(sums_of([1] * 100, [1] * 30 + [0] * 70), share=True)
    many = estimate(sums_of([9] * 100, [9] * 30 + [0] * 70), share=True)
    assert many.count == 900
    assert many.low == pytest.approx(once.low, abs=1e-3)
    assert many.high == pytest.approx(once.high, abs=1e-3)


@pytest.mark.parametrize(("share", "value"), [(0.0, 0), (1.0, 3)])
def test_all_or_nothing_still_has_an_interval(share: float, value: int) -> None:
    found = estimate(sums_of([3] * 20, [value] * 20), share=True)
    assert found.value == share
    assert found.low is not None
    assert found.high is not None
    assert share in (found.low, found.high)
    assert 0.1 < found.high - found.low < 0.25  # as of 20 games, not of 60 decisions


def test_no_mean_lies_below_the_least() -> None:
    found = estimate(sums_of([1, 1, 1], [0, 0, 3]), share=False, least=0)
    assert found.low == 0
    below = estimate(sums_of([1, 1, 1], [0, 0, 3]), share=False).low
    assert below is not None
    assert below < 0


@pytest.mark.parametrize("share", [True, False])
def test_intervals_hold_the_truth_in_95_of_100_experiments(share: bool) -> None:
    # Every game has a share of its own, 0.3 in the mean, so decisions of one hang together; how
    # many chances there are does not depend on it.
    chance = np.random.default_rng(7)
    experiments, games = 800, 60
    caught = naive = 0
    for _ in range(experiments):
        chances = chance.poisson(4, games)
        values = chance.binomial(chances, chance.beta(0.6, 1.4, games))
        found = estimate(sums_of(chances, values), share=share)
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        caught += found.low <= 0.3 <= found.high
        margin = 1.96 * math.sqrt(found.value * (1 - found.value) / found.count)
        naive += abs(found.value - 0.3) <= margin
    assert 0.93 <= caught / experiments <= 0.97
    assert naive / experiments < 0.9  # decisions taken for independent promise too much
