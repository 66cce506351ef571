"""Announces what pays most, whether it has it or not, on a share of its turns.

On the other turns, and when others announce, it plays as the opportunist. `bluffer:0.3` does so on
three turns of ten.
"""

import numpy as np

from mascarade_agents.opportunist import Opportunist
from mascarade_agents.reading import Floats, Reading
from mascarade_agents.worth import WIN, gains
from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.scenarios import Scenario


def share_of(argument: str, default: float, what: str) -> float:
    """A number 0..1 after the colon of an agent's name.

    Args:
        argument: what stands there.
        default: if nothing does.
        what: the number is, for the error.
    """
    try:
        share = float(argument or default)
    except ValueError:
        share = -1
    if not 0 <= share <= 1:
        raise MascaradeError(f"{what} is a number 0..1 after the colon, not {argument!r}")
    return share


class Bluffer(Opportunist):
    """Bluffs at a rate."""

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        self.rate = share_of(argument, 0.5, "the share of turns on which a bluffer bluffs")

    def announce(self, reading: Reading) -> Floats:
        """As the opportunist, or what the power brings and more than anything else can."""
        bold = reading.chance[:, -1:] < self.rate
        return np.where(bold, gains(reading) + WIN, super().announce(reading))
