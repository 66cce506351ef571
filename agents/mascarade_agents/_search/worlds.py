"""A position as one player knows it, and how a simulation of its future begins.

The searcher's worlds are placements of the masks with weights (see knowledge/_beliefs.py). A
simulation draws one by its weight and lays the masks of a copy of the row by it, so what lies in
the row that was given is never read.
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

#: How much others who need not know their own mask, as all can tell, know of it all the same.
_RECALL = 0.3


class Position(NamedTuple):
    """What the kernels work on, made once for a decision."""

    rows: Rows  # [2] of GAME: the position, and the simulation
    simulated: SimulatedBeliefs
    logs: Rows  # [1] of LOG
    legals: Rows  # [1] of LEGAL
    keys: NDArray[np.int64]  # [W] the worlds
    sums: NDArray[np.float64]  # [W] their weights, added up
    belief: NDArray[np.float64]  # [players + 1, slots, kinds] what a simulation begins with
    sure: int  # bit set of the players who must know their own mask, as all can tell


class Simulations(NamedTuple):
    """Which simulations to make; the same numbers give the same ones."""

    seed: int  # of all simulations of a decision
    first: int  # number of the first one
    size: int  # how many
    rounds: int  # of the table that are played before a simulation is stopped


def position(row: Rows, worlds: NDArray[Any], evidence: Evidence) -> Position:
    """Return a position of the player who decides.

    Args:
        row: [1] of GAME; its masks are not read.
        worlds: [W] of WORLD, what that player holds possible.
        evidence: what words and sights tell beyond them.
    """
    if not len(worlds):
        raise MascaradeError("a search needs a world: the player holds none possible")
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
    """Return the number of a world, sampled by weight with the row's own random numbers."""
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
    """Copy beliefs."""
    # Not `belief[:] = before`: Numba would make a copy in between, as the two might overlap.
    for viewer in range(belief.shape[0]):
        for slot in range(belief.shape[1]):
            for column in range(belief.shape[2]):
                belief[viewer, slot, column] = before[viewer, slot, column]


@compiled
def last_turn(p: Position, rounds: int) -> int:
    """Return the number of the turn at whose start a simulation is stopped."""
    return int(p.rows[0].turn) + rounds * int(p.rows[0].players) + 1


@compiled
def begin(p: Position, seed: int, number: int) -> None:
    """Begin the simulation of a number: a world, and what its players know of it.

    The same number begins alike, so that actions can be compared in the same worlds.
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
        # The searcher cannot tell what the others have seen, so a player who need not know is
        # made to know a little: neither blind nor certain in any world.
        for i in range(g.kinds):
            beliefs.belief[player, seat, i] *= 1.0 - _RECALL
        beliefs.belief[player, seat, column] += _RECALL
