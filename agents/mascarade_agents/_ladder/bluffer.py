"""The bluffer announces the mask that pays most on a share of its turns, true or not.

It prefers lies that are hard to catch: a power counts less if another player surely has the mask,
and it does not bluff with the mask that it announced last. On other turns, if no bluff pays, and
when others announce, it plays like the honest agent. `bluffer:0.3` announces the mask that pays
most on 30% of its turns. It lies less often than that, because it sometimes holds that mask.
"""

import numpy as np

from mascarade_agents._ladder.honest import Honest
from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import gains
from mascarade_env._errors import MascaradeError
from mascarade_env.game._scenarios import Scenario

_BOLD = 1000.0  # more than any other action scores


def share_of(argument: str, default: float, name: str) -> float:
    """Return the number from 0 to 1 after the colon of an agent's name.

    Args:
        argument: the text after the colon.
        default: the number if the text is empty.
        name: the meaning of the number, for the error.

    Raises:
        MascaradeError: the text is not a number from 0 to 1.
    """
    try:
        share = float(argument or default)
    except ValueError:
        share = -1
    if not 0 <= share <= 1:
        raise MascaradeError(f"{name} must be a number 0..1 after the colon, not {argument!r}")
    return share


class Bluffer(Honest):
    """An agent that bluffs on a share of its turns."""

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        self.boldness = share_of(argument, 0.3, "the share of turns on which a bluffer bluffs")

    def announce(self, reading: Reading) -> Floats:
        """Return [k, kinds] the scores of the honest agent, or on bold turns those of bluffs."""
        others = np.where(reading.sure[:, 1:, None], reading.belief[:, 1 : reading.players], 0)
        caught = np.minimum(1, others.sum(axis=1))
        pays = (1 - caught) * gains(reading) - caught
        bluff = reading.bold[:, None] & (pays > 0) & (reading.said[:, 0] == 0)
        return np.where(bluff, pays + _BOLD, super().announce(reading))
