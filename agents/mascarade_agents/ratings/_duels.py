"""One against many: the win share of one agent against n-1 copies of another (1 vs n-1)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._results import Results
from mascarade_agents.ratings._game_kinds import kinds
from mascarade_agents.ratings._intervals import DRAWS, Estimates, by_deal, estimate
from mascarade_agents.ratings._significance import clearly


@dataclass(frozen=True, slots=True)
class Duels:
    """Win shares in 1 vs n-1 games of all ordered pairs; NaN for pairs without games.

    Attributes:
        one: [A, A] at [a, b], the win share of one a against n-1 copies of b.
        many: [A, A] at [a, b], the mean win share of each of n-1 copies of a against one b.
        clear: [A, A] at [a, b], 1 if one a gets significantly more than the fair share 1/n against
            copies of b, -1 if it gets significantly less, else 0; by `clearly` over all pairs.
        beats: [A, A] at [a, b], whether a beats b both ways: one a against copies of b gets
            significantly more than the fair share, and one b against copies of a gets
            significantly less.
    """

    one: Estimates
    many: Estimates
    clear: NDArray[np.int8]
    beats: NDArray[np.bool_]


def one_against_many(results: Results, *, seed: int = 0, draws: int = DRAWS) -> Duels:
    """Estimate win shares in the games of one agent against n-1 copies of another.

    The bootstrap for a pair resamples only the deals of this pair.
    """
    games = kinds(results)
    number, n = len(results.agents), results.players
    value, low, high = (np.full((number, number), np.nan) for _ in range(3))
    count = np.zeros((number, number), np.int64)
    pair = games.single * number + games.many
    for cell in np.unique(pair[games.one_against_many]):
        at = np.flatnonzero(games.one_against_many & (pair == cell))
        a, b = divmod(int(cell), number)
        won = np.where(results.lineups[at] == a, results.shares[at], 0.0).sum(axis=1)
        _, deals = np.unique(results.deals[at], return_inverse=True)
        columns = np.stack([won, np.ones(len(at))], axis=1)
        sums = by_deal(columns, deals, int(deals.max()) + 1)
        share = estimate(sums[:, :1], sums[:, 1:], seed=seed, draws=draws)
        value[a, b], low[a, b], high[a, b] = share.value[0], share.low[0], share.high[0]
        count[a, b] = share.count[0]
    # The n-1 copies share the rest of the win.
    many = Estimates(
        value=(1 - value.T) / (n - 1),
        low=(1 - high.T) / (n - 1),
        high=(1 - low.T) / (n - 1),
        count=count.T,
    )
    one = Estimates(value, low, high, count)
    clear = clearly(one, 1 / n)
    return Duels(one, many, clear, (clear > 0) & (clear.T < 0))
