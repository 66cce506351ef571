"""Weights of worlds by what players have said.

The neutral belief ignores what players say (see rules 8 in RULES.md): under it, five of six
announcements are false. So the search multiplies the weight of each world by odds, which it
computes like the statistician. A player who announces or claims a mask more probably has it, and a
player who passes less probably has it. The evidence is stronger if reveals have shown that the
player is truthful.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._ladder.claim_probabilities import Habits, claiming, trust
from mascarade_agents._ladder.observation_reader import Reading

_HABITS = Habits()


class Evidence(NamedTuple):
    """The evidence that a search adds to a player's worlds.

    Attributes:
        odds: [slots, kinds] the factor by which to multiply the weight of a world that has this
            mask at this slot.
        onlooker: [slots, kinds] the neutral belief of an onlooker, who sees public events only.
        sure: bit set of the players who must know their own mask, by public events.
        cards: [kinds] the number of cards of each mask.
    """

    odds: NDArray[np.float64]
    onlooker: NDArray[np.float64]
    sure: int
    cards: NDArray[np.float64]


def read(reading: Reading, seat: int, player_at: list[int]) -> Evidence:
    """Return the evidence in one observation.

    Args:
        reading: the observation, as a `Reading` of one row.
        seat: the seat of the player who observes; the places of `reading` are counted from there.
        player_at: the player on each seat.
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
    sure = sum(1 << player_at[at] for at in range(players) if reading.sure[0, turned[at]])
    return Evidence(
        odds[turned],
        reading.onlooker[0].astype(np.float64)[turned],
        sure,
        reading.cards.astype(np.float64),
    )


def weighed(
    keys: NDArray[np.int64], weights: NDArray[np.float64], odds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weights of the worlds, multiplied by the odds of their masks, [W]."""
    weighted = weights.copy()
    for slot in np.flatnonzero((odds != 1.0).any(axis=1)):
        weighted *= odds[slot, (keys >> (4 * slot)) & 15]
    return weighted
