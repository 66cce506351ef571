"""A position as one player knows it, and how a simulation of its future begins.

The searcher's worlds are placements of the masks with weights (see core/knowledge.py). A simulation
draws one by its weight and lays the masks of a copy of the row by it, so what lies in the row that
was given is never read.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.search.evidence import Evidence, weighed
from mascarade_agents.search.policy import MINDS, UNSURE, chance
from mascarade_env.core import rng
from mascarade_env.core._jit import compiled
from mascarade_env.core.actions import LEGAL
from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.events import LOG
from mascarade_env.core.knowledge import mask_in
from mascarade_env.core.state import Row, Rows, player_on


class Position(NamedTuple):
    """What the kernels work on, made once for a decision."""

    rows: Rows  # [2] of GAME: the position, and the simulation
    minds: NDArray[Any]  # [1] of MINDS: of the simulation
    logs: Rows  # [1] of LOG
    legals: Rows  # [1] of LEGAL
    keys: NDArray[np.int64]  # [W] the worlds
    sums: NDArray[np.float64]  # [W] their weights, added up
    recall: NDArray[np.float64]  # [slots, kinds] see Evidence
    own: NDArray[np.int64]  # [1] the mask that the searcher takes their own for, or UNSURE


def position(row: Rows, worlds: NDArray[Any], evidence: Evidence) -> Position:
    """A position of the player who decides.

    Args:
        row: [1] of GAME; its masks are not read.
        worlds: [W] of knowledge.WORLD, what that player holds possible.
        evidence: what words and sights tell beyond them.
    """
    if not len(worlds):
        raise MascaradeError("a search needs a world: the player holds none possible")
    keys = np.ascontiguousarray(worlds["key"])
    return Position(
        rows=np.repeat(row, 2),
        minds=np.zeros(1, MINDS),
        logs=np.zeros(1, LOG),
        legals=np.zeros(1, LEGAL),
        keys=keys,
        sums=np.cumsum(weighed(keys, worlds["weight"], evidence.odds)),
        recall=evidence.recall,
        own=np.array([UNSURE if evidence.own < 0 else int(row["kind"][0, evidence.own])]),
    )


@compiled
def draw_world(g: Row, sums: NDArray[np.float64]) -> int:
    """Which world: by weight, by the row's own random numbers."""
    wanted = chance(g) * sums[len(sums) - 1]
    low = 0
    high = len(sums) - 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] <= wanted:
            low = middle + 1
        else:
            high = middle
    return low


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
    minds = p.minds[0]
    searcher = player_on(g, g.actor)
    for player in range(g.players):
        seat = int(g.seat_of[player])
        knows = chance(g) < p.recall[seat, mask_in(key, seat)]
        minds.mask[player] = g.mask_at[seat] if knows else UNSURE
    minds.mask[searcher] = p.own[0]
