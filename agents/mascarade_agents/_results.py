"""What an arena has found out: who sat where in each game, and what part of the win each got."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NOBODY = -1  # forfeited


@dataclass(frozen=True, slots=True)
class Results:
    """The games of an arena, by game and player.

    Attributes:
        agents: their names.
        scenario: the name of what was played.
        lineups: [G, n] the number of the agent that each player is.
        shares: [G, n] the win share of each player: 1/w of a game that w players won, and 1/n of
            one without a winner. If a player forfeits, all players of that agent get nothing, and
            the k players of other agents get 1/k.
        deals: [G] the seed of the deal. Games of one deal belong together: they are not
            independent, so intervals are made by drawing deals, not games.
        forfeits: [G] the player who forfeited, -1 for nobody.
        decisions: [G] how many a game took.
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
        """How many play a game."""
        return int(self.lineups.shape[1])
