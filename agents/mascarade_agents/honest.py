"""Says nothing that it does not know to be true.

It announces and claims a mask only when its belief is certain that the mask is its own; otherwise
it looks, or takes a mask that is worth more than its own.
"""

import numpy as np

from mascarade_agents.phases import PhasedAgent
from mascarade_agents.reading import SURE, Floats, Reading
from mascarade_agents.worth import expected, gains, holding

_NEVER = -1000.0
_LOOK = 1.0  # what knowing one's own mask is worth


class Honest(PhasedAgent):
    """Announces and claims what it surely has."""

    def turn(self, reading: Reading) -> Floats:
        """The own mask, a look at it, or a better one."""
        known = (reading.own >= SURE).any(axis=1, keepdims=True)
        worth = expected(reading.belief, holding(reading))
        take = worth[:, 1:] - worth[:, :1]
        look = np.where(known, _NEVER, _LOOK)
        return np.concatenate([take, look, self.announce(reading)], axis=1)

    def announce(self, reading: Reading) -> Floats:
        """[k, kinds] what each mask brings, for the one that is surely its own."""
        return np.where(reading.own >= SURE, gains(reading), _NEVER)

    def challenge(self, reading: Reading) -> Floats:
        """Claims what is its own."""
        mine = reading.of_announced(reading.own) >= SURE
        return np.stack([mine, ~mine], axis=1).astype(np.float32)
