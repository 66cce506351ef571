"""Invented results for tests: winners are drawn by weights, so that the true shares are known."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from mascarade_agents._results import NOBODY, Results

Lineup: TypeAlias = Sequence[int]
Weigh: TypeAlias = Callable[[Lineup], Sequence[float]]


def results_of(
    agents: Sequence[str],
    lineups: ArrayLike,
    shares: ArrayLike,
    *,
    deals: ArrayLike | None = None,
    forfeits: ArrayLike | None = None,
) -> Results:
    """Return results; by default every game has another deal."""
    played = np.asarray(lineups, np.int16)
    games = len(played)
    return Results(
        agents=tuple(agents),
        scenario="6A",
        lineups=played,
        shares=np.asarray(shares, np.float64).reshape(played.shape),
        deals=np.asarray(range(games) if deals is None else deals, np.int64),
        forfeits=np.asarray([NOBODY] * games if forfeits is None else forfeits, np.int16),
        decisions=np.full(games, 60, np.int64),
    )


def drawn(
    agents: Sequence[str], lineups: Sequence[Lineup], weigh: Weigh, *, seed: int = 0
) -> Results:
    """Return results in which the weights of each line-up determine the probable winners."""
    rng = np.random.default_rng(seed)
    shares = np.zeros((len(lineups), len(lineups[0])))
    for game, lineup in enumerate(lineups):
        weights = np.asarray(weigh(lineup), np.float64)
        shares[game, rng.choice(len(lineup), p=weights / weights.sum())] = 1
    return results_of(agents, lineups, shares)


def by_strength(strengths: Sequence[float]) -> Weigh:
    """Return a function that weighs each player by the strength of its agent."""
    return lambda lineup: [strengths[agent] for agent in lineup]


def mixed_lineups(agents: int, players: int, games: int, *, seed: int = 1) -> list[list[int]]:
    """Return random line-ups of mixed games."""
    rng = np.random.default_rng(seed)
    lineups: list[list[int]] = []
    while len(lineups) < games:
        lineup = rng.integers(agents, size=players).tolist()
        counts = sorted(lineup.count(agent) for agent in set(lineup))
        if len(counts) > 2 or (len(counts) == 2 and counts[0] > 1):
            lineups.append(lineup)
    return lineups


def duel_lineups(agents: int, players: int, games: int) -> list[list[int]]:
    """Return line-ups of every agent against copies of every other, on all seats in turn."""
    return [
        [a if seat == game % players else b for seat in range(players)]
        for a in range(agents)
        for b in range(agents)
        if a != b
        for game in range(games)
    ]


def rotated(results: Results, by: int) -> Results:
    """Return the same games with the agents in another order."""
    number = len(results.agents)
    agents = tuple(results.agents[(new - by) % number] for new in range(number))
    return Results(
        agents=agents,
        scenario=results.scenario,
        lineups=((results.lineups + by) % number).astype(np.int16),
        shares=results.shares,
        deals=results.deals,
        forfeits=results.forfeits,
        decisions=results.decisions,
    )
