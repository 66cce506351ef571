"""Stops who is about to win, and does not count on winning later.

As the statistician, but it sees which players would win by a mask that they may have. It takes
that mask away from them, gives it to nobody else, and turns powers against them. It knows that
others do the same to it: a mask that would win is worth only a part of the win a turn later, and a
mask that somebody has had in hand has rather been exchanged for a worse one.
"""

from typing import ClassVar

import numpy as np

from mascarade_agents._ladder.claim_probabilities import Habits, read_belief
from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import finishing
from mascarade_agents._ladder.statistician import Statistician

_STOP = 3.0  # coins that it is worth that somebody does not win on the next turn


class Stopper(Statistician):
    """Denies others the win."""

    habits: ClassVar[Habits] = Habits(wanted=0.5)
    shy: ClassVar[float] = 1.0
    later: ClassVar[float] = 0.4

    def turn(self, reading: Reading) -> Floats:
        """As the statistician, but rather takes masks that would win."""
        scores = super().turn(reading)
        danger, after = self._danger(reading)
        scores[:, : reading.players - 1] += _STOP * np.maximum(0, danger - after)[:, 1:]
        return scores

    def table(self, reading: Reading) -> Floats:
        """As the statistician, but rather gives a mask that does not win."""
        scores = super().table(reading)
        danger, after = self._danger(reading)
        mine = reading.under_table[:, :1]
        theirs = reading.under_table[:, 1 : reading.players]
        relief = np.where(mine & theirs, (danger - after)[:, 1:], 0).sum(axis=1)
        scores[:, 0] += _STOP * relief
        return scores

    def target(self, reading: Reading) -> Floats:
        """As the statistician, but rather those who are about to win."""
        scores = super().target(reading)
        scores[:, :-1] += _STOP * self._danger(reading)[0][:, 1:]
        return scores

    def _danger(self, reading: Reading) -> tuple[Floats, Floats]:
        """[k, n] twice: how probably each has a mask that wins now, and if they had one's own."""
        wins = finishing(reading).astype(np.float32)
        belief = read_belief(reading, self.habits)[:, : reading.players]
        return (belief * wins).sum(axis=2), (belief[:, :1] * wins).sum(axis=2)
