"""Takes what pays best now, weighed by its own belief.

It announces and claims a mask for what the power brings, times how probable it is that the mask is
its own, less the fine otherwise. It takes every lie to be found out and has no idea of what others
know.
"""

import numpy as np

from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import expected, gains, holding
from mascarade_agents._ladder.scored_agent import PhasedAgent

_LOOK = 0.5  # of what it would be worth to know one's own mask
_TAKE = 0.5  # of what another mask is worth more, as it is used a turn later


class Opportunist(PhasedAgent):
    """Weighs gains by its own belief."""

    def turn(self, reading: Reading) -> Floats:
        """Return what pays best by its own belief."""
        announce = self.announce(reading)
        worth = holding(reading)
        places = expected(reading.belief, worth)
        take = _TAKE * (places[:, 1:] - places[:, :1])
        known = (reading.own * np.maximum(worth, 0)).sum(axis=1) - announce.max(axis=1)
        return np.concatenate([take, _LOOK * known[:, None], announce], axis=1)

    def announce(self, reading: Reading) -> Floats:
        """Return [k, kinds] what announcing each mask brings if every lie is found out."""
        return reading.own * gains(reading) - (1 - reading.own)

    def challenge(self, reading: Reading) -> Floats:
        """Claims if the power is worth the risk of the fine."""
        mine = reading.of_announced(reading.own)
        claim = mine * reading.of_announced(gains(reading)) - (1 - mine)
        return np.stack([claim, np.zeros_like(claim)], axis=1)
