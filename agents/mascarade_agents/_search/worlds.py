"""A position as one player knows it, and the start of a simulation from it.

A world of the searching player is one placement of all masks that fits what this player has seen.
It has a weight (see knowledge/_beliefs.py). A simulation samples a world by weight, and writes its
masks into a copy of the row of the game. So the search never reads the true masks.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._search.policy import uniform
from mascarade_agents._search.simulated_beliefs import SimulatedBeliefs, see
from mascarade_agents._search.word_evidence import Evidence, weighed
from mascarade_env._errors import MascaradeError
from mascarade_env._jit import compiled
from mascarade_env.game import _rng as rng
from mascarade_env.game._actions import LEGAL, MAX_LEGAL
from mascarade_env.game._events import LOG
from mascarade_env.game._masks import MASKS
from mascarade_env.game._positions import Row, Rows, bit, player_on
from mascarade_env.knowledge._beliefs import mask_in

#: The probability added to the mask of the sampled world in the belief of other players about
#: their own mask, unless they must know it.
_RECALL = 0.3


class Position(NamedTuple):
    """The arrays of a search, created once for each decision.

    Attributes:
        rows: [2] of GAME: the row of the position, and the row of the simulation.
        simulated: the beliefs of the players of the simulation.
        logs: [1] of LOG: the events of the last simulated decision.
        legals: [1] of LEGAL: the legal actions in the simulation.
        keys: [W] the worlds, as the keys of WORLD: four bits for the mask at each slot.
        sums: [W] the cumulative weights of the worlds.
        belief: [players + 1, slots, kinds] the beliefs at the start of a simulation.
        sure: bit set of the players who must know their own mask, by public events.
    """

    rows: Rows
    simulated: SimulatedBeliefs
    logs: Rows
    legals: Rows
    keys: NDArray[np.int64]
    sums: NDArray[np.float64]
    belief: NDArray[np.float64]
    sure: int


class Simulations(NamedTuple):
    """A range of simulations. The same seed and the same numbers give the same simulations.

    Attributes:
        seed: the seed of all simulations of a decision.
        first: the number of the first simulation.
        size: the number of simulations.
        rounds: the rounds of turns after which a simulation stops.
    """

    seed: int
    first: int
    size: int
    rounds: int


def position(row: Rows, worlds: NDArray[Any], evidence: Evidence) -> Position:
    """Return the position of the deciding player.

    Args:
        row: [1] of GAME; this function does not read its masks.
        worlds: [W] of WORLD: the worlds that are possible for the deciding player.
        evidence: the evidence from what players have said.

    Raises:
        MascaradeError: there are no worlds.
    """
    if not len(worlds):
        raise MascaradeError(
            "the search cannot choose an action: no placement of the masks (world) fits the events "
            "of this view; make a new view, and pass it all events of its player from the deal on"
        )
    keys = np.ascontiguousarray(worlds["key"])
    weights = weighed(keys, worlds["weight"], evidence.odds)
    weights /= weights.sum()
    players, (slots, kinds) = int(row["players"][0]), evidence.odds.shape
    belief = np.repeat(evidence.onlooker[None], players + 1, axis=0)
    searcher = int(row["player_at"][0, row["actor"][0]])
    for slot in range(slots):
        masks = (keys >> (4 * slot)) & 15
        belief[searcher, slot] = np.bincount(masks, weights, kinds)
    column = np.zeros(len(MASKS), np.int64)
    column[row["kind"][0, :kinds]] = np.arange(kinds)
    beliefs = SimulatedBeliefs(
        belief=belief.copy(),
        sure=np.zeros(1, np.int64),
        column=column,
        cards=evidence.cards,
        scores=np.zeros(MAX_LEGAL + len(MASKS)),
    )
    return Position(
        rows=np.repeat(row, 2),
        simulated=beliefs,
        logs=np.zeros(1, LOG),
        legals=np.zeros(1, LEGAL),
        keys=keys,
        sums=np.cumsum(weights),
        belief=belief,
        sure=evidence.sure,
    )


@compiled
def draw_world(g: Row, sums: NDArray[np.float64]) -> int:
    """Return the index of a world, sampled by weight with the row's rng."""
    drawn = uniform(g) * sums[len(sums) - 1]
    low = 0
    high = len(sums) - 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] <= drawn:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def restore(belief: NDArray[np.float64], before: NDArray[np.float64]) -> None:
    """Copy `before` into `belief`."""
    # Not `belief[:] = before`: Numba would copy twice, because the arrays might overlap.
    for viewer in range(belief.shape[0]):
        for slot in range(belief.shape[1]):
            for column in range(belief.shape[2]):
                belief[viewer, slot, column] = before[viewer, slot, column]


@compiled
def last_turn(p: Position, rounds: int) -> int:
    """Return the number of the turn at whose start a simulation stops."""
    return int(p.rows[0].turn) + rounds * int(p.rows[0].players) + 1


@compiled
def begin(p: Position, seed: int, number: int) -> None:
    """Start a simulation: sample a world, and set the beliefs of its players.

    The same seed and number give the same world, so actions can be compared in the same worlds.
    """
    p.rows[1] = p.rows[0]
    g = p.rows[1]
    rng.fill(g, rng.episode_seed(seed, number))
    key = p.keys[draw_world(g, p.sums)]
    for slot in range(g.slots):
        g.mask_at[slot] = g.kind[mask_in(key, slot)]
    beliefs = p.simulated
    restore(beliefs.belief, p.belief)
    beliefs.sure[0] = p.sure
    searcher = player_on(g, g.actor)
    for player in range(g.players):
        if player == searcher:
            continue
        seat = int(g.seat_of[player])
        column = mask_in(key, seat)
        if p.sure & bit(player):
            see(beliefs, player, seat, column)
            continue
        # The searcher does not know what this player has seen. So the player's belief in the mask
        # that they have in this world becomes larger, but not certain.
        for i in range(g.kinds):
            beliefs.belief[player, seat, i] *= 1.0 - _RECALL
        beliefs.belief[player, seat, column] += _RECALL
