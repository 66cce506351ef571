"""Cycles, alpha-rank and maximal lotteries."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from mascarade_agents.ratings import alpha_rank, compared, cycles, maximal_lottery, pairwise
from mascarade_agents.ratings._intervals import Estimates
from tests.mascarade_agents.ratings.made import Lineup, by_strength, drawn, mixed_lineups

Measure: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def matrix(margins: ArrayLike) -> NDArray[np.float64]:
    """Return pairwise shares with these margins."""
    shares = 0.5 + np.asarray(margins, np.float64) / 2
    np.fill_diagonal(shares, np.nan)
    return shares


def rock_paper_scissors(x: float, y: float, z: float) -> NDArray[np.float64]:
    """Return shares in which 0 is ahead of 1 by x, 1 of 2 by y, and 2 of 0 by z."""
    return matrix([[0, x, -z], [-x, 0, y], [z, -y, 0]])


def sure(margins: ArrayLike, width: float = 0.05) -> Estimates:
    value = matrix(margins)
    return Estimates(value, value - width, value + width, np.ones(value.shape, np.int64))


@pytest.mark.parametrize("measure", [alpha_rank, maximal_lottery])
def test_agents_in_a_fair_cycle_share_equally(measure: Measure) -> None:
    assert measure(rock_paper_scissors(0.3, 0.3, 0.3)) == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("wins", [(0.1, 0.2, 0.5), (1, 1e-3, 0.5), (0.02, 0.02, 0.9)])
def test_the_lottery_of_an_unfair_cycle(wins: tuple[float, float, float]) -> None:
    x, y, z = wins
    expected = np.array([y, z, x]) / (x + y + z)
    assert maximal_lottery(rock_paper_scissors(x, y, z)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("measure", [alpha_rank, maximal_lottery])
def test_an_agent_that_beats_all_gets_everything(measure: Measure) -> None:
    shares = matrix(
        [[0, -0.1, 0.3, -0.3], [0.1, 0, 0.01, 0.1], [-0.3, -0.01, 0, 0.3], [0.3, -0.1, -0.3, 0]]
    )
    assert measure(shares) == pytest.approx([0, 1, 0, 0], abs=1e-9)


@pytest.mark.parametrize("measure", [alpha_rank, maximal_lottery])
@pytest.mark.parametrize("number", [2, 5])
def test_equal_agents_share_equally(measure: Measure, number: int) -> None:
    assert measure(matrix(np.zeros((number, number)))) == pytest.approx(np.full(number, 1 / number))


@pytest.mark.parametrize("measure", [alpha_rank, maximal_lottery])
@pytest.mark.parametrize("number", [0, 1, 2, 5])
def test_measures_are_nan_if_no_agents_met(measure: Measure, number: int) -> None:
    assert np.isnan(measure(np.full((number, number), np.nan))).all()


def met(number: int, *pairs: tuple[int, int]) -> NDArray[np.float64]:
    """Return shares in which only these pairs met, and the first of each is ahead."""
    shares = np.full((number, number), np.nan)
    for better, worse in pairs:
        shares[better, worse], shares[worse, better] = 0.6, 0.4
    return shares


@pytest.mark.parametrize("measure", [alpha_rank, maximal_lottery])
def test_measures_of_agents_that_met_no_other_are_nan(measure: Measure) -> None:
    shares = measure(met(4, (0, 1), (1, 3), (3, 0)))
    assert shares == pytest.approx([1 / 3, 1 / 3, np.nan, 1 / 3], nan_ok=True)


def test_the_largest_group_that_met_is_compared() -> None:
    assert compared(met(3, (0, 1))).tolist() == [True, True, False]
    assert compared(met(3, (0, 1), (1, 2))).all()
    assert compared(met(5, (0, 1), (4, 2), (2, 3))).tolist() == [False, False, True, True, True]
    assert not compared(met(4, (0, 1), (2, 3))).any()


@pytest.mark.parametrize("measure", [alpha_rank, maximal_lottery])
def test_two_equals_that_beat_a_third(measure: Measure) -> None:
    shares = matrix([[0, 0.2, 0.2], [-0.2, 0, 0], [-0.2, 0, 0]])
    assert measure(1 - shares) == pytest.approx([0, 0.5, 0.5], abs=1e-9)


def test_no_agent_is_ahead_of_a_lottery() -> None:
    rng = np.random.default_rng(2)
    for number in range(2, 14):
        margins = rng.uniform(-0.5, 0.5, (number, number))
        margins -= margins.T
        lottery = maximal_lottery(matrix(margins))
        assert lottery.sum() == pytest.approx(1)
        assert (margins @ lottery).max() < 1e-6
        order = rng.permutation(number)
        turned = maximal_lottery(matrix(margins[np.ix_(order, order)]))
        assert turned == pytest.approx(lottery[order], abs=1e-6)


@pytest.mark.parametrize("alpha", [0.1, 1, 10, 300])
def test_alpha_rank_of_two_has_a_closed_form(alpha: float) -> None:
    """Check that the odds of the better agent are e^((m-1) alpha margin)."""
    better, worse = alpha_rank(matrix([[0, 0.02], [-0.02, 0]]), alpha=alpha, population=20)
    assert better + worse == pytest.approx(1)
    assert worse / better == pytest.approx(np.exp(-19 * alpha * 0.02))


def test_alpha_rank_solves_its_chain() -> None:
    """Compare with the whole Markov chain, for weak selection without underflow."""
    rng = np.random.default_rng(3)
    margins = rng.uniform(-0.2, 0.2, (5, 5))
    margins -= margins.T
    alpha, population = 0.7, 10
    chain = np.zeros((5, 5))
    for now in range(5):
        for mutant in range(5):
            if now != mutant:
                gain = alpha * margins[mutant, now]
                spreads = (1 - np.exp(-gain)) / (1 - np.exp(-population * gain))
                chain[now, mutant] = spreads / 4
        chain[now, now] = 1 - chain[now].sum()
    found = alpha_rank(matrix(margins), alpha=alpha, population=population)
    assert found @ chain == pytest.approx(found)


def test_cycles_are_found_between_agents_above_and_below() -> None:
    margins = np.zeros((6, 6))
    for above, below in [(1, 2), (2, 4), (4, 1), (5, 1), (5, 2), (5, 4), (1, 0), (4, 0)]:
        margins[above, below], margins[below, above] = 0.3, -0.3
    found = cycles(sure(margins))
    assert found.components == ((5,), (1, 2, 4), (0,), (3,))
    assert found.found == ((1, 2, 4),)
    assert found.ahead[5, 1]
    assert not found.ahead[1, 5]


def test_differences_that_are_not_significant_make_no_cycle() -> None:
    margins = [[0, 0.3, -0.3], [-0.3, 0, 0.3], [0.3, -0.3, 0]]
    assert cycles(sure(margins)).found == ((0, 1, 2),)
    assert cycles(sure(margins, width=0.2)).found == ()


def test_a_cycle_in_games_is_found() -> None:
    """Let each agent win more if the agent that it beats plays too."""

    def weigh(lineup: Lineup) -> list[float]:
        return [1.0 + 6.0 * lineup.count((agent + 1) % 3) for agent in lineup]

    lineups = [line for line in mixed_lineups(3, 4, 1500) if len(set(line)) == 2]
    found = pairwise(drawn("abc", lineups, weigh))
    assert cycles(found).found == ((0, 1, 2),)
    assert maximal_lottery(found.value).min() > 0.2
    assert alpha_rank(found.value) == pytest.approx([1 / 3] * 3)


def test_agents_of_fixed_strength_make_no_cycle() -> None:
    found = pairwise(drawn("abc", mixed_lineups(3, 4, 1500), by_strength([1, 9, 3])))
    assert cycles(found).components == ((1,), (2,), (0,))
    assert alpha_rank(found.value) == pytest.approx([0, 1, 0], abs=1e-9)
    assert maximal_lottery(found.value) == pytest.approx([0, 1, 0], abs=1e-9)
