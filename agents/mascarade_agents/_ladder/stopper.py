"""The stopper plays like the statistician, and stops players who are about to win.

It computes which players would win with a mask that they may have. It takes that mask away from
them, gives it to no other player, and targets them with powers. It expects others to do the same to
it. So a mask that would win counts for a part of the win if it can only be used a turn later. It
also expects players to keep good masks more often.
"""

from typing import ClassVar

import numpy as np

from mascarade_agents._ladder.claim_probabilities import Habits, read_belief
from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import finishing
from mascarade_agents._ladder.statistician import Statistician

_STOP = 3.0  # coins that it is worth to stop a player from winning on the next turn


class Stopper(Statistician):
    """A statistician that denies others the win."""

    habits: ClassVar[Habits] = Habits(wanted=0.5)
    shy: ClassVar[float] = 1.0
    later: ClassVar[float] = 0.4

    def turn(self, reading: Reading) -> Floats:
        """Score actions like the statistician, and takes of winning masks higher."""
        scores = super().turn(reading)
        danger, after = self._danger(reading)
        scores[:, : reading.players - 1] += _STOP * np.maximum(0, danger - after)[:, 1:]
        return scores

    def table(self, reading: Reading) -> Floats:
        """Score swaps like the statistician, and swaps that give away no winning mask higher."""
        scores = super().table(reading)
        danger, after = self._danger(reading)
        mine = reading.under_table[:, :1]
        theirs = reading.under_table[:, 1 : reading.players]
        relief = np.where(mine & theirs, (danger - after)[:, 1:], 0).sum(axis=1)
        scores[:, 0] += _STOP * relief
        return scores

    def target(self, reading: Reading) -> Floats:
        """Score targets like the statistician, and players who are about to win higher."""
        scores = super().target(reading)
        scores[:, :-1] += _STOP * self._danger(reading)[0][:, 1:]
        return scores

    def _danger(self, reading: Reading) -> tuple[Floats, Floats]:
        """Return two arrays [k, n] of probabilities that each player could win with a power now.

        The first is for the mask that the player may have, the second for the agent's own mask.
        """
        wins = finishing(reading).astype(np.float32)
        belief = read_belief(reading, self.habits)[:, : reading.players]
        return (belief * wins).sum(axis=2), (belief[:, :1] * wins).sum(axis=2)
