"""Significance: equal agents rarely show it, and true differences do."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from mascarade_agents._results import Results
from mascarade_agents.arena import _lineups as lineups
from mascarade_agents.ratings import (
    Estimates,
    clearly,
    cycles,
    one_against_many,
    pairwise,
    win_shares,
)
from tests.mascarade_agents.ratings.made import results_of

ARENAS = 100


def equals(agents: int, players: int, deals: int, kind: str, seed: int) -> Results:
    """Return an arena of equal agents on all seats; each deal favours one seat."""
    rng = np.random.default_rng(seed)
    if kind == "mixed":
        seated = lineups.mixed(agents, players, deals, rng)
    else:
        pairs = list(itertools.permutations(range(agents), 2))
        seated = lineups.one_against_many(pairs, players, deals)
    if kind == "alone, one seat only":
        seated = seated[:, :, :1]
    played = seated.reshape(-1, players)
    deal = np.repeat(np.arange(deals), len(played) // deals)
    favoured = rng.integers(players, size=deals)[deal]
    drawn = rng.integers(players, size=len(played))
    winner = np.where(rng.random(len(played)) < 0.3, favoured, drawn)
    shares = np.eye(players)[winner]
    return results_of([f"agent:{n}" for n in range(agents)], played, shares, deals=deal)


def off_fair(results: Results) -> bool:
    return bool(clearly(win_shares(results, draws=400), 1 / results.players).any())


def ahead(results: Results) -> bool:
    return bool(cycles(pairwise(results, draws=300)).ahead.any())


def alone(results: Results) -> bool:
    return bool(one_against_many(results, draws=400).clear.any())


@pytest.mark.parametrize(
    ("significant", "agents", "players", "deals", "kind"),
    [
        (off_fair, 7, 6, 100, "mixed"),
        (off_fair, 12, 8, 25, "mixed"),
        (off_fair, 3, 4, 50, "mixed"),
        pytest.param(ahead, 7, 6, 100, "mixed", marks=pytest.mark.slow),
        (alone, 5, 5, 60, "alone"),
        # The one agent seldom wins, so that its intervals are narrow.
        (alone, 4, 6, 60, "alone, one seat only"),
    ],
)
def test_equal_agents_are_significant_in_at_most_one_of_twenty_arenas(
    significant: Callable[[Results], bool], agents: int, players: int, deals: int, kind: str
) -> None:
    arenas = [equals(agents, players, deals, kind, seed) for seed in range(ARENAS)]
    assert sum(map(significant, arenas)) <= 0.07 * ARENAS


def test_single_intervals_would_often_name_equal_agents() -> None:
    """Show that the correction of the test above is needed."""
    found = [win_shares(equals(7, 6, 100, "mixed", seed), draws=400) for seed in range(60)]
    assert sum(((each.low > 1 / 6) | (each.high < 1 / 6)).any() for each in found) > 6


def estimates(*triples: tuple[float, float, float], count: int = 400) -> Estimates:
    low, value, high = np.array(triples).T
    return Estimates(value, low, high, np.full(len(value), count))


def test_a_single_difference_is_significant_if_its_interval_excludes_the_fair_value() -> None:
    assert clearly(estimates((0.26, 0.3, 0.34)), 0.25).tolist() == [1]
    assert clearly(estimates((0.24, 0.3, 0.36)), 0.25).tolist() == [0]
    assert clearly(estimates((0.16, 0.2, 0.24)), 0.25).tolist() == [-1]


def test_each_significant_difference_relaxes_the_bound_of_the_next() -> None:
    """Check Holm's procedure: the second of two is compared with its own interval alone."""
    far, near = (0.4, 0.45, 0.5), (0.251, 0.3, 0.349)
    assert clearly(estimates(far, near), 0.25).tolist() == [1, 1]
    assert clearly(estimates(near, near), 0.25).tolist() == [0, 0]


def test_missing_values_are_not_comparisons() -> None:
    nan = np.nan
    found = clearly(estimates((nan, nan, nan), (0.26, 0.3, 0.34)), 0.25)
    assert found.tolist() == [0, 1]
    assert clearly(estimates((nan, nan, nan)), 0.25).tolist() == [0]


def test_an_agent_that_always_wins_is_significantly_better() -> None:
    games = [[0, 0, 1, 1], [1, 1, 0, 0]] * 20
    results = results_of("ab", games, [[1, 0, 0, 0], [0, 0, 0, 1]] * 20)
    assert clearly(win_shares(results), 0.25).tolist() == [1, -1]
    few = results_of("ab", games[:2], [[1, 0, 0, 0], [0, 0, 0, 1]])
    assert clearly(win_shares(few), 0.25).tolist() == [0, 0]
