"""The honest agent announces and claims only the mask that it surely has.

It announces this mask only if the power brings coins now. Otherwise it looks, or takes a mask that
is worth more than its own.
"""

import numpy as np

from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import expected, gains, holding
from mascarade_agents._ladder.scored_agent import PhasedAgent

_NEVER = -1000.0
_LOOK = 1.0  # the worth, in coins, of knowing its own mask


class Honest(PhasedAgent):
    """An agent that announces and claims only masks that it surely has."""

    def turn(self, reading: Reading) -> Floats:
        """Return the scores of takes, look and announcements, [k, m + kinds].

        A take scores the expected worth of that mask minus that of the agent's own mask. A look
        scores 0 if the agent knows its own mask.
        """
        known = reading.known.any(axis=1, keepdims=True)
        worth = expected(reading.belief, holding(reading))
        take = worth[:, 1:] - worth[:, :1]
        look = np.where(known, 0, _LOOK)
        return np.concatenate([take, look, self.announce(reading)], axis=1)

    def announce(self, reading: Reading) -> Floats:
        """Return the scores of announcements, [k, kinds].

        If the agent knows its own mask, and its power brings coins now, the score is these coins.
        All other announcements score less than any other action.
        """
        brings = gains(reading)
        return np.where(reading.known & (brings > 0), brings, _NEVER)

    def challenge(self, reading: Reading) -> Floats:
        """Return the scores of claim and pass, [k, 2]; claim if the mask is surely its own."""
        mine = reading.known[reading.rows, reading.announced]
        return np.stack([mine, ~mine], axis=1).astype(np.float32)
