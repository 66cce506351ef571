"""The sceptic claims an announced mask if its belief reaches a threshold.

`sceptic:0.5` claims if it believes the mask to be its own with a probability of 0.5 or more. It
announces like the bluffer.
"""

import numpy as np

from mascarade_agents._ladder.bluffer import Bluffer, share_of
from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_env.game._scenarios import Scenario


class Sceptic(Bluffer):
    """A bluffer that claims a mask if its belief reaches a threshold."""

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        self.threshold = share_of(argument, 0.45, "the least belief at which a sceptic claims")

    def challenge(self, reading: Reading) -> Floats:
        """Return the scores of claim and pass, [k, 2]: claim is better from the threshold on."""
        claim = reading.of_announced(reading.own) >= self.threshold
        return np.stack([claim, ~claim], axis=1).astype(np.float32)
