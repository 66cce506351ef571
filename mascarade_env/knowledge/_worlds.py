"""Reads the beliefs of one game: as a table, and as the placements that are possible."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled
from mascarade_env.game._masks import mask_number
from mascarade_env.knowledge import _beliefs as knowledge
from mascarade_env.knowledge._beliefs import Beliefs

#: Worlds that a belief of one game may have before it is thinned.
MOST_WORLDS = 1 << 17


class Worlds(NamedTuple):
    """A neutral belief (rules 8) as the placements that are possible.

    Attributes:
        placements: [W, slots] numbers of masks in `MASKS`, the slots as they are numbered.
        weights: [W] their probabilities, which sum to 1.
        exact: whether these are all; False once there were too many to keep.
    """

    placements: NDArray[np.int8]
    weights: NDArray[np.float64]
    exact: bool


@compiled
def _tabulate(
    sets: knowledge.Sets,
    worlds: knowledge.Worlds,
    sums: NDArray[np.float64],
    viewer: int,
    table: NDArray[np.float64],
    width: int,
) -> None:
    held = sets[0, viewer]
    knowledge.tabulate(worlds[held.begin : held.begin + held.count], table, width, sums)


def table_of(known: Beliefs, viewer: int, slots: int, masks: int) -> NDArray[np.float64]:
    """[slots, masks] the probability of each mask at each slot."""
    table = np.empty(slots * masks)
    _tabulate(known.sets, known.worlds, np.empty(masks), viewer, table, masks)
    return table.reshape(-1, masks)


def held_by(known: Beliefs, viewer: int) -> NDArray[Any]:
    """The worlds of a viewer as kept, an array of knowledge.WORLD."""
    held = known.sets[0, viewer]
    return known.worlds[held["begin"] : held["begin"] + held["count"]]


def worlds_of(known: Beliefs, viewer: int, slots: int, masks: tuple[str, ...]) -> Worlds:
    """The placements that are possible, of masks named by these columns."""
    mine = held_by(known, viewer)
    weights = mine["weight"] / mine["weight"].sum()
    return Worlds(placements(mine["key"], slots, masks), weights, is_exact(known, viewer))


def placements(keys: NDArray[np.int64], slots: int, masks: tuple[str, ...]) -> NDArray[np.int8]:
    """[W, slots] the numbers of masks that lie in worlds."""
    numbers = np.array([mask_number(mask) for mask in masks], np.int8)
    return numbers[(keys[:, None] >> 4 * np.arange(slots)) & 15]


def is_exact(known: Beliefs, viewer: int) -> bool:
    """Whether a belief is exact."""
    return bool(known.sets["exact"][0, viewer])
