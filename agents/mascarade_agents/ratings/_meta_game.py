"""The meta-game, in which each player chooses an agent to play for them.

`alpha_rank` and `maximal_lottery` give each agent a number; these sum to 1. They do not assume that
agents can be ranked, so they are also valid if agents beat each other in a cycle. Both treat all
measured differences as certain, even those that are not significant.

Both have values for the agents that were `compared`, and NaN for all others. Two agents that never
met, and were compared only through others, count as equal.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

#: The strength of selection for the better agent. The default gives the limit of strong selection:
#: if the pairwise shares of two agents differ by 1e-4, the worse one spreads with a probability
#: below e^-100.
ALPHA = 1e6
#: The number of individuals in the population of alpha-rank.
POPULATION = 50

_GAP = 1e-11  # the lottery stops at this distance from the solution, times the largest margin
_NONE = 1e-6  # smaller probabilities become 0
_STEPS = 50  # the most steps of Newton's method; it usually needs three


def compared(matrix: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return whether each agent was compared with others, directly or through other agents, [A].

    If there are several groups of agents that never met each other, only the agents of the largest
    group count as compared. If the largest groups are equally large, or no two agents met, no agent
    counts as compared.
    """
    reach = ~np.isnan(matrix) | np.eye(len(matrix), dtype=np.bool_)
    for middle in range(len(reach)):
        reach |= reach[:, middle, None] & reach[middle]
    size = reach.sum(axis=1)
    most = int(size.max(initial=2))
    largest = np.asarray(size == most)
    return largest if largest.sum() == most else np.zeros_like(largest)


def margins(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much more often a is ahead of b than b of a, [A, A]; 0 if they never met."""
    return np.nan_to_num(matrix - matrix.T, nan=0.0)


def _among_compared(
    measure: Callable[[NDArray[np.float64]], NDArray[np.float64]], matrix: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a measure of the margins between compared agents, [A]; NaN for other agents."""
    shares = np.full(len(matrix), np.nan)
    agents = compared(matrix)
    if agents.any():
        shares[agents] = measure(margins(matrix[np.ix_(agents, agents)]))
    return shares


def alpha_rank(
    matrix: NDArray[np.float64], *, alpha: float = ALPHA, population: int = POPULATION
) -> NDArray[np.float64]:
    """Return the fraction of time for which a population plays each agent, [A].

    This is the alpha-rank of Omidshafiei et al. (2019). All individuals of a population play one
    agent. Then one individual, the mutant, changes to another agent; all other agents are equally
    probable. One of the two agents, mostly the better one, spreads until all individuals play it.
    Alpha-rank is the stationary distribution of this Markov chain. Its probabilities may be as
    small as e^(-alpha * population). So this function computes logarithms, by the elimination of
    Grassmann, Taksar and Heyman, which has no subtractions.

    Args:
        matrix: [A, A] pairwise shares, NaN for pairs that never met.
        alpha: the strength of selection; see `ALPHA` for the default.
        population: the number of individuals.
    """
    return _among_compared(lambda margin: _stationary(margin, alpha, population), matrix)


def _stationary(margin: NDArray[np.float64], alpha: float, population: int) -> NDArray[np.float64]:
    """Return the stationary distribution of the Markov chain of alpha-rank."""
    gains = margin.T  # [current agent, mutant]: the advantage of the mutant
    number = len(gains)
    chain = _log_fixation(alpha * gains, population)
    np.fill_diagonal(chain, -np.inf)
    # Eliminate the states, from the last to the second. A transition to an eliminated state is
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
        # For gain x and population m: (1 - e^-x) / (1 - e^-mx). For a loss, multiply by e^-(m-1)x.
        better = np.log(-np.expm1(-size)) - np.log(-np.expm1(-population * size))
    worse = better - (population - 1) * size
    probability = np.where(gain > 0, better, worse)
    return np.asarray(np.where(gain == 0, -np.log(population), probability))


def maximal_lottery(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return probabilities, [A]. On average, no agent is ahead of an agent chosen with them.

    They are a Nash equilibrium of the symmetric zero-sum game of margins. Voting theory calls it a
    maximal lottery. If there are several equilibria, the result is their analytic centre, so equal
    agents get equal probabilities.

    The computation follows the central path p_a * s_a = t / A, with t decreasing towards 0. Here p
    is the result, M the margins, and s = t - M p, so no agent's margin over the random choice
    exceeds t. The computation stops when t is 1e-11 of the largest margin. Probabilities below 1e-6
    then become 0.

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
        # Steps are so small that each slack keeps at least half of its value.
        gap -= 0.5 * float((game @ probabilities + gap).min())
        probabilities = _centred(game, probabilities, gap)
    probabilities = np.where(probabilities < _NONE, 0.0, probabilities)
    return np.asarray(probabilities / probabilities.sum())


def _centred(
    game: NDArray[np.float64], start: NDArray[np.float64], gap: float
) -> NDArray[np.float64]:
    """Return the point of the central path at `gap`, by Newton's method from a near point."""
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
