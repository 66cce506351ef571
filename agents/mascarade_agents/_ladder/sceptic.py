"""Believes no announcement of what may well be its own: claims from a belief on.

`sceptic:0.5` claims when it believes the mask to be its own with 0.5 or more. It announces as the
bluffer does.
"""

import numpy as np

from mascarade_agents._ladder.bluffer import Bluffer, share_of
from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_env.game._scenarios import Scenario


class Sceptic(Bluffer):
    """Claims by a threshold."""

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        self.threshold = share_of(argument, 0.45, "the belief from which a sceptic claims")

    def challenge(self, reading: Reading) -> Floats:
        """Claims from the threshold on."""
        claim = reading.of_announced(reading.own) >= self.threshold
        return np.stack([claim, ~claim], axis=1).astype(np.float32)
