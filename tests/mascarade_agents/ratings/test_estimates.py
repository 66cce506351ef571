"""Win shares, one against many and pairs, with their intervals."""

from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_agents._results import Results
from mascarade_agents.ratings import forfeits, kinds, one_against_many, pairwise, win_shares
from mascarade_agents.ratings._intervals import estimate
from tests.mascarade_agents.ratings.made import (
    Lineup,
    by_strength,
    drawn,
    duel_lineups,
    mixed_lineups,
    results_of,
    rotated,
)

Array: TypeAlias = NDArray[Any]


def test_every_game_is_of_one_kind() -> None:
    results = results_of(
        "abc",
        [[0, 1, 1, 1], [2, 2, 1, 2], [0, 0, 1, 1], [0, 1, 2, 1], [2, 2, 2, 2]],
        np.full((5, 4), 0.25),
    )
    found = kinds(results)
    assert found.one_against_many.tolist() == [True, True, False, False, False]
    assert found.mixed.tolist() == [False, False, True, True, False]
    assert found.mirror.tolist() == [False, False, False, False, True]
    assert found.single.tolist() == [0, 1, -1, -1, -1]
    assert found.many.tolist() == [1, 2, -1, -1, -1]


def test_games_of_two_players_are_mixed() -> None:
    found = kinds(results_of("ab", [[0, 1], [1, 1]], [[1, 0], [1, 0]]))
    assert found.mixed.tolist() == [True, False]


def test_games_of_two_agents_and_three_players_are_of_both_kinds() -> None:
    games = [[0, 1, 1], [0, 0, 1], [1, 1, 1]]
    found = kinds(results_of("ab", games, np.eye(3)))
    assert found.mixed.tolist() == found.one_against_many.tolist() == [True, True, False]
    # With a third agent, some games are mixed only.
    found = kinds(results_of("abc", [*games, [2, 0, 1]], np.eye(4)[:, :3]))
    assert found.mixed.tolist() == [False, False, False, True]


def bernoulli(probability: float, games: int, seed: int) -> Array:
    return (np.random.default_rng(seed).random((games, 1)) < probability).astype(np.float64)


@pytest.mark.parametrize("probability", [0.1, 0.25, 0.5])
def test_an_interval_is_the_analytic_one(probability: float) -> None:
    wins = bernoulli(probability, 2000, 3)
    found = estimate(wins, np.ones_like(wins), seed=5)
    mean = wins.mean()
    half = 1.96 * np.sqrt(mean * (1 - mean) / 2000)
    assert found.value[0] == pytest.approx(mean)
    assert found.low[0] == pytest.approx(mean - half, abs=0.1 * half)
    assert found.high[0] == pytest.approx(mean + half, abs=0.1 * half)
    assert found.count[0] == 2000


def test_intervals_contain_the_true_value_in_95_of_100_arenas() -> None:
    wins = np.concatenate([bernoulli(0.3, 80, seed) for seed in range(400)], axis=1)
    found = estimate(wins, np.ones_like(wins), draws=500)
    held = np.mean((found.low <= 0.3) & (found.high >= 0.3))
    assert 0.91 < held < 0.985


def test_copies_of_a_game_in_a_deal_widen_the_interval() -> None:
    wins = bernoulli(0.3, 500, 1)
    once = estimate(wins, np.ones_like(wins))
    copied = estimate(4 * wins, np.full_like(wins, 4.0))
    alone = estimate(np.repeat(wins, 4, axis=0), np.ones((2000, 1)))
    assert copied.low[0] == pytest.approx(once.low[0])
    assert copied.high[0] == pytest.approx(once.high[0])
    assert copied.high[0] - copied.low[0] == pytest.approx(
        2 * (alone.high[0] - alone.low[0]), rel=0.1
    )


@pytest.mark.parametrize(("games", "low"), [(1, 0.025), (10, 0.6915), (100, 0.9638)])
def test_agents_that_always_won_have_an_interval(games: int, low: float) -> None:
    """Compare with the exact interval of Clopper and Pearson."""
    wins = np.ones((games, 1))
    found = estimate(wins, wins)
    assert found.low[0] == pytest.approx(low, abs=1e-4)
    assert found.high[0] == 1
    lost = estimate(0 * wins, wins)
    assert lost.high[0] == pytest.approx(1 - low, abs=1e-4)
    assert lost.low[0] == 0


def test_win_shares_count_players_in_mixed_games() -> None:
    results = results_of(
        "abc",
        [[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 0], [0, 2, 1, 1]],
        np.array([[0.5, 0, 0.5, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]]),
        forfeits=[-1, 1, 3, 2],
    )
    found = win_shares(results)
    assert found.value == pytest.approx([0.5 / 3, 0.5 / 4, 1])
    assert found.count.tolist() == [3, 4, 1]
    assert forfeits(results).tolist() == [1, 2, 0]


def test_the_better_agent_has_the_larger_win_share() -> None:
    results = drawn("abc", mixed_lineups(3, 5, 2000), by_strength([3, 1, 1]))
    found = win_shares(results)
    assert found.low[0] > 0.2
    assert (found.high[1:] < 0.2).all()
    assert found.low[1] < found.high[2]
    assert found.low[2] < found.high[1]


def test_one_against_many_both_ways() -> None:
    results = drawn("abc", duel_lineups(3, 4, 400), by_strength([3, 1, 1]))
    found = one_against_many(results)
    assert found.one.value[0, 1] == pytest.approx(3 / 6, abs=0.07)
    assert found.one.value[1, 0] == pytest.approx(1 / 10, abs=0.05)
    assert found.many.value[0, 1] == pytest.approx((1 - found.one.value[1, 0]) / 3)
    assert found.many.low[0, 1] == pytest.approx((1 - found.one.high[1, 0]) / 3)
    assert found.many.high[0, 1] > found.many.value[0, 1] > found.many.low[0, 1]
    assert found.one.count[2, 1] == found.many.count[1, 2] == 400
    assert found.beats.tolist() == [[False, True, True], [False] * 3, [False] * 3]
    assert np.isnan(np.diag(found.one.value)).all()


def test_an_agent_that_wins_only_as_the_one_does_not_beat_both_ways() -> None:
    def lone(lineup: Lineup) -> list[float]:
        return [9.0 if lineup.count(agent) == 1 else 1.0 for agent in lineup]

    found = one_against_many(drawn("ab", duel_lineups(2, 4, 200), lone))
    assert found.one.low[0, 1] > 0.25
    assert found.one.low[1, 0] > 0.25
    assert not found.beats.any()


def test_pairs_count_every_pair_of_players() -> None:
    results = results_of(
        "abc",
        [[0, 0, 1, 1], [2, 1, 0, 1]],
        np.array([[1, 0, 0, 0], [0, 0.5, 0, 0.5]]),
    )
    found = pairwise(results)
    # Four pairs: two won, two tied; then two lost.
    assert found.value[0, 1] == pytest.approx((2 + 1 + 0) / 6)
    assert found.count[0, 1] == found.count[1, 0] == 6
    assert found.value[2, 0] == found.value[0, 2] == 0.5
    assert found.value[1, 2] == 1
    assert found.low[1, 2] == pytest.approx(1 - found.high[2, 1])
    assert np.isnan(np.diag(found.value)).all()


def fields(results: Results) -> tuple[list[Array], list[Array]]:
    share, pair, duel = win_shares(results), pairwise(results), one_against_many(results)
    return (
        [share.value, share.low, share.high, share.count, forfeits(results)],
        [
            *(pair.value, pair.low, pair.high, pair.count),
            *(duel.one.value, duel.many.low, duel.beats),
        ],
    )


def test_the_order_of_the_agents_changes_no_value() -> None:
    lineups = mixed_lineups(3, 4, 150) + duel_lineups(3, 4, 10)
    results = drawn("abc", lineups, by_strength([3, 2, 1]))
    lines, tables = fields(results)
    turned_lines, turned_tables = fields(rotated(results, 1))
    for line, turned in zip(lines, turned_lines, strict=True):
        np.testing.assert_allclose(np.roll(line, 1), turned)
    for table, turned in zip(tables, turned_tables, strict=True):
        np.testing.assert_allclose(np.roll(table, (1, 1), axis=(0, 1)), turned)


def test_estimates_without_games_are_nan() -> None:
    results = results_of("ab", np.zeros((0, 4)), np.zeros((0, 4)))
    assert np.isnan(win_shares(results).value).all()
    assert np.isnan(pairwise(results).high).all()
    assert np.isnan(one_against_many(results).one.low).all()
    assert win_shares(results).count.tolist() == [0, 0]
