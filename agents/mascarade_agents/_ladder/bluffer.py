"""The bluffer: on a share of its turns, it announces the mask that pays most.

On these turns it does not matter whether the bluffer has the mask. It prefers lies that are hard to
catch. A mask scores lower if it probably belongs to another player who knows their own mask, and
the bluffer does not bluff twice in a row with one mask. On other turns, and if no bluff pays, it
plays like the honest agent. It also answers the announcements of others like the honest agent.

`bluffer:0.3` announces the mask that pays most on 30% of its turns. It lies less often than that,
because it sometimes has that mask.
"""

import numpy as np

from mascarade_agents._ladder.honest import Honest
from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import gains
from mascarade_env._errors import MascaradeError
from mascarade_env.game._scenarios import Scenario

_BOLD = 1000.0  # added to the score of a bluff, so that it exceeds all other scores


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
        raise MascaradeError(
            f"{name} must be a number from 0 to 1 after the colon, such as {default}, not "
            f"{argument!r}"
        )
    return share


class Bluffer(Honest):
    """An agent that bluffs on a share of its turns."""

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        self.boldness = share_of(argument, 0.3, "the share of turns on which a bluffer bluffs")

    def announce(self, reading: Reading) -> Floats:
        """Return the scores of announcements, [k, kinds].

        On bold turns, masks whose bluff pays have higher scores than all other actions. All other
        scores are those of the honest agent.
        """
        others = np.where(reading.sure[:, 1:, None], reading.belief[:, 1 : reading.players], 0)
        caught = np.minimum(1, others.sum(axis=1))
        pays = (1 - caught) * gains(reading) - caught
        bluff = reading.bold[:, None] & (pays > 0) & (reading.said[:, 0] == 0)
        return np.where(bluff, pays + _BOLD, super().announce(reading))
