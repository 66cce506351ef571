"""The stopper plays like the statistician, and stops players who are about to win.

It computes which players would win with a mask that they may have. It takes that mask away from
them, avoids giving it to any other player, and targets them with powers. It expects that others
stop it in the same ways. So if it can use a winning mask only on its next turn, the mask counts for
only a part of the win. It also expects that players keep good masks more often.
"""

from typing import ClassVar

import numpy as np

from mascarade_agents._ladder.claim_probabilities import Habits, read_belief
from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import finishing
from mascarade_agents._ladder.statistician import Statistician

_STOP = 3.0  # the worth, in coins, of preventing a player's win on their next turn


class Stopper(Statistician):
    """A statistician that stops players who are about to win."""

    habits: ClassVar[Habits] = Habits(wanted=0.5)
    shy: ClassVar[float] = 1.0
    later: ClassVar[float] = 0.4

    def turn(self, reading: Reading) -> Floats:
        """Return the scores of the statistician, with higher scores for takes of winning masks."""
        scores = super().turn(reading)
        danger, after = self._danger(reading)
        scores[:, : reading.players - 1] += _STOP * np.maximum(0, danger - after)[:, 1:]
        return scores

    def table(self, reading: Reading) -> Floats:
        """Return the scores of the statistician, changed for a swap with another player.

        The swap scores higher if the other player is then less likely to win, and lower if more
        likely.
        """
        scores = super().table(reading)
        danger, after = self._danger(reading)
        mine = reading.under_table[:, :1]
        theirs = reading.under_table[:, 1 : reading.players]
        relief = np.where(mine & theirs, (danger - after)[:, 1:], 0).sum(axis=1)
        scores[:, 0] += _STOP * relief
        return scores

    def target(self, reading: Reading) -> Floats:
        """Return the scores of the statistician, higher for players who are about to win."""
        scores = super().target(reading)
        scores[:, :-1] += _STOP * self._danger(reading)[0][:, 1:]
        return scores

    def _danger(self, reading: Reading) -> tuple[Floats, Floats]:
        """Return two arrays of the probabilities that each player could win by a power now, [k, n].

        In the first, the player uses their own mask; in the second, the agent's mask.
        """
        wins = finishing(reading).astype(np.float32)
        belief = read_belief(reading, self.habits)[:, : reading.players]
        return (belief * wins).sum(axis=2), (belief[:, :1] * wins).sum(axis=2)
