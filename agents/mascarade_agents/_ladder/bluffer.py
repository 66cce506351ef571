"""Announces what pays most, whether it has it or not, on a share of its turns.

It lies where it is hard to find out: what a power brings counts only as far as nobody surely has
the mask, and it bluffs with no mask twice running. On the other turns, if nothing pays, and when
others announce, it plays as the honest agent. `bluffer:0.3` announces what pays most on three turns
of ten; as that is its own mask now and then, it lies less often.
"""

import numpy as np

from mascarade_agents._ladder.honest import Honest
from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import gains
from mascarade_env._errors import MascaradeError
from mascarade_env.game._scenarios import Scenario

_BOLD = 1000.0  # more than anything else can bring


def share_of(argument: str, default: float, name: str) -> float:
    """Return a number 0..1 after the colon of an agent's name.

    Args:
        argument: what stands there.
        default: if nothing does.
        name: of the number, for the error.
    """
    try:
        share = float(argument or default)
    except ValueError:
        share = -1
    if not 0 <= share <= 1:
        raise MascaradeError(f"{name} is a number 0..1 after the colon, not {argument!r}")
    return share


class Bluffer(Honest):
    """Bluffs at a rate."""

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        self.boldness = share_of(argument, 0.3, "the share of turns on which a bluffer bluffs")

    def announce(self, reading: Reading) -> Floats:
        """[k, kinds] as the honest agent, or what the power brings while nobody can know better."""
        others = np.where(reading.sure[:, 1:, None], reading.belief[:, 1 : reading.players], 0)
        caught = np.minimum(1, others.sum(axis=1))
        pays = (1 - caught) * gains(reading) - caught
        bluff = reading.bold[:, None] & (pays > 0) & (reading.said[:, 0] == 0)
        return np.where(bluff, pays + _BOLD, super().announce(reading))
