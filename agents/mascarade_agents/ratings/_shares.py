"""Win shares in mixed games, and who forfeited."""

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._results import NOBODY, Results
from mascarade_agents.ratings._game_kinds import kinds
from mascarade_agents.ratings._intervals import DRAWS, Estimates, by_deal, estimate


def win_shares(results: Results, *, seed: int = 0, draws: int = DRAWS) -> Estimates:
    """Estimate the mean win share of a player of each agent in mixed games: [A].

    The fair share is 1/n; `count` counts players, so an agent that is two players of a game counts
    twice.
    """
    mixed = kinds(results).mixed
    lineups = results.lineups[mixed]
    _, deals = np.unique(results.deals[mixed], return_inverse=True)
    number = int(deals.max(initial=-1)) + 1
    plays = lineups[:, :, None] == np.arange(len(results.agents))  # [G, n, A]
    won = np.einsum("gn,gna->ga", results.shares[mixed], plays.astype(np.float64))
    return estimate(
        by_deal(won, deals, number),
        by_deal(plays.sum(axis=1).astype(np.float64), deals, number),
        seed=seed,
        draws=draws,
    )


def forfeits(results: Results) -> NDArray[np.int64]:
    """Count the games that each agent forfeited, of every kind: [A]."""
    at = np.flatnonzero(results.forfeits != NOBODY)
    agents = results.lineups[at, results.forfeits[at]]
    return np.bincount(agents, minlength=len(results.agents)).astype(np.int64)
