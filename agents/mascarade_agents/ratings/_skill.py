"""OpenSkill: one number for each agent, from free-for-all games of any line-up."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._results import Results
from mascarade_agents.ratings._game_kinds import kinds

ORDERS = 100
MOST_GAMES = 2_000  # of an agent in an order: these settle the ratings, more let them wander

START = 25.0  # a rating before the first game; these are the values of the library openskill
_SIGMA = START / 3
_BETA2 = (START / 6) ** 2  # how much a player's form varies, squared
_TAU2 = (START / 300) ** 2  # what every game adds to the variance, so that ratings stay alive
_LEAST = 1e-4  # of its variance that a game leaves


@dataclass(frozen=True, slots=True)
class Skill:
    """OpenSkill ratings; NaN for an agent in no mixed game.

    Attributes:
        mu: [A] the rating.
        sigma: [A] how uncertain it is, one standard deviation.
        ordinal: [A] mu - 3 sigma: a rating that the agent very likely deserves.
        spread: [A] the standard deviation of mu between the orders in which games were taken. Of
            two agents that are nearer each other than that, the order decides who is ahead.
    """

    mu: NDArray[np.float64]
    sigma: NDArray[np.float64]
    ordinal: NDArray[np.float64]
    spread: NDArray[np.float64]


def skill(results: Results, *, seed: int = 0, orders: int = ORDERS) -> Skill:
    """Ratings by OpenSkill's Plackett-Luce model, over mixed games.

    Every player is a team of one, ranked by win share. Those who did not win rank equal, which
    pulls ratings together: their order tells more than their distance.

    - An agent that is several players of a game: each is rated from the agent's rating before the
      game, and the agent gets the mean of what they come to. So its players do not gain from one
      another, and one that won beside two that lost counts for what it is.
    - A rating depends on the order of the games. So they are taken in several orders, each drawn
      from the seed, and the means are given; `spread` tells how much the order matters. In which
      order the results hold them does not matter.
    - An order takes no more games than give each agent 2,000, drawn from all.
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
    """Return the same games, in an order that depends on nothing but what they are."""
    places = np.argsort(np.argsort(results.agents, kind="stable"))
    keys = [results.deals, *places[results.lineups].T, *results.shares.T]
    return games[np.lexsort([key[games] for key in reversed(keys)])]


def _rate(
    mu: NDArray[np.float64],
    sigma: NDArray[np.float64],
    lineups: NDArray[np.int64],
    ranks: NDArray[np.int64],
) -> None:
    """Take the next game of every order into the ratings.

    Algorithm 4 of Weng and Lin, "A Bayesian approximation method for online ranking" (2011), as
    the library openskill has it, for all orders at once: one by one takes a hundred times as long.

    Args:
        mu: [orders, A] written.
        sigma: [orders, A] written.
        lineups: [orders, n] the agents of each game.
        ranks: [orders, n] how many players did better.
    """
    row = np.arange(len(mu))[:, None]
    mean = mu[row, lineups]
    variance = sigma[row, lineups] ** 2 + _TAU2
    all_of = np.sqrt((variance + _BETA2).sum(axis=1, keepdims=True))
    strength = np.exp(mean / all_of)
    # [orders, player, other]: the chance of the player to come where the other did, among all who
    # came no earlier than that; nothing if the player came earlier itself.
    behind = ranks[:, :, None] >= ranks[:, None, :]
    rivals = (strength[:, :, None] * behind).sum(axis=1, keepdims=True)
    probability = strength[:, :, None] / rivals * behind
    ties = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    gain = 1 / ties - (probability / ties[:, None, :]).sum(axis=2)
    known = (probability * (1 - probability) / ties[:, None, :]).sum(axis=2)
    mean += variance / all_of * gain
    shrinks = np.sqrt(variance) / all_of * variance / all_of**2 * known
    deviation = np.sqrt(variance * np.maximum(1 - shrinks, _LEAST))
    # Players of one agent all hold its mean, so it does not matter which of them is written.
    same = (lineups[:, :, None] == lineups[:, None, :]).astype(np.float64)
    same /= same.sum(axis=2, keepdims=True)
    mu[row, lineups] = np.einsum("oij,oj->oi", same, mean)
    sigma[row, lineups] = np.einsum("oij,oj->oi", same, deviation)
