"""Says nothing that it does not know to be true.

It announces and claims a mask only when it is certain that the mask is its own, and announces it
only if the power brings something now. Otherwise it looks, or takes a mask that is worth more than
its own.
"""

import numpy as np

from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import expected, gains, holding
from mascarade_agents._ladder.scored_agent import PhasedAgent

_NEVER = -1000.0
_LOOK = 1.0  # what knowing one's own mask is worth


class Honest(PhasedAgent):
    """Announces and claims what it surely has."""

    def turn(self, reading: Reading) -> Floats:
        """Return the own mask, a look at it, or a better one."""
        known = reading.known.any(axis=1, keepdims=True)
        worth = expected(reading.belief, holding(reading))
        take = worth[:, 1:] - worth[:, :1]
        look = np.where(known, 0, _LOOK)
        return np.concatenate([take, look, self.announce(reading)], axis=1)

    def announce(self, reading: Reading) -> Floats:
        """Return [k, kinds] what the mask brings that is surely its own, if it brings anything."""
        brings = gains(reading)
        return np.where(reading.known & (brings > 0), brings, _NEVER)

    def challenge(self, reading: Reading) -> Floats:
        """Claims what is its own."""
        mine = reading.known[reading.rows, reading.announced]
        return np.stack([mine, ~mine], axis=1).astype(np.float32)
