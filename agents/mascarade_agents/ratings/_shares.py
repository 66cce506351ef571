"""Win shares in mixed games, and the number of forfeits."""

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._results import NOBODY, Results
from mascarade_agents.ratings._game_kinds import kinds
from mascarade_agents.ratings._intervals import DRAWS, Estimates, by_deal, estimate


def win_shares(results: Results, *, seed: int = 0, draws: int = DRAWS) -> Estimates:
    """Estimate the win share that each agent gets per player, on average over mixed games, [A].

    If all agents are equal, each gets the fair share, 1/n. `count` is the number of players, so a
    game in which an agent has two players counts twice for it.
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
    """Return the number of games of all kinds that each agent forfeited, [A]."""
    at = np.flatnonzero(results.forfeits != NOBODY)
    agents = results.lineups[at, results.forfeits[at]]
    return np.bincount(agents, minlength=len(results.agents)).astype(np.int64)
