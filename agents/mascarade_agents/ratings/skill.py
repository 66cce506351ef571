"""OpenSkill: one number for each agent, from free-for-all games of any line-up."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from openskill.models import PlackettLuce

from mascarade_agents.ratings.kinds import kinds
from mascarade_agents.results import Results

SHUFFLES = 5


@dataclass(frozen=True, slots=True)
class Skill:
    """OpenSkill ratings; NaN for an agent in no mixed game.

    Attributes:
        mu: [A] the rating.
        sigma: [A] how uncertain it is.
        ordinal: [A] mu - 3 sigma: a rating that the agent very likely deserves.
        spread: [A] the standard deviation of mu between the orders in which games were taken.
    """

    mu: NDArray[np.float64]
    sigma: NDArray[np.float64]
    ordinal: NDArray[np.float64]
    spread: NDArray[np.float64]


def skill(results: Results, *, seed: int = 0, shuffles: int = SHUFFLES) -> Skill:
    """Ratings by OpenSkill's Plackett-Luce model, over all mixed games.

    Every player is a team of one, ranked by win share. Those who did not win rank equal, which
    pulls ratings together: their order tells more than their distance.

    - An agent that is several players of a game: each is rated from the agent's rating before the
      game, and the agent gets the mean of what they come to. So its players do not gain from one
      another, and one that won beside two that lost counts for what it is.
    - A rating depends on the order of the games. So they are taken in several orders, each drawn
      from the seed, and the means are given; `spread` tells how much the order matters.
    """
    mixed = np.flatnonzero(kinds(results).mixed)
    mixed = mixed[np.lexsort((mixed, results.deals[mixed]))]
    lineups = results.lineups[mixed].tolist()
    ranks = _ranks(results.shares[mixed])
    model = PlackettLuce()
    rng = np.random.default_rng(seed)
    found = np.full((shuffles, len(results.agents), 2), np.nan)
    for shuffle in range(shuffles):
        rated: dict[int, tuple[float, float]] = {}
        for game in rng.permutation(len(mixed)).tolist():
            _rate(model, rated, lineups[game], ranks[game])
        for agent, rating in rated.items():
            found[shuffle, agent] = rating
    mu, sigma = found.mean(axis=0).T
    return Skill(mu, sigma, mu - 3 * sigma, found[:, :, 0].std(axis=0))


def _ranks(shares: NDArray[np.float64]) -> list[list[float]]:
    """How many players got a greater share, for each player of each game."""
    above = shares[:, :, None] < shares[:, None, :]
    ranks: list[list[float]] = above.sum(axis=2).astype(np.float64).tolist()
    return ranks


def _rate(
    model: PlackettLuce,
    rated: dict[int, tuple[float, float]],
    lineup: list[int],
    ranks: list[float],
) -> None:
    """Take one game into the ratings."""
    start = (model.mu, model.sigma)
    teams = [[model.rating(*rated.get(agent, start))] for agent in lineup]
    after: dict[int, list[tuple[float, float]]] = {}
    for agent, team in zip(lineup, model.rate(teams, ranks=ranks), strict=True):
        after.setdefault(agent, []).append((team[0].mu, team[0].sigma))
    for agent, ratings in after.items():
        mus, sigmas = zip(*ratings, strict=True)
        rated[agent] = (sum(mus) / len(mus), sum(sigmas) / len(sigmas))
