"""Intervals compared with known cases."""

import math

import numpy as np
import pytest
from numpy.typing import ArrayLike

from mascarade_agents.behaviour import MEASURES, Estimate
from mascarade_agents.behaviour._intervals import estimate
from mascarade_agents.behaviour._measures import Measure
from tests.mascarade_agents.behaviour.seen import SEEN

WIDE = (0, 1)  # the span of values that are not only 0 or 1


def of(counts: ArrayLike, values: ArrayLike, span: tuple[float, float] | None = None) -> Estimate:
    return estimate(np.asarray(counts, float), np.asarray(values, float), span=span)


def ends(found: Estimate) -> tuple[float, float]:
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def declared(name: str) -> Measure:
    return next(measure for measure in MEASURES if measure.name == name)


def test_no_opportunity_and_one_cluster() -> None:
    assert of([], []) == of([0, 0], [0, 0], WIDE) == Estimate(None, None, None, 0)
    assert of([4], [1]) == Estimate(0.25, None, None, 4)
    assert of([4, 0, 0], [1, 0, 0], WIDE) == Estimate(0.25, None, None, 4)


def test_one_opportunity_each_has_the_interval_of_a_mean_with_two_more_values() -> None:
    values, span = [1.0, 2.0, 4.0, 5.0], (0.0, 8.0)
    found = of([1] * 4, values, span)
    more = [*values, *span]
    middle = np.mean(more)
    margin = 3.182 * math.sqrt(np.var(more, ddof=1) / 6)  # Student's quantile of three degrees
    assert found.value == 3
    assert ends(found) == pytest.approx((middle - margin, middle + margin), abs=5e-3)


def test_at_most_two_opportunities_are_added_at_each_end() -> None:
    values = [10.0, 20.0, 40.0, 50.0]
    found = of([20] * 4, values, (0, 8))
    counts, sums = np.array([20] * 4 + [2] * 2), np.array([*values, 0, 16])
    middle = sums.sum() / counts.sum()
    moves = (sums - middle * counts) / (counts.sum() - counts)  # without each of them
    margin = 3.182 * math.sqrt(5 / 6 * (moves @ moves))
    assert ends(found) == pytest.approx((middle - margin, middle + margin), abs=5e-3)


def test_many_clusters_have_the_usual_interval_for_any_span() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(2, 1, 4000)
    margin = 1.96 * values.std(ddof=1) / math.sqrt(4000)
    expected = (values.mean() - margin, values.mean() + margin)
    assert ends(of(np.ones(4000), values, (-1, 6))) == pytest.approx(expected, abs=1e-3)


def test_independent_shares_have_wilsons_interval() -> None:
    # 30 of 100: Wilson's interval of 95% is 0.2189 to 0.3958.
    found = of([1] * 100, [1] * 30 + [0] * 70)
    assert (found.value, found.count) == (0.3, 100)
    assert ends(found) == pytest.approx((0.2189, 0.3958), abs=0.002)


def test_decisions_that_are_alike_in_a_cluster_count_once() -> None:
    once = of([1] * 100, [1] * 30 + [0] * 70)
    many = of([9] * 100, [9] * 30 + [0] * 70)
    assert many.count == 900
    assert ends(many) == pytest.approx(ends(once), abs=1e-3)


def test_one_large_cluster_makes_a_wide_interval() -> None:
    even = ends(of([10] * 10, [5] * 9 + [10]))
    assert even[1] - even[0] < 0.4
    low, high = ends(of([1] * 9 + [91], [0] * 9 + [60]))
    assert high - low > 0.9


@pytest.mark.parametrize(("share", "value"), [(0.0, 0), (1.0, 3)])
def test_shares_of_0_and_1_have_an_interval(share: float, value: int) -> None:
    found = of([3] * 20, [value] * 20)
    assert found.value == share
    low, high = ends(found)
    assert share in (low, high)
    assert 0.1 < high - low < 0.25  # as of 20 clusters, not of 60 decisions


@pytest.mark.parametrize("value", [-1.0, 2.0, 6.0, 9.0])
@pytest.mark.parametrize("clusters", [2, 6, 20, 500])
def test_equal_values_have_an_interval_that_contains_them(value: float, clusters: int) -> None:
    low, high = ends(of([1] * clusters, [value] * clusters, (-1, 6)))
    assert low < value < high


def test_six_equal_clusters_have_a_wide_interval() -> None:
    low, high = ends(of([1] * 6, [2] * 6, (-1, 6)))
    # Were 4 of 10 values fines, six gains of 2 would still be seen once in twenty times.
    assert low < 0.6 * 2 - 0.4
    assert high < 6


def test_no_interval_extends_below_the_least() -> None:
    counts, values = np.ones(3), np.array([0.0, 0.0, 3.0])
    assert estimate(counts, values, span=WIDE, least=0).low == 0
    assert ends(of(counts, values, WIDE))[0] < 0


@pytest.mark.parametrize("span", [None, WIDE])
def test_intervals_contain_the_true_value_in_95_of_100_experiments(
    span: tuple[float, float] | None,
) -> None:
    # Clusters have different shares, 0.3 in the mean, so decisions of one cluster depend on each
    # other. The number of opportunities does not depend on the share.
    rng = np.random.default_rng(7)
    experiments, clusters = 800, 60
    covered = naive = 0
    for _ in range(experiments):
        counts = rng.poisson(4, clusters)
        values = rng.binomial(counts, rng.beta(0.6, 1.4, clusters))
        found = of(counts, values, span)
        assert found.value is not None
        low, high = ends(found)
        covered += low <= 0.3 <= high
        margin = 1.96 * math.sqrt(found.value * (1 - found.value) / found.count)
        naive += abs(found.value - 0.3) <= margin
    assert 0.93 <= covered / experiments <= 0.97
    assert naive / experiments < 0.9  # intervals of independent decisions are too narrow


@pytest.mark.parametrize("clusters", [8, 20, 60])
@pytest.mark.parametrize(("usual", "rare"), [(2, -1), (-1, 2), (-1, 6)])
def test_they_do_for_two_values_even_if_one_is_rare(usual: int, rare: int, clusters: int) -> None:
    found = []
    for often in range(clusters + 1):
        values = [rare] * often + [usual] * (clusters - often)
        found.append(ends(of([1] * clusters, values, declared("gain").span)))
    for probability in np.linspace(0.01, 0.99, 99):
        truth = usual + (rare - usual) * probability
        holds = sum(
            math.comb(clusters, often)
            * probability**often
            * (1 - probability) ** (clusters - often)
            for often, (low, high) in enumerate(found)
            if low <= truth <= high
        )
        assert holds >= 0.93


@pytest.mark.parametrize("clusters", [8, 12, 20, 60])
@pytest.mark.parametrize(("name", "agent"), SEEN)
def test_they_do_for_values_from_games_of_agents(name: str, agent: str, clusters: int) -> None:
    games = np.array([(n, x) for n, x, times in SEEN[name, agent] for _ in range(times)])
    measure, truth = declared(name), games[:, 1].sum() / games[:, 0].sum()
    rng = np.random.default_rng(clusters)
    experiments = 500
    covered = 0
    for _ in range(experiments):
        some = games[rng.integers(len(games), size=clusters)]
        found = estimate(some[:, 0], some[:, 1], span=measure.span, least=measure.least)
        low, high = ends(found)
        covered += low <= truth <= high
        assert name != "bluff_tax" or 0 <= low < high <= 1
    assert covered / experiments >= 0.93
