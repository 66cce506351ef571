"""Memory for beliefs: the sets of worlds of all viewers of many games, in one array.

A world is one placement of all masks that is possible for a viewer, with a weight. Its key is one
whole number with four bits for each slot. They hold the column of the mask: its index among the
masks in play, or among all masks if padded.

At any time most sets are small and a few are large. So each set has a home: a segment of 4 worlds,
next to the homes of the other viewers of the same game. A set that outgrows its home moves to a
segment of 8, 16, 32, ... worlds, and returns when it is small again.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._jit import compiled, inlined
from mascarade_env.game._masks import MASKS, mask_number

WORLD = np.dtype(
    (np.record, np.dtype([("key", np.int64), ("weight", np.float64)], align=True))
)  # fmt: skip

#: The set of worlds of one viewer of one game: the place of the worlds, their number, and the size
#: of the segment. If a viewer is not followed, no belief is computed for this viewer.
SET = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("begin", np.int32),
                ("home", np.int32),  # where the home segment begins
                ("count", np.int32),
                ("doublings", np.int8),  # the segment holds HOME_ROOM << doublings worlds
                ("exact", np.int8),
                ("followed", np.int8),
                ("spare", np.int8),  # fills the padding
            ]
        ),
    )
)

_CLASSES = 24  # sizes of segments

#: The state of the memory that all sets share.
HEAP = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("top", np.int64),  # where the memory that was never used begins
                ("most", np.int64),  # largest number of worlds of a set
                ("thinned", np.int64),  # number of times a set was thinned
                ("free", np.int64, (_CLASSES,)),  # first free segment of each size
            ]
        ),
    )
)

# In order: an array of WORLD, an array of SET, one element of SET, one element of HEAP.
WorldRows: TypeAlias = NDArray[Any]
Sets: TypeAlias = NDArray[Any]
Set: TypeAlias = Any
Heap: TypeAlias = Any

#: The highest value of `most_worlds`, because indices of worlds have 32 bits.
HIGHEST_LIMIT = 1 << 24

HOME_ROOM = 4  # number of worlds of a home; each larger size of segment holds twice the number
_MOST_MASKS = 16  # a key has four bits for the mask at a slot
_NONE = -1


class Beliefs(NamedTuple):
    """The beliefs of all viewers of B games, and working memory. V is the number of players + 1."""

    sets: Sets  # [B, V] of SET; [0, V] for a track without beliefs
    probabilities: NDArray[np.float32]  # [B, V, slots * masks] of each mask at each slot
    heap: NDArray[Any]  # [1] of HEAP
    worlds: WorldRows  # array of WORLD, for all sets
    column: NDArray[np.int64]  # [16] the column of each mask of `MASKS`
    masks: int  # number of columns
    scratch: NDArray[np.int64]  # working memory: each world's partner, and a hash table of worlds
    sums: NDArray[np.float64]  # working memory: a sum for each mask


def new_beliefs(games: int, players: int, slots: int, masks: tuple[str, ...], most: int) -> Beliefs:
    """Return the beliefs about games before the deal.

    Args:
        games: the number of games B.
        players: the number of players n.
        slots: the number of slots of the scenario.
        masks: the id of the mask of each column.
        most: the largest number of worlds of a set; a larger set is thinned.

    Raises:
        MascaradeError: `MASKS` has more masks than four bits can number.
    """
    if len(MASKS) > _MOST_MASKS:
        raise MascaradeError(
            f"MASKS has {len(MASKS)} masks, but the key of a world has four bits for the mask at a "
            f"slot, enough for {_MOST_MASKS}: widen the key of WORLD in _world_memory.py first"
        )
    viewers = players + 1
    used = games * viewers * HOME_ROOM
    sets = np.zeros((games, viewers), SET)
    sets["home"] = HOME_ROOM * np.arange(games * viewers).reshape(games, viewers)
    sets["begin"] = sets["home"]
    sets["followed"] = 1
    heap = np.zeros(1, HEAP)
    heap["top"] = used
    heap["most"] = most
    heap["free"] = _NONE
    column = np.zeros(len(MASKS), np.int64)
    column[[mask_number(mask) for mask in masks]] = np.arange(len(masks))
    beliefs = Beliefs(
        sets=sets,
        probabilities=np.zeros((games, viewers, slots * len(masks)), np.float32),
        heap=heap,
        worlds=np.zeros(used, WORLD),
        column=column,
        masks=len(masks),
        scratch=np.zeros(0, np.int64),
        sums=np.zeros(len(MASKS)),
    )
    return grown(beliefs, 64 * viewers)


def grown(beliefs: Beliefs, need: int) -> Beliefs:
    """Return a copy of beliefs with room for `need` more worlds."""
    top = int(beliefs.heap["top"][0])
    length = len(beliefs.worlds)
    if top + need > length:
        length = top + need + top // 4
    worlds = np.zeros(length, WORLD)
    worlds[:top] = beliefs.worlds[:top]
    largest = min(length, max(int(beliefs.heap["most"][0]), HOME_ROOM))
    scratch = np.zeros(largest + table_length(largest), np.int64)
    return beliefs._replace(worlds=worlds, scratch=scratch)


@compiled
def table_length(count: int) -> int:
    """Return the length of a hash table for `count` worlds."""
    length = 4
    while length < 2 * count:
        length *= 2
    return length


@compiled
def follow_one(sets: Sets, game: int, player: int) -> None:
    """Follow only one player (-1: all players) and the onlooker, from the next deal on."""
    for viewer in range(sets.shape[1] - 1):
        sets[game, viewer].followed = player < 0 or viewer == player


@inlined
def need_before_return(sets: Sets, game: int) -> int:
    """Return how many worlds more need memory before two masks are put back in a game.

    This event can double the number of worlds.
    """
    need = 0
    for viewer in range(sets.shape[1]):
        held = sets[game, viewer]
        room = room_of(held)
        if 2 * held.count > room:
            need += 2 * room
    return need


@compiled
def room_of(held: Set) -> int:
    """Return the number of worlds for which the segment of a set has room."""
    return HOME_ROOM << int(held.doublings)


@compiled
def move(held: Set, heap: Heap, worlds: WorldRows, doublings: int) -> None:
    """Move a set to a segment of another size, which is its home if `doublings` is 0.

    The free segments of a size are a linked list: the key of the first world of each is the index
    of the next segment.
    """
    begin = int(held.home)
    if doublings > 0:
        begin = int(heap.free[doublings])
        if begin == _NONE:
            begin = int(heap.top)
            heap.top += HOME_ROOM << doublings
        else:
            heap.free[doublings] = worlds[begin].key
    for at in range(held.count):
        worlds[begin + at].key = worlds[held.begin + at].key
        worlds[begin + at].weight = worlds[held.begin + at].weight
    if held.doublings > 0:
        worlds[held.begin].key = heap.free[held.doublings]
        heap.free[held.doublings] = held.begin
    held.begin = begin
    held.doublings = doublings


@compiled
def shrink(held: Set, heap: Heap, worlds: WorldRows) -> None:
    """Move a set to the smallest free segment that it fills by half or less.

    It uses existing segments only, because there may be no room for a new one.
    """
    doublings = 0
    while doublings < int(held.doublings) and (
        2 * int(held.count) > HOME_ROOM << doublings
        or (doublings > 0 and heap.free[doublings] == _NONE)
    ):
        doublings += 1
    if doublings < held.doublings:
        move(held, heap, worlds, doublings)
