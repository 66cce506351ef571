"""The meta-game: choose the agent that shall play for you, against others who do the same.

Both measures here share one out among the agents and need no order of them, so they say something
where agents beat each other in cycles. Both take differences as they were measured, clear or not.

Nothing can be shared out among agents that were never compared. So both are of the `compared` ones
alone, and NaN for all others. Two of these that never met themselves count as equal.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

#: How strongly selection prefers what is better. So great that it is the limit: where the
#: pairwise shares of two agents differ by 1e-4, the worse has a chance below e^-100.
ALPHA = 1e6
#: How many individuals the population of alpha-rank has.
POPULATION = 50

_GAP = 1e-11  # how far from the solution the lottery may stop, beside the greatest margin
_NONE = 1e-6  # a chance below this is none
_STEPS = 50  # of Newton's method; three are usual


def compared(matrix: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which agents were compared with each other, directly or through others: [A].

    If there are several such groups that never met, it is the greatest; nobody if two of them are
    as great, or if nobody met anybody.
    """
    reach = ~np.isnan(matrix) | np.eye(len(matrix), dtype=np.bool_)
    for middle in range(len(reach)):
        reach |= reach[:, middle, None] & reach[middle]
    size = reach.sum(axis=1)
    most = int(size.max(initial=2))
    greatest = np.asarray(size == most)
    return greatest if greatest.sum() == most else np.zeros_like(greatest)


def margins(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return [A, A] how much more often a is ahead of b than b of a; nothing if they never met."""
    return np.nan_to_num(matrix - matrix.T, nan=0.0)


def _among_compared(
    share_out: Callable[[NDArray[np.float64]], NDArray[np.float64]], matrix: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return [A] what is shared out by margins among the agents that were compared."""
    shares = np.full(len(matrix), np.nan)
    known = compared(matrix)
    if known.any():
        shares[known] = share_out(margins(matrix[np.ix_(known, known)]))
    return shares


def alpha_rank(
    matrix: NDArray[np.float64], *, alpha: float = ALPHA, population: int = POPULATION
) -> NDArray[np.float64]:
    """Compute how long a population plays each agent, [A], by the alpha-rank of Omidshafiei et al.

    A population of individuals that all play one agent meets a mutant that plays another, each as
    likely; what does better spreads. Who takes the population over plays it until the next mutant.
    Alpha-rank is the stationary distribution of that chain. Its probabilities are as small as
    e^(-alpha * population), so everything is computed in logarithms, by the elimination of
    Grassmann, Taksar and Heyman, which never subtracts.

    Args:
        matrix: [A, A] pairwise shares, NaN for pairs that never met.
        alpha: how strongly selection works; the limit by default.
        population: how many individuals.
    """
    return _among_compared(lambda margin: _stationary(margin, alpha, population), matrix)


def _stationary(margin: NDArray[np.float64], alpha: float, population: int) -> NDArray[np.float64]:
    """Return the stationary distribution of the chain of alpha-rank with these margins."""
    gains = margin.T  # [now, mutant]: what a mutant gets more
    number = len(gains)
    chain = _log_fixation(alpha * gains, population)
    np.fill_diagonal(chain, -np.inf)
    # Take out the last state, then the one before: whoever went there goes on as it would.
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
    """Return the logarithm of a mutant's probability to take the population over."""
    size = np.abs(gain)
    with np.errstate(divide="ignore", invalid="ignore"):
        # (1 - e^-x) / (1 - e^-mx), and for a loss the same times e^-(m-1)x.
        better = np.log(-np.expm1(-size)) - np.log(-np.expm1(-population * size))
    worse = better - (population - 1) * size
    probability = np.where(gain > 0, better, worse)
    return np.asarray(np.where(gain == 0, -np.log(population), probability))


def maximal_lottery(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return probabilities to choose each agent by, [A], such that none is ahead of the choice.

    That is a Nash equilibrium of the symmetric zero-sum game of margins, called a maximal lottery
    in voting. Where there are several, it is the analytic centre of them all, so that equal agents
    get equal probabilities. Found by following the central path p_a * s_a = t / A, where the slack
    s is t - M p, and t goes to nothing: no agent's margin over the choice is greater than t. It
    ends at 1e-11 of the greatest margin; probabilities below 1e-6 then become 0.

    Args:
        matrix: [A, A] pairwise shares, NaN for pairs that never met.
    """
    return _among_compared(_lottery, matrix)


def _lottery(margin: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the maximal lottery of these margins."""
    game = -margin
    game /= max(np.abs(game).max(initial=0.0), np.finfo(np.float64).tiny)
    chances = np.full(len(game), 1 / len(game))
    gap = float(len(game))
    while gap > _GAP:
        # So little at a time that the slack of nobody falls below half.
        gap -= 0.5 * float((game @ chances + gap).min())
        chances = _centred(game, chances, gap)
    chances = np.where(chances < _NONE, 0.0, chances)
    return np.asarray(chances / chances.sum())


def _centred(
    game: NDArray[np.float64], chances: NDArray[np.float64], gap: float
) -> NDArray[np.float64]:
    """Return the point of the central path with that gap, by Newton's method from one nearby."""
    target = gap / len(game)
    for _ in range(_STEPS):
        slack = game @ chances + gap
        missing = target - chances * slack
        if np.abs(missing).max() < 0.01 * target:
            break
        # A positive diagonal plus an antisymmetric matrix, scaled: it can always be solved.
        step = np.linalg.solve(np.diag(slack) + chances[:, None] * game, missing)
        shrinks = np.maximum(-step / chances, -(game @ step) / slack).max()
        chances = chances + min(1.0, 0.9 / max(shrinks, 0.9)) * step
    return chances
