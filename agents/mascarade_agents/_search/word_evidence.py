"""What words tell of the masks, beyond the neutral belief (rules 8).

The neutral belief takes nothing from what players say: under it an announcement is a lie five times
in six. So worlds are weighed by how well they fit the words, by the odds of the statistician: who
announces or claims a mask rather has it, who passes rather has not, the more so the more often
reveals have shown that player to speak the truth.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._ladder.claim_probabilities import Habits, claiming, trust
from mascarade_agents._ladder.observation_reader import Reading

_HABITS = Habits()


class Evidence(NamedTuple):
    """What a search adds to a player's worlds.

    Attributes:
        odds: [slots, kinds] by how much more than others a world counts that has the mask there.
        onlooker: [slots, kinds] the neutral belief of an onlooker.
        sure: bit set of the players who must know their own mask, as all can tell.
        cards: [kinds] how many there are of each mask.
    """

    odds: NDArray[np.float64]
    onlooker: NDArray[np.float64]
    sure: int
    cards: NDArray[np.float64]


def read(reading: Reading, seat: int, player_at: list[int]) -> Evidence:
    """Read the evidence in one observation of the player on a seat.

    Args:
        reading: of one row.
        seat: where that player sits: places are counted from there.
        player_at: who sits on each seat.
    """
    players, slots = reading.players, reading.slots
    odds = np.ones((slots, len(reading.scenario.kinds)))
    said = reading.said[0] > 0
    since = (reading.said_ago < reading.touched_ago)[0, :players]
    weight = trust(reading, _HABITS)[0]
    odds[:players] = np.where(said & since[:, None], weight[:, None], 1.0)
    kind = int(reading.announced[0])
    having, lacking = (probability[0, :, kind] for probability in claiming(reading, _HABITS))
    claimed = having / np.maximum(lacking, 0.02)
    passed = (1 - having) / np.maximum(1 - lacking, 0.02)
    odds[:players, kind] *= np.where(
        reading.claims[0], claimed, np.where(reading.passes[0], passed, 1.0)
    )
    odds[0] = 1.0
    places = np.arange(slots)
    turned = np.where(places < players, (places - seat) % players, places)
    sure = sum(1 << player_at[there] for there in range(players) if reading.sure[0, turned[there]])
    return Evidence(
        odds[turned],
        reading.onlooker[0].astype(np.float64)[turned],
        sure,
        reading.cards.astype(np.float64),
    )


def weighed(
    keys: NDArray[np.int64], weights: NDArray[np.float64], odds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weights of worlds, multiplied by how well they fit the evidence: [W]."""
    weighted = weights.copy()
    for slot in np.flatnonzero((odds != 1.0).any(axis=1)):
        weighted *= odds[slot, (keys >> (4 * slot)) & 15]
    return weighted
