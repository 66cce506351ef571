"""OpenSkill ratings."""

import dataclasses

import numpy as np
import pytest
from openskill.models import PlackettLuce

from mascarade_agents.ratings import skill
from tests.mascarade_agents.ratings.made import (
    by_strength,
    drawn,
    mixed_lineups,
    results_of,
    rotated,
)


def test_ratings_follow_strength() -> None:
    results = drawn("abcd", mixed_lineups(4, 5, 800), by_strength([1, 8, 2, 4]))
    found = skill(results)
    assert np.argsort(found.mu).tolist() == [0, 2, 3, 1]
    assert found.ordinal == pytest.approx(found.mu - 3 * found.sigma)
    assert (found.sigma < 3).all()
    assert (found.spread < 2).all()


@pytest.mark.parametrize(
    "shares", [[1, 0, 0, 0], [0.5, 0, 0.5, 0], [0.25] * 4, [0.1, 0.2, 0.4, 0.3]]
)
def test_ratings_equal_those_of_the_library(shares: list[float]) -> None:
    """Play one game repeatedly, so that the order of the games does not matter."""
    model = PlackettLuce()
    rated = [model.rating() for _ in range(4)]
    ranks = [float(sum(other > share for other in shares)) for share in shares]
    for _ in range(30):
        rated = [team[0] for team in model.rate([[each] for each in rated], ranks=ranks)]
    found = skill(results_of("abcd", [[0, 1, 2, 3]] * 30, [shares] * 30, deals=[7] * 30))
    assert found.mu == pytest.approx([each.mu for each in rated])
    assert found.sigma == pytest.approx([each.sigma for each in rated])
    assert found.spread == pytest.approx([0] * 4, abs=1e-9)


def test_the_order_of_the_games_in_a_file_does_not_matter() -> None:
    played = drawn("abcd", mixed_lineups(4, 5, 60), by_strength([1, 1, 1, 1]))
    results = dataclasses.replace(played, deals=played.deals // 6)
    order = np.random.default_rng(8).permutation(60)
    turned = dataclasses.replace(
        results,
        lineups=results.lineups[order],
        shares=results.shares[order],
        deals=results.deals[order],
    )
    np.testing.assert_array_equal(skill(results).mu, skill(turned).mu)


def test_the_seed_changes_ratings_little() -> None:
    """Compare seeds: the mean over many orders varies less than one order."""
    results = drawn("abcd", mixed_lineups(4, 6, 300), by_strength([1, 1, 1, 1]))
    found = skill(results)
    others = np.array([skill(results, seed=seed).mu for seed in range(1, 6)])
    assert (np.abs(others - found.mu).max(axis=0) < 0.5 * found.spread).all()


def test_an_order_uses_a_limited_sample_of_the_games() -> None:
    """Check that orders use different games, not the first ones of the file."""
    results = drawn("ab", [[0, 0, 1, 1]] * 2600, by_strength([1, 1]))
    won = results.shares.copy()
    won[:600] = [1, 0, 0, 0]
    found = skill(dataclasses.replace(results, shares=won), orders=10)
    assert found.mu[0] > found.mu[1] + 1
    few = skill(drawn("ab", [[0, 0, 1, 1]] * 2000, by_strength([1, 1])), orders=10)
    more = skill(results, orders=10)
    assert more.mu.mean() == pytest.approx(few.mu.mean(), abs=0.5)


def test_equal_agents_are_rated_equal() -> None:
    """Add every game with the two agents exchanged, so that the agents are equal."""
    lineups = [[0, 1, 0, 1], [1, 0, 1, 0]] * 100
    found = skill(results_of("ab", lineups, [[1, 0, 0, 0]] * 200))
    assert abs(found.mu[0] - found.mu[1]) < found.spread.max()
    assert found.sigma[0] == pytest.approx(found.sigma[1], rel=0.02)


def test_players_of_one_agent_do_not_gain_from_each_other() -> None:
    """Compare three players of one agent and one of another with four agents."""
    three = skill(results_of("ab", [[0, 0, 1, 1]], [[1, 0, 0, 0]]))
    four = skill(results_of("abcd", [[0, 1, 2, 3]], [[1, 0, 0, 0]]))
    assert three.mu == pytest.approx([four.mu[:2].mean(), four.mu[2:].mean()])
    assert three.sigma == pytest.approx([four.sigma[:2].mean(), four.sigma[2:].mean()])


def test_mirror_games_do_not_change_ratings() -> None:
    lineups = mixed_lineups(2, 4, 20)
    results = drawn("ab", [line for line in lineups if len(set(line)) == 2], by_strength([2, 1]))
    more = results_of(
        "ab",
        [*results.lineups.tolist(), [1, 1, 1, 1]],
        [*results.shares.tolist(), [1, 0, 0, 0]],
    )
    np.testing.assert_array_equal(skill(results).mu, skill(more).mu)


def test_the_same_seed_gives_the_same_ratings_and_another_does_not() -> None:
    results = drawn("abc", mixed_lineups(3, 4, 60), by_strength([3, 2, 1]))
    np.testing.assert_array_equal(skill(results, seed=4).mu, skill(results, seed=4).mu)
    assert (skill(results, seed=4).mu != skill(results, seed=5).mu).any()


def test_the_order_of_the_agents_changes_no_value() -> None:
    results = drawn("abc", mixed_lineups(3, 4, 60), by_strength([3, 2, 1]))
    np.testing.assert_allclose(np.roll(skill(results).mu, 1), skill(rotated(results, 1)).mu)


def test_agents_without_mixed_games_have_no_rating() -> None:
    found = skill(results_of("abc", [[0, 1, 0, 1]], [[1, 0, 0, 0]]))
    assert np.isnan(found.mu).tolist() == [False, False, True]
