"""The meta-game: each player chooses an agent to play for them.

`alpha_rank` and `maximal_lottery` give each agent a share of 1. They need no ranking, so they are
meaningful where agents beat each other in cycles. Both treat measured differences as certain,
whether these are significant or not.

Both cover the agents that were `compared`, and are NaN for all others. Two agents that were
compared only through others, and never met, count as equal.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

#: How strongly selection prefers the better agent. This value gives the limit: if the pairwise
#: shares of two agents differ by 1e-4, the worse one spreads with a probability below e^-100.
ALPHA = 1e6
#: The number of individuals in the population of alpha-rank.
POPULATION = 50

_GAP = 1e-11  # the distance from the solution at which the lottery stops, per largest margin
_NONE = 1e-6  # probabilities below this become 0
_STEPS = 50  # limit of steps of Newton's method; three are usual


def compared(matrix: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return [A] which agents were compared with each other, directly or through others.

    If several groups of agents never met, these are the agents of the largest group. No agent is
    compared if two groups are equally large or no two agents met.
    """
    reach = ~np.isnan(matrix) | np.eye(len(matrix), dtype=np.bool_)
    for middle in range(len(reach)):
        reach |= reach[:, middle, None] & reach[middle]
    size = reach.sum(axis=1)
    most = int(size.max(initial=2))
    largest = np.asarray(size == most)
    return largest if largest.sum() == most else np.zeros_like(largest)


def margins(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return [A, A] how much more often a is ahead of b than b of a; 0 if they never met."""
    return np.nan_to_num(matrix - matrix.T, nan=0.0)


def _among_compared(
    measure: Callable[[NDArray[np.float64]], NDArray[np.float64]], matrix: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return [A] a measure of the margins among compared agents, NaN for the others."""
    shares = np.full(len(matrix), np.nan)
    agents = compared(matrix)
    if agents.any():
        shares[agents] = measure(margins(matrix[np.ix_(agents, agents)]))
    return shares


def alpha_rank(
    matrix: NDArray[np.float64], *, alpha: float = ALPHA, population: int = POPULATION
) -> NDArray[np.float64]:
    """Return [A] the fraction of time for which a population plays each agent.

    This is the alpha-rank of Omidshafiei et al. (2019). All individuals of a population play one
    agent. Then a mutant plays another agent, each with the same probability, and the better of
    the two spreads until all individuals play it. Alpha-rank is the stationary distribution of
    this Markov chain. Its probabilities may be as small as e^(-alpha * population). So it is
    computed in logarithms, by the elimination of Grassmann, Taksar and Heyman, which never
    subtracts.

    Args:
        matrix: [A, A] pairwise shares, NaN for pairs that never met.
        alpha: the strength of selection; the default gives the limit of strong selection.
        population: the number of individuals.
    """
    return _among_compared(lambda margin: _stationary(margin, alpha, population), matrix)


def _stationary(margin: NDArray[np.float64], alpha: float, population: int) -> NDArray[np.float64]:
    """Return the stationary distribution of the Markov chain of alpha-rank."""
    gains = margin.T  # [current agent, mutant]: the advantage of the mutant
    number = len(gains)
    chain = _log_fixation(alpha * gains, population)
    np.fill_diagonal(chain, -np.inf)
    # Eliminate the last state, then the one before: a transition to the eliminated state is
    # replaced by the transitions that follow it.
    leaves = np.full(number, -np.inf)
    for state in range(number - 1, 0, -1):
        leaves[state] = np.logaddexp.reduce(chain[state, :state])
        through = chain[:state, state, None] + chain[state, None, :state] - leaves[state]
        chain[:state, :state] = np.logaddexp(chain[:state, :state], through)
    rank = np.zeros(number)
    for state in range(1, number):
        rank[state] = np.logaddexp.reduce(rank[:state] + chain[:state, state]) - leaves[state]
    rank = np.exp(rank - rank.max())
    return np.asarray(rank / rank.sum())


def _log_fixation(gain: NDArray[np.float64], population: int) -> NDArray[np.float64]:
    """Return the logarithm of the probability that a mutant takes over the population."""
    size = np.abs(gain)
    with np.errstate(divide="ignore", invalid="ignore"):
        # (1 - e^-x) / (1 - e^-mx), and for a loss the same times e^-(m-1)x.
        better = np.log(-np.expm1(-size)) - np.log(-np.expm1(-population * size))
    worse = better - (population - 1) * size
    probability = np.where(gain > 0, better, worse)
    return np.asarray(np.where(gain == 0, -np.log(population), probability))


def maximal_lottery(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return [A] probabilities such that no agent is ahead of an agent chosen with them.

    They are a Nash equilibrium of the symmetric zero-sum game of margins, called a maximal lottery
    in voting theory. If there are several equilibria, this is their analytic centre, so that equal
    agents get equal probabilities.

    The computation follows the central path p_a * s_a = t / A for t towards 0. Here the slack s is
    t - M p, so no agent's margin over the choice exceeds t. It ends at 1e-11 of the largest margin.
    Probabilities below 1e-6 then become 0.

    Args:
        matrix: [A, A] pairwise shares, NaN for pairs that never met.
    """
    return _among_compared(_lottery, matrix)


def _lottery(margin: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the maximal lottery of these margins."""
    game = -margin
    game /= max(np.abs(game).max(initial=0.0), np.finfo(np.float64).tiny)
    probabilities = np.full(len(game), 1 / len(game))
    gap = float(len(game))
    while gap > _GAP:
        # Steps are small enough that every slack stays at least half of what it was.
        gap -= 0.5 * float((game @ probabilities + gap).min())
        probabilities = _centred(game, probabilities, gap)
    probabilities = np.where(probabilities < _NONE, 0.0, probabilities)
    return np.asarray(probabilities / probabilities.sum())


def _centred(
    game: NDArray[np.float64], start: NDArray[np.float64], gap: float
) -> NDArray[np.float64]:
    """Return the point of the central path at `gap`, by Newton's method from a point nearby."""
    probabilities = start
    target = gap / len(game)
    for _ in range(_STEPS):
        slack = game @ probabilities + gap
        missing = target - probabilities * slack
        if np.abs(missing).max() < 0.01 * target:
            break
        # A scaled positive diagonal plus an antisymmetric matrix is always invertible.
        step = np.linalg.solve(np.diag(slack) + probabilities[:, None] * game, missing)
        shrinks = np.maximum(-step / probabilities, -(game @ step) / slack).max()
        probabilities = probabilities + min(1.0, 0.9 / max(shrinks, 0.9)) * step
    return probabilities
