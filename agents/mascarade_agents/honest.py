"""Says nothing that it does not know to be true.

It announces and claims a mask only when its belief is certain that the mask is its own; otherwise
it looks, or takes a mask that is worth more than its own.
"""

import numpy as np

from mascarade_agents.phases import PhasedAgent
from mascarade_agents.reading import SURE, Floats, Reading
from mascarade_agents.worth import gains, holding

_NEVER = -100.0
_LOOK = 1.0  # what knowing one's own mask is worth


class Honest(PhasedAgent):
    """Announces and claims what it surely has."""

    def turn(self, reading: Reading) -> Floats:
        """The own mask, a look at it, or a better one."""
        known = reading.own >= SURE
        expected = np.einsum("kmc,kc->km", reading.belief, holding(reading))
        take = expected[:, 1:] - expected[:, :1]
        look = np.where(known.any(axis=1), _NEVER, _LOOK)[:, None]
        announce = np.where(known, gains(reading), _NEVER)
        return np.concatenate([take, look, announce], axis=1)

    def challenge(self, reading: Reading) -> Floats:
        """Claims what is its own."""
        mine = reading.of_announced(reading.own) >= SURE
        return np.stack([mine, ~mine], axis=1).astype(np.float32)
