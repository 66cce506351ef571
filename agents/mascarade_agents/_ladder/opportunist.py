"""The opportunist maximises its immediate gain, weighed by its own belief.

The value of announcing or claiming a mask is the gain by its power if the mask is its own, and the
fine if not, weighed by its belief. It assumes that every lie is caught, and does not model what
others know.
"""

import numpy as np

from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import expected, gains, holding
from mascarade_agents._ladder.scored_agent import PhasedAgent

_LOOK = 0.5  # fraction of the value of knowing its own mask that a look counts for
_TAKE = 0.5  # fraction of the difference between two masks: a taken mask is used a turn later


class Opportunist(PhasedAgent):
    """An agent that weighs immediate gains by its own belief."""

    def turn(self, reading: Reading) -> Floats:
        """Return [k, m + kinds] the expected gain of takes, look and announcements."""
        announce = self.announce(reading)
        worth = holding(reading)
        places = expected(reading.belief, worth)
        take = _TAKE * (places[:, 1:] - places[:, :1])
        known = (reading.own * np.maximum(worth, 0)).sum(axis=1) - announce.max(axis=1)
        return np.concatenate([take, _LOOK * known[:, None], announce], axis=1)

    def announce(self, reading: Reading) -> Floats:
        """Return [k, kinds] the expected gain of announcing each mask if every lie is caught."""
        return reading.own * gains(reading) - (1 - reading.own)

    def challenge(self, reading: Reading) -> Floats:
        """Score a claim above a pass if the expected gain exceeds the expected fine."""
        mine = reading.of_announced(reading.own)
        claim = mine * reading.of_announced(gains(reading)) - (1 - mine)
        return np.stack([claim, np.zeros_like(claim)], axis=1)
