"""OpenSkill ratings: one number for each agent, from games with any agents at the table."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._results import Results
from mascarade_agents.ratings._game_kinds import kinds

ORDERS = 100  # the number of random orders of the games
MOST_GAMES = 2_000  # games of an agent in one order; with more, ratings only drift

# The constants of the library openskill.
START = 25.0  # the rating before the first game
_SIGMA = START / 3
_BETA2 = (START / 6) ** 2  # variance of a player's performance in a game
_TAU2 = (START / 300) ** 2  # added to the variance of a rating before each game
_LEAST = 1e-4  # a game multiplies the variance of a rating by at least this factor


@dataclass(frozen=True, slots=True)
class Skill:
    """OpenSkill ratings; NaN for an agent without mixed games.

    Attributes:
        mu: [A] the rating.
        sigma: [A] the standard deviation of the rating.
        ordinal: [A] mu - 3 sigma: a cautious rating; the true rating is very probably higher.
        spread: [A] the standard deviation of mu between orders of the games. If two ratings differ
            by less, the order of the games decides which one is higher.
    """

    mu: NDArray[np.float64]
    sigma: NDArray[np.float64]
    ordinal: NDArray[np.float64]
    spread: NDArray[np.float64]


def skill(results: Results, *, seed: int = 0, orders: int = ORDERS) -> Skill:
    """Rate agents by OpenSkill's Plackett-Luce model over mixed games.

    Each player is a team with one member. The win shares give the ranks in a game. Players who did
    not win are tied, which makes the ratings of all agents more similar. So compare the order of
    ratings rather than their distances.

    - If an agent has several players in a game, each of them starts from the agent's rating before
      the game. The agent's new rating is the mean of theirs. So its players do not gain from each
      other.
    - A rating depends on the order of the games. So the result is the mean over several random
      orders, and `spread` shows how much the order matters. The order of the games in `results`
      does not matter.
    - If agents have more than 2,000 games each on average, an order uses a random sample of the
      games.

    Args:
        results: the games.
        seed: the seed of the random orders.
        orders: the number of random orders.
    """
    mixed = _sorted(results, np.flatnonzero(kinds(results).mixed))
    lineups = results.lineups[mixed].astype(np.int64)
    shares = results.shares[mixed]
    # [G, n]: how many players of the game got a larger win share
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
    """Update the ratings in each order with the next game of that order.

    This is algorithm 4 of Weng and Lin, "A Bayesian approximation method for online ranking"
    (2011), as in the library openskill. It updates all orders in one step, because a loop over them
    would take a hundred times longer.

    Args:
        mu: [orders, A] the ratings; updated in place.
        sigma: [orders, A] their standard deviations; updated in place.
        lineups: [orders, n] the agents of each game.
        ranks: [orders, n] the number of players in the game with a larger win share.
    """
    row = np.arange(len(mu))[:, None]
    mean = mu[row, lineups]
    variance = sigma[row, lineups] ** 2 + _TAU2
    all_of = np.sqrt((variance + _BETA2).sum(axis=1, keepdims=True))
    strength = np.exp(mean / all_of)
    # [orders, player, other]: the probability that the player takes the rank of the other player,
    # among all players with that rank or a worse one; 0 if the player's own rank is better.
    behind = ranks[:, :, None] >= ranks[:, None, :]
    rivals = (strength[:, :, None] * behind).sum(axis=1, keepdims=True)
    probability = strength[:, :, None] / rivals * behind
    ties = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    gain = 1 / ties - (probability / ties[:, None, :]).sum(axis=2)
    information = (probability * (1 - probability) / ties[:, None, :]).sum(axis=2)
    mean += variance / all_of * gain
    shrinks = np.sqrt(variance) / all_of * variance / all_of**2 * information
    deviation = np.sqrt(variance * np.maximum(1 - shrinks, _LEAST))
    # All players of an agent get the same mean, so it does not matter whose is written last.
    same = (lineups[:, :, None] == lineups[:, None, :]).astype(np.float64)
    same /= same.sum(axis=2, keepdims=True)
    mu[row, lineups] = np.einsum("oij,oj->oi", same, mean)
    sigma[row, lineups] = np.einsum("oij,oj->oi", same, deviation)
