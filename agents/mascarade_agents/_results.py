"""The results of an arena: the line-up and the win shares of each game."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NOBODY = -1  # the player in games without a forfeit


@dataclass(frozen=True, slots=True)
class Results:
    """The games of an arena, by game and player.

    Attributes:
        agents: names of the agents.
        scenario: name of the scenario.
        lineups: [G, n] the number of each player's agent.
        shares: [G, n] the win share of each player: 1/w of a game that w players won, and 1/n of
            a game without a winner. If a player forfeits, all players of that agent get 0, and the
            k players of other agents get 1/k.
        deals: [G] the seed of the deal. Games of one deal are not independent, so intervals
            resample deals, not games.
        forfeits: [G] the player who forfeited, or -1.
        decisions: [G] number of decisions in the game.
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
