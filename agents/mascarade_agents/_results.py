"""The results of an arena: the agents that play each game, and the win shares."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NOBODY = -1  # the player in games without a forfeit


@dataclass(frozen=True, slots=True)
class Results:
    """The results of G games of an arena, with n players each.

    Attributes:
        agents: names of the agents.
        scenario: name of the scenario.
        lineups: the number of each player's agent, as an index into `agents`, [G, n].
        shares: the win share of each player, [G, n]: 1/w for each of w winners, and 1/n for each
            player of a game without a winner. If a player forfeits, all players of that agent get
            0, and each of the k players of other agents gets 1/k.
        deals: the seed of the deal of each game, [G]. Games of one deal are not independent, so
            confidence intervals resample deals and not games.
        forfeits: the player who forfeited each game, or -1, [G].
        decisions: the number of decisions in each game, [G].
    """

    agents: tuple[str, ...]
    scenario: str
    lineups: NDArray[np.int16]
    shares: NDArray[np.float64]
    deals: NDArray[np.int64]
    forfeits: NDArray[np.int16]
    decisions: NDArray[np.int64]

    @property
    def players(self) -> int:
        """Number of players in a game."""
        return int(self.lineups.shape[1])
