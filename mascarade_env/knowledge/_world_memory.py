"""Memory for beliefs: sets of worlds of all viewers of many games, in one array.

A world is a placement of the masks, four bits a slot in one whole number, with a weight. In it a
mask is named by its column, its place among the masks in play (all masks if padded).

Most sets are small, and which are large changes all the time. So each set has a home, a segment of
4 worlds beside the homes of the other viewers of its game. A set that outgrows it moves to a
segment of 8, 16, 32 ... worlds, and back when it has become small again.
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

#: The worlds of one viewer of one game: where they are, how many, and the room there. A viewer
#: who is not followed believes nothing.
SET = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("begin", np.int32),
                ("home", np.int32),  # where it begins when it is small
                ("count", np.int32),
                ("doublings", np.int8),  # of room: its segment holds HOME_ROOM << doublings worlds
                ("exact", np.int8),
                ("followed", np.int8),
                ("spare", np.int8),  # leaves no padding
            ]
        ),
    )
)

_CLASSES = 24  # sizes of segments

#: What the sets share.
HEAP = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("top", np.int64),  # from here on no segment has ever been used
                ("most", np.int64),  # worlds allowed in a set
                ("thinned", np.int64),  # how often a set was thinned
                ("free", np.int64, (_CLASSES,)),  # the first free segment of each size
            ]
        ),
    )
)

# An array of WORLD, one of SET; one element of the latter, and of an array of HEAP.
WorldRows: TypeAlias = NDArray[Any]
Sets: TypeAlias = NDArray[Any]
Set: TypeAlias = Any
Heap: TypeAlias = Any

#: The highest limit on the worlds of a set that may be asked for; places are numbers of 32 bits.
HIGHEST_LIMIT = 1 << 24

HOME_ROOM = 4  # worlds that a home holds; each next size of segments holds twice as many
_MOST_MASKS = 16  # a world has four bits for the mask of a slot
_NONE = -1


class Beliefs(NamedTuple):
    """The beliefs of all viewers of B games, and room to work in. V is n players + 1."""

    sets: Sets  # [B, V] of SET; [0, V] for a track without beliefs
    probabilities: NDArray[np.float32]  # [B, V, slots * masks] of a mask at a slot
    heap: NDArray[Any]  # [1] of HEAP
    worlds: WorldRows  # [many] of WORLD
    column: NDArray[np.int64]  # [16] of each mask of `MASKS` in a world
    masks: int  # columns
    scratch: NDArray[np.int64]  # to work in: each world's partner, and a hash table of worlds
    sums: NDArray[np.float64]  # to work in: one for each mask


def new_beliefs(games: int, players: int, slots: int, masks: tuple[str, ...], most: int) -> Beliefs:
    """Return the beliefs about games not dealt yet.

    Args:
        games: B.
        players: n.
        slots: of the scenario.
        masks: the mask of each column.
        most: worlds that a set may have before it is thinned.

    Raises:
        MascaradeError: there are more masks than a world can name.
    """
    if len(MASKS) > _MOST_MASKS:
        raise MascaradeError(
            f"MASKS has {len(MASKS)} masks, and a world has four bits for the mask of a slot, "
            f"enough for {_MOST_MASKS}: widen the key of WORLD in _world_memory.py first"
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
    """Return the same beliefs with room for `need` more worlds."""
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
    """Follow one player and the onlooker from the next deal on, or all for -1."""
    for viewer in range(sets.shape[1] - 1):
        sets[game, viewer].followed = player < 0 or viewer == player


@inlined
def need_before_return(sets: Sets, game: int) -> int:
    """Return the room for worlds that must be there before masks return from under the table."""
    need = 0
    for viewer in range(sets.shape[1]):
        held = sets[game, viewer]
        room = room_of(held)
        if 2 * held.count > room:
            need += 2 * room
    return need


@compiled
def room_of(held: Set) -> int:
    """Return how many worlds the segment of a set holds."""
    return HOME_ROOM << int(held.doublings)


@compiled
def move(held: Set, heap: Heap, worlds: WorldRows, doublings: int) -> None:
    """Move a set to a segment of another size; without doublings that is its home.

    Free segments of a size are a list: the key of the first world says where the next one is.
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
    """Move a set to the smallest free segment that it fills to no more than half.

    It never takes a new one, for which there may be no room.
    """
    doublings = 0
    while doublings < int(held.doublings) and (
        2 * int(held.count) > HOME_ROOM << doublings
        or (doublings > 0 and heap.free[doublings] == _NONE)
    ):
        doublings += 1
    if doublings < held.doublings:
        move(held, heap, worlds, doublings)
