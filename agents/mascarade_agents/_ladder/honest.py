"""The honest agent says only what it knows to be true.

It announces or claims a mask only if it is certain to hold it, and announces it only if the power
brings coins now. Otherwise it looks, or takes a mask that is worth more than its own.
"""

import numpy as np

from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import expected, gains, holding
from mascarade_agents._ladder.scored_agent import PhasedAgent

_NEVER = -1000.0
_LOOK = 1.0  # coins that knowing its own mask is worth


class Honest(PhasedAgent):
    """An agent that announces and claims only masks that it surely holds."""

    def turn(self, reading: Reading) -> Floats:
        """Score takes by the better mask, a look while its own mask is unknown, and `announce`."""
        known = reading.known.any(axis=1, keepdims=True)
        worth = expected(reading.belief, holding(reading))
        take = worth[:, 1:] - worth[:, :1]
        look = np.where(known, 0, _LOOK)
        return np.concatenate([take, look, self.announce(reading)], axis=1)

    def announce(self, reading: Reading) -> Floats:
        """Return [k, kinds] the coins that its own mask brings, if it knows it and gains by it."""
        brings = gains(reading)
        return np.where(reading.known & (brings > 0), brings, _NEVER)

    def challenge(self, reading: Reading) -> Floats:
        """Score a claim above a pass if it surely holds the mask."""
        mine = reading.known[reading.rows, reading.announced]
        return np.stack([mine, ~mine], axis=1).astype(np.float32)
