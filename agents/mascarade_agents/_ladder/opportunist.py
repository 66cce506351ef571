"""The opportunist maximises its expected immediate gain under its own belief.

To announce or claim a mask brings the gain of its power if the opportunist has the mask, and costs
the fine if not. The score is the expected value of these under its belief. The opportunist assumes
that every lie is caught, and it does not model what others know.
"""

import numpy as np

from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import expected, gains, holding
from mascarade_agents._ladder.scored_agent import PhasedAgent

_LOOK = 0.5  # score of a look, as a fraction of the value of knowing its own mask
# Score of a take, as a fraction of the difference in worth: a taken mask is used a turn later.
_TAKE = 0.5


class Opportunist(PhasedAgent):
    """An agent that maximises its expected immediate gain."""

    def turn(self, reading: Reading) -> Floats:
        """Return the expected gains of takes, look and announcements, [k, m + kinds]."""
        announce = self.announce(reading)
        worth = holding(reading)
        places = expected(reading.belief, worth)
        take = _TAKE * (places[:, 1:] - places[:, :1])
        known = (reading.own * np.maximum(worth, 0)).sum(axis=1) - announce.max(axis=1)
        return np.concatenate([take, _LOOK * known[:, None], announce], axis=1)

    def announce(self, reading: Reading) -> Floats:
        """Return the expected gain of announcing each mask if every lie is caught, [k, kinds]."""
        return reading.own * gains(reading) - (1 - reading.own)

    def challenge(self, reading: Reading) -> Floats:
        """Return the scores of claim and pass, [k, 2]: the expected gain of a claim, and 0."""
        mine = reading.of_announced(reading.own)
        claim = mine * reading.of_announced(gains(reading)) - (1 - mine)
        return np.stack([claim, np.zeros_like(claim)], axis=1)
