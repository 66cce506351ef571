"""OpenSkill ratings: one number for each agent, from games of any line-up."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._results import Results
from mascarade_agents.ratings._game_kinds import kinds

ORDERS = 100  # random orders of the games
MOST_GAMES = 2_000  # games of an agent in an order; with more, ratings only drift

# The values of the library openskill.
START = 25.0  # the rating before the first game
_SIGMA = START / 3
_BETA2 = (START / 6) ** 2  # variance of a player's performance in a game
_TAU2 = (START / 300) ** 2  # added to the variance of a rating by every game
_LEAST = 1e-4  # the smallest fraction of its variance that a game leaves


@dataclass(frozen=True, slots=True)
class Skill:
    """OpenSkill ratings; NaN for an agent without mixed games.

    Attributes:
        mu: [A] the rating.
        sigma: [A] the standard deviation of the rating.
        ordinal: [A] mu - 3 sigma: a cautious rating, very likely below the true one.
        spread: [A] the standard deviation of mu between orders of the games. If two ratings differ
            by less, the order of the games decides which one is higher.
    """

    mu: NDArray[np.float64]
    sigma: NDArray[np.float64]
    ordinal: NDArray[np.float64]
    spread: NDArray[np.float64]


def skill(results: Results, *, seed: int = 0, orders: int = ORDERS) -> Skill:
    """Rate agents by OpenSkill's Plackett-Luce model over mixed games.

    Every player is a team of one, ranked by win share. Players who did not win are tied, which
    moves ratings together: compare the order of ratings rather than their distances.

    - If an agent has several players in a game, each is rated from the agent's rating before the
      game, and the agent gets the mean of the new ratings. So its players do not gain from each
      other.
    - A rating depends on the order of the games. So the result is the mean over several random
      orders; `spread` shows how much the order matters. The order of the games in `results` does
      not matter.
    - An order uses a random sample of the games if there are more than give each agent 2,000.

    Args:
        results: the games.
        seed: the seed of the orders.
        orders: the number of orders.
    """
    mixed = _sorted(results, np.flatnonzero(kinds(results).mixed))
    lineups = results.lineups[mixed].astype(np.int64)
    shares = results.shares[mixed]
    # [G, n] how many players got a greater share
    ranks = (shares[:, :, None] < shares[:, None, :]).sum(axis=2)
    rng = np.random.default_rng(seed)
    most = MOST_GAMES * max(len(results.agents), results.players) // results.players
    taken = np.stack([rng.permutation(len(mixed))[:most] for _ in range(orders)], axis=1)
    mu = np.full((orders, len(results.agents)), START)
    sigma = np.full_like(mu, _SIGMA)
    for games in taken:
        _rate(mu, sigma, lineups[games], ranks[games])
    absent = np.bincount(lineups.ravel(), minlength=len(results.agents)) == 0
    mu[:, absent] = sigma[:, absent] = np.nan
    means, sigmas = mu.mean(axis=0), sigma.mean(axis=0)
    return Skill(means, sigmas, means - 3 * sigmas, mu.std(axis=0))


def _sorted(results: Results, games: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sort games by their content, so that their order in the results does not matter."""
    places = np.argsort(np.argsort(results.agents, kind="stable"))
    keys = [results.deals, *places[results.lineups].T, *results.shares.T]
    return games[np.lexsort([key[games] for key in reversed(keys)])]


def _rate(
    mu: NDArray[np.float64],
    sigma: NDArray[np.float64],
    lineups: NDArray[np.int64],
    ranks: NDArray[np.int64],
) -> None:
    """Update the ratings of every order with its next game.

    This is algorithm 4 of Weng and Lin, "A Bayesian approximation method for online ranking"
    (2011), as in the library openskill, for all orders at once: one by one takes a hundred times
    as long.

    Args:
        mu: [orders, A] the ratings; updated in place.
        sigma: [orders, A] their standard deviations; updated in place.
        lineups: [orders, n] the agents of each game.
        ranks: [orders, n] the number of players who did better.
    """
    row = np.arange(len(mu))[:, None]
    mean = mu[row, lineups]
    variance = sigma[row, lineups] ** 2 + _TAU2
    all_of = np.sqrt((variance + _BETA2).sum(axis=1, keepdims=True))
    strength = np.exp(mean / all_of)
    # [orders, player, other]: the probability that the player takes the rank of the other, among
    # all players of that rank or a worse one; 0 if the player's own rank is better.
    behind = ranks[:, :, None] >= ranks[:, None, :]
    rivals = (strength[:, :, None] * behind).sum(axis=1, keepdims=True)
    probability = strength[:, :, None] / rivals * behind
    ties = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    gain = 1 / ties - (probability / ties[:, None, :]).sum(axis=2)
    information = (probability * (1 - probability) / ties[:, None, :]).sum(axis=2)
    mean += variance / all_of * gain
    shrinks = np.sqrt(variance) / all_of * variance / all_of**2 * information
    deviation = np.sqrt(variance * np.maximum(1 - shrinks, _LEAST))
    # Players of one agent all get the same mean, so it does not matter which one is written last.
    same = (lineups[:, :, None] == lineups[:, None, :]).astype(np.float64)
    same /= same.sum(axis=2, keepdims=True)
    mu[row, lineups] = np.einsum("oij,oj->oi", same, mean)
    sigma[row, lineups] = np.einsum("oij,oj->oi", same, deviation)
