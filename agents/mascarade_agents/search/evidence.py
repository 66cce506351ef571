"""What words and sights tell of the masks, beyond the neutral belief (rules 8).

The neutral belief takes nothing from what players say: under it an announcement is a lie five times
in six, and a search would claim against nearly everything. So worlds are weighed by how well they
fit the words: who announces or claims a mask rather has it, who passes rather has not.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.reading import Reading

_SAID = 6.0  # how much likelier a mask is where its announcer sits and nobody has touched it since
_UNCHALLENGED = 2.0  # the same once more if all others let it pass
_CLAIMED = 8.0  # where somebody claims it on this turn
_PASSED = 0.3  # where somebody has let it pass on this turn
_RECALL = 0.85  # how often who need not know their own mask, as all can tell, does
_BELIEVED = 0.75  # from what belief on one takes a mask for one's own


class Evidence(NamedTuple):
    """What a search adds to a player's worlds.

    Attributes:
        odds: [slots, kinds] by how much more than others a world counts that has the mask there.
        recall: [slots, kinds] how often who sits there, and has the mask, knows it.
        own: the kind that the searcher takes their own mask for, -1 for none.
    """

    odds: NDArray[np.float64]
    recall: NDArray[np.float64]
    own: int


def read(reading: Reading, seat: int) -> Evidence:
    """The evidence in one observation of the player on a seat.

    Args:
        reading: of one row.
        seat: where that player sits: places are counted from there.
    """
    players, slots = reading.players, reading.slots
    odds = np.ones((slots, len(reading.scenario.kinds)))
    said = reading.said[0] > 0
    since = (reading.said_ago < reading.touched_ago)[0, :players]
    weight = np.where(reading.unchallenged[0], _SAID * _UNCHALLENGED, _SAID)
    odds[:players] = np.where(said & since[:, None], weight[:, None], 1.0)
    kind = int(reading.announced[0])
    odds[:players, kind] *= np.where(reading.claims[0], _CLAIMED, 1.0)
    odds[:players, kind] *= np.where(reading.passes[0], _PASSED, 1.0)
    odds[0] = 1.0
    recall = np.full(odds.shape, _RECALL)
    recall[:players][reading.sure[0]] = 1.0
    own = reading.own[0]
    best = int(own.argmax())
    places = np.arange(slots)
    turned = np.where(places < players, (places - seat) % players, places)
    return Evidence(odds[turned], recall[turned], best if own[best] >= _BELIEVED else -1)


def weighed(
    keys: NDArray[np.int64], weights: NDArray[np.float64], odds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[W] the weights of worlds, by how well they fit the evidence."""
    found = weights.copy()
    for slot in np.flatnonzero((odds != 1.0).any(axis=1)):
        found *= odds[slot, (keys >> (4 * slot)) & 15]
    return found
