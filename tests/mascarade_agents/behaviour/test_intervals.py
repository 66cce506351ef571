"""Intervals against cases that are known."""

import math

import numpy as np
import pytest
from numpy.typing import ArrayLike

from mascarade_agents.behaviour import MEASURES, Estimate
from mascarade_agents.behaviour._intervals import estimate
from mascarade_agents.behaviour._measures import Measure
from tests.mascarade_agents.behaviour.seen import SEEN

WIDE = (0, 1)  # the span of values that are not only 0 or 1


def of(chances: ArrayLike, values: ArrayLike, span: tuple[float, float] | None = None) -> Estimate:
    return estimate(np.asarray(chances, float), np.asarray(values, float), span=span)


def ends(found: Estimate) -> tuple[float, float]:
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def declared(name: str) -> Measure:
    return next(measure for measure in MEASURES if measure.name == name)


def test_no_chance_and_one_cluster() -> None:
    assert of([], []) == of([0, 0], [0, 0], WIDE) == Estimate(None, None, None, 0)
    assert of([4], [1]) == Estimate(0.25, None, None, 4)
    assert of([4, 0, 0], [1, 0, 0], WIDE) == Estimate(0.25, None, None, 4)


def test_one_chance_each_has_the_interval_of_a_mean_and_two_values_more() -> None:
    values, span = [1.0, 2.0, 4.0, 5.0], (0.0, 8.0)
    found = of([1] * 4, values, span)
    more = [*values, *span]
    middle = np.mean(more)
    margin = 3.182 * math.sqrt(np.var(more, ddof=1) / 6)  # Student's quantile of three degrees
    assert found.value == 3
    assert ends(found) == pytest.approx((middle - margin, middle + margin), abs=5e-3)


def test_at_most_two_values_more_are_counted_at_each_end() -> None:
    values = [10.0, 20.0, 40.0, 50.0]
    found = of([20] * 4, values, (0, 8))
    chances, sums = np.array([20] * 4 + [2] * 2), np.array([*values, 0, 16])
    middle = sums.sum() / chances.sum()
    moves = (sums - middle * chances) / (chances.sum() - chances)  # without each of them
    margin = 3.182 * math.sqrt(5 / 6 * (moves @ moves))
    assert ends(found) == pytest.approx((middle - margin, middle + margin), abs=5e-3)


def test_many_clusters_have_the_usual_interval_whatever_the_span() -> None:
    chance = np.random.default_rng(3)
    values = chance.normal(2, 1, 4000)
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


def test_one_large_cluster_shows_how_little_is_known() -> None:
    even = ends(of([10] * 10, [5] * 9 + [10]))
    assert even[1] - even[0] < 0.4
    low, high = ends(of([1] * 9 + [91], [0] * 9 + [60]))
    assert high - low > 0.9


@pytest.mark.parametrize(("share", "value"), [(0.0, 0), (1.0, 3)])
def test_all_or_nothing_still_has_an_interval(share: float, value: int) -> None:
    found = of([3] * 20, [value] * 20)
    assert found.value == share
    low, high = ends(found)
    assert share in (low, high)
    assert 0.1 < high - low < 0.25  # as of 20 clusters, not of 60 decisions


@pytest.mark.parametrize("value", [-1.0, 2.0, 6.0, 9.0])
@pytest.mark.parametrize("clusters", [2, 6, 20, 500])
def test_values_that_agree_have_an_interval_that_holds_them(value: float, clusters: int) -> None:
    low, high = ends(of([1] * clusters, [value] * clusters, (-1, 6)))
    assert low < value < high


def test_six_clusters_that_agree_are_no_proof() -> None:
    low, high = ends(of([1] * 6, [2] * 6, (-1, 6)))
    # Were 4 of 10 values fines, six gains of 2 would still be seen once in twenty times.
    assert low < 0.6 * 2 - 0.4
    assert high < 6


def test_no_mean_lies_below_the_least() -> None:
    chances, values = np.ones(3), np.array([0.0, 0.0, 3.0])
    assert estimate(chances, values, span=WIDE, least=0).low == 0
    assert ends(of(chances, values, WIDE))[0] < 0


@pytest.mark.parametrize("span", [None, WIDE])
def test_intervals_hold_the_truth_in_95_of_100_experiments(
    span: tuple[float, float] | None,
) -> None:
    # Every cluster has a share of its own, 0.3 in the mean, so decisions of one hang together; how
    # many chances there are does not depend on it.
    chance = np.random.default_rng(7)
    experiments, clusters = 800, 60
    caught = naive = 0
    for _ in range(experiments):
        chances = chance.poisson(4, clusters)
        values = chance.binomial(chances, chance.beta(0.6, 1.4, clusters))
        found = of(chances, values, span)
        assert found.value is not None
        low, high = ends(found)
        caught += low <= 0.3 <= high
        margin = 1.96 * math.sqrt(found.value * (1 - found.value) / found.count)
        naive += abs(found.value - 0.3) <= margin
    assert 0.93 <= caught / experiments <= 0.97
    assert naive / experiments < 0.9  # decisions taken for independent promise too much


@pytest.mark.parametrize("clusters", [8, 20, 60])
@pytest.mark.parametrize(("usual", "rare"), [(2, -1), (-1, 2), (-1, 6)])
def test_they_do_for_two_values_however_rare_one_is(usual: int, rare: int, clusters: int) -> None:
    found = []
    for often in range(clusters + 1):
        values = [rare] * often + [usual] * (clusters - often)
        found.append(ends(of([1] * clusters, values, declared("gain").span)))
    for chance in np.linspace(0.01, 0.99, 99):
        truth = usual + (rare - usual) * chance
        holds = sum(
            math.comb(clusters, often) * chance**often * (1 - chance) ** (clusters - often)
            for often, (low, high) in enumerate(found)
            if low <= truth <= high
        )
        assert holds >= 0.93


@pytest.mark.parametrize("clusters", [8, 12, 20, 60])
@pytest.mark.parametrize(("name", "agent"), SEEN)
def test_they_do_for_what_agents_really_did(name: str, agent: str, clusters: int) -> None:
    games = np.array([(n, x) for n, x, times in SEEN[name, agent] for _ in range(times)])
    measure, truth = declared(name), games[:, 1].sum() / games[:, 0].sum()
    chance = np.random.default_rng(clusters)
    experiments = 500
    caught = 0
    for _ in range(experiments):
        some = games[chance.integers(len(games), size=clusters)]
        found = estimate(some[:, 0], some[:, 1], span=measure.span, least=measure.least)
        low, high = ends(found)
        caught += low <= truth <= high
        assert name != "bluff_tax" or 0 <= low < high <= 1
    assert caught / experiments >= 0.93
