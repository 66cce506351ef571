"""Neutral beliefs, exact (rules 8): who may have which mask, as far as a viewer can know.

A viewer's belief is a set of worlds. A world is a placement of the masks, four bits a slot in one
whole number, with a weight. The deal is public, so there is one world at first; two masks taken by
somebody else split each world in two halves, equal ones becoming one; one's own swap moves masks
in every world; what is seen leaves the worlds that agree.

Viewers are the players and, after them, the onlooker. All comes from events, each viewer's from
those alone that this viewer sees. In a world a mask is named by its column (see `Schema.masks`).

Weights are halved, added and multiplied by powers of two, nothing else, so they are right to double
precision, most of the time to the last bit; they are not normalised, and readers divide by the
total. A set that would outgrow the most worlds allowed is thinned by systematic resampling, and is
then no longer `exact` until the next deal.

Sets of all games share one array, in segments of 16, 64, 256 ... worlds: most sets are small, and
which are large changes all the time.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._jit import compiled, inlined
from mascarade_env.game import _events as events
from mascarade_env.game._events import ONLOOKER, Log
from mascarade_env.game._masks import MASKS
from mascarade_env.game._positions import bit
from mascarade_env.knowledge._facts import Notes

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
                ("count", np.int32),
                ("room", np.int32),
                ("exact", np.int16),
                ("followed", np.int16),
            ]
        ),
    )
)

_CLASSES = 12  # sizes of segments

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
Worlds: TypeAlias = NDArray[Any]
Sets: TypeAlias = NDArray[Any]
Set: TypeAlias = Any
Heap: TypeAlias = Any

#: The largest number of worlds that may be allowed in a set; places are numbers of 32 bits.
MOST_WORLDS = 1 << 24

_MOST_MASKS = 16  # a world has four bits for the mask of a slot
_LEAST = 16  # worlds that the smallest segment holds; each next size holds four times as many
_FEW = 24  # worlds up to which looking through all is faster than a hash table
_NONE = -1
_UNKNOWN = -2
_TINY = 1e-290  # below this, halves are no longer exact
HALF = np.float32(0.5)

_TELLS = events.SIGHTS | 1 << events.DEAL | 1 << events.RETURN | 1 << events.SWAP


class Beliefs(NamedTuple):
    """The beliefs of all viewers of B games, and room to work in."""

    sets: Sets  # [B, V] of SET
    chances: NDArray[np.float32]  # [B, V, slots * masks] the probability of a mask at a slot
    heap: NDArray[Any]  # [1] of HEAP
    worlds: Worlds  # [many] of WORLD
    scratch: NDArray[np.int64]  # to work in: each world's partner, and a hash table of worlds
    sums: NDArray[np.float64]  # to work in: one for each mask


def new_beliefs(games: int, players: int, slots: int, masks: int, most: int) -> Beliefs:
    """Return the beliefs of games not dealt yet, of at most `most` worlds each.

    Raises:
        MascaradeError: there are more masks than a world can name.
    """
    if len(MASKS) > _MOST_MASKS:
        raise MascaradeError(
            f"MASKS has {len(MASKS)} masks, and a world has four bits for the mask of a slot, "
            f"enough for {_MOST_MASKS}: widen the key of WORLD in knowledge.py first"
        )
    viewers = players + 1
    sets = np.zeros((games, viewers), SET)
    sets["begin"] = _LEAST * np.arange(games * viewers).reshape(games, viewers)
    sets["room"] = _LEAST
    sets["followed"] = 1
    heap = np.zeros(1, HEAP)
    heap["top"] = games * viewers * _LEAST
    heap["most"] = most
    heap["free"] = _NONE
    beliefs = Beliefs(
        sets=sets,
        chances=np.zeros((games, viewers, slots * masks), np.float32),
        heap=heap,
        worlds=np.zeros(games * viewers * _LEAST * 5 // 4 + 64 * viewers, WORLD),
        scratch=np.zeros(0, np.int64),
        sums=np.zeros(len(MASKS)),
    )
    return grown(beliefs, 0)


def grown(beliefs: Beliefs, need: int) -> Beliefs:
    """The same with room for so many more worlds."""
    top = int(beliefs.heap["top"][0])
    length = len(beliefs.worlds)
    if top + need > length:
        length = max(2 * length, top + need)
    worlds = np.zeros(length, WORLD)
    worlds[:top] = beliefs.worlds[:top]
    largest = min(length, max(int(beliefs.heap["most"][0]), _LEAST))
    scratch = np.zeros(largest + _table_length(largest), np.int64)
    return beliefs._replace(worlds=worlds, scratch=scratch)


@compiled
def follow_one(sets: Sets, game: int, player: int) -> None:
    """From the next deal on follow one player and the onlooker, or with -1 all."""
    for viewer in range(sets.shape[1] - 1):
        sets[game, viewer].followed = player < 0 or viewer == player


@compiled
def tells_of_masks(log: Log) -> bool:
    """Whether a step has an event that changes a belief."""
    for k in range(log.count):
        if _TELLS >> int(log.event[k].kind) & 1:
            return True
    return False


@inlined
def need_before_return(sets: Sets, game: int) -> int:
    """How many more worlds there must be room for before masks return from under the table."""
    need = 0
    for viewer in range(sets.shape[1]):
        held = sets[game, viewer]
        if 2 * held.count > held.room:
            need += 4 * held.room
    return need


@compiled
def mask_in(key: int, slot: int) -> int:
    """The column of the mask that lies at a slot in a world."""
    return (int(key) >> (4 * int(slot))) & 15


@compiled
def swapped(key: int, one: int, other: int) -> int:
    """A world after a swap of two slots."""
    difference = mask_in(key, one) ^ mask_in(key, other)
    return int(key) ^ (difference << (4 * int(one))) ^ (difference << (4 * int(other)))


@compiled
def _sees(event: Any, viewer: int, viewers: int) -> bool:
    """Whether a viewer, the last being the onlooker, sees an event."""
    return event.seen_by & (bit(ONLOOKER) if viewer == viewers - 1 else bit(viewer)) != 0


@compiled
def believe(
    sets: Sets,
    chances: NDArray[np.float32],
    heap: Heap,
    worlds: Worlds,
    scratch: NDArray[np.int64],
    sums: NDArray[np.float64],
    game: int,
    log: Log,
    notes: Notes,
) -> None:
    """Take the events of a step into the beliefs of a game, of which `notes` were taken before.

    A viewer's belief follows from the events that this viewer sees and from how many public ones
    there were. Room that `need_before_return` asks for must be there.
    """
    viewers = sets.shape[1]
    width = chances.shape[2] // int(notes.slots)
    k = 0
    while k < log.count:
        event = log.event[k]
        kind = int(event.kind)
        k += 1
        if kind == events.RETURN:
            for viewer in range(viewers):
                held = sets[game, viewer]
                if viewer == event.player or not held.followed:
                    continue
                table = chances[game, viewer]
                most = min(_FEW, held.room // 2, heap.most // 2)
                if held.count <= most:
                    _split_few(worlds[held.begin : held.begin + held.room], held, event)
                elif _split_many(held, heap, worlds, scratch, event, notes.clock):
                    mine = worlds[held.begin : held.begin + held.count]
                    tabulate(mine, table, width, sums)
                    continue
                one = table[event.a * width : event.a * width + width]
                other = table[event.b * width : event.b * width + width]
                for mask in range(width):
                    average = (one[mask] + other[mask]) * HALF
                    one[mask] = average
                    other[mask] = average
        elif kind == events.SWAP:
            held = sets[game, event.player]
            if not held.followed:
                continue
            one = chances[game, event.player, event.a * width : event.a * width + width]
            other = chances[game, event.player, event.b * width : event.b * width + width]
            for at in range(held.begin, held.begin + held.count):
                worlds[at].key = swapped(worlds[at].key, event.a, event.b)
            for mask in range(width):
                chance = one[mask]
                one[mask] = other[mask]
                other[mask] = chance
        elif kind == events.DEAL:
            mask = int(notes.column[event.value])
            for viewer in range(viewers):
                held = sets[game, viewer]
                if event.a == 0:
                    _start(held, heap, worlds)
                chances[game, viewer, event.a * width : event.a * width + width] = 0.0
                if held.followed:
                    worlds[held.begin].key |= mask << (4 * int(event.a))
                    chances[game, viewer, event.a * width + mask] = 1.0
        elif events.SIGHTS >> kind & 1:
            slots = 15 << (4 * int(event.a))
            masks = int(notes.column[event.value]) << (4 * int(event.a))
            while k < log.count and _seen_together(event, log.event[k]):
                other = log.event[k]
                slots |= 15 << (4 * int(other.a))
                masks |= int(notes.column[other.value]) << (4 * int(other.a))
                k += 1
            for viewer in range(viewers):
                held = sets[game, viewer]
                unsure = held.followed and (held.count > 1 or not held.exact)
                if unsure and _sees(event, viewer, viewers):
                    before = held.count
                    _keep(worlds[held.begin : held.begin + held.room], held, slots, masks)
                    if held.count == before:
                        continue
                    if held.count == 0:
                        _mend(held, worlds, scratch, before, slots, masks, event.a, notes.players)
                    if 16 * held.count <= held.room:
                        _shrink(held, heap, worlds)
                    mine = worlds[held.begin : held.begin + held.count]
                    tabulate(mine, chances[game, viewer], width, sums)


@compiled
def _seen_together(event: Any, other: Any) -> bool:
    """Whether two events in a row show masks to the same viewers."""
    return (events.SIGHTS >> int(other.kind)) & 1 == 1 and other.seen_by == event.seen_by


@compiled
def _start(held: Set, heap: Heap, worlds: Worlds) -> None:
    """One world, empty yet, is certain."""
    held.count = held.followed
    held.exact = held.followed
    if held.room > _LEAST:
        _shrink(held, heap, worlds)
    worlds[held.begin].key = 0
    worlds[held.begin].weight = 1.0


# Segments. Free ones of a size are a list: the key of the first world says where the next is.


@compiled
def _size(room: int) -> int:
    """The number of a segment's size."""
    size = 0
    while _LEAST << (2 * size) < room:
        size += 1
    return size


@compiled
def _move(held: Set, heap: Heap, worlds: Worlds, room: int) -> None:
    """Move a set to a segment of another size."""
    begin = int(heap.free[_size(room)])
    if begin == _NONE:
        begin = int(heap.top)
        heap.top += room
    else:
        heap.free[_size(room)] = worlds[begin].key
    for at in range(held.count):
        worlds[begin + at].key = worlds[held.begin + at].key
        worlds[begin + at].weight = worlds[held.begin + at].weight
    worlds[held.begin].key = heap.free[_size(held.room)]
    heap.free[_size(held.room)] = held.begin
    held.begin = begin
    held.room = room


@compiled
def _shrink(held: Set, heap: Heap, worlds: Worlds) -> None:
    """Move a set to the least free segment that it fills to no more than half.

    It never takes a new one, for which there may be no room.
    """
    room = _LEAST
    while room < held.room and (2 * held.count > room or heap.free[_size(room)] == _NONE):
        room *= 4
    if room < held.room:
        _move(held, heap, worlds, room)


# Swaps by others


@inlined
def _level(mine: Worlds, one: int, other: int) -> None:
    """Each of two worlds becomes half of the one and half of the other."""
    half = (mine[one].weight + mine[other].weight) * 0.5
    mine[one].weight = half
    mine[other].weight = half


@inlined
def _split_few(mine: Worlds, held: Set, event: Any) -> None:
    """Two masks were swapped or not, as by a fair coin."""
    count = held.count
    have = count
    for at in range(count):
        key = mine[at].key
        twin = swapped(key, event.a, event.b)
        if twin == key:
            continue
        there = 0
        while there < count and mine[there].key != twin:
            there += 1
        if there == count:
            mine[have].key = twin
            mine[have].weight = 0.0
            _level(mine, at, have)
            have += 1
        elif there > at:
            _level(mine, at, there)
    held.count = have


@compiled
def _split_many(
    held: Set, heap: Heap, worlds: Worlds, scratch: NDArray[np.int64], event: Any, clock: int
) -> bool:
    """The same with a hash table; returns whether the set had to be thinned."""
    mine = worlds[held.begin : held.begin + held.count]
    alone = _find_partners(mine, scratch, event.a, event.b)
    thinned = held.count + alone > heap.most
    if thinned:
        held.count = thin(mine, heap.most // 2, clock)
        held.exact = 0
        heap.thinned += 1
        mine = worlds[held.begin : held.begin + held.count]
        alone = _find_partners(mine, scratch, event.a, event.b)
    count = held.count
    if count + alone > held.room:
        _move(held, heap, worlds, 4 * held.room)
    mine = worlds[held.begin : held.begin + held.room]
    have = count
    for at in range(count):
        there = scratch[at]
        if there == _NONE:
            mine[have].key = swapped(mine[at].key, event.a, event.b)
            mine[have].weight = 0.0
            _level(mine, at, have)
            have += 1
        elif there > at:
            _level(mine, at, there)
    held.count = have
    return thinned


@compiled
def _table_length(count: int) -> int:
    """The length of a hash table for so many worlds."""
    length = 4
    while length < 2 * count:
        length *= 2
    return length


@compiled
def _find_partners(mine: Worlds, scratch: NDArray[np.int64], one: int, other: int) -> int:
    """Note where each world's other half is: itself, if the masks are equal; return how many miss.

    The table stands behind the partners, as large as needed each time, for clearing it costs most.
    """
    count = len(mine)
    length = _table_length(count)
    for place in range(length):
        scratch[count + place] = _NONE
    for at in range(count):
        place = _place(mine[at].key, length)
        while scratch[count + place] != _NONE:
            place = (place + 1) & (length - 1)
        scratch[count + place] = at
        scratch[at] = _UNKNOWN
    alone = 0
    for at in range(count):
        if scratch[at] != _UNKNOWN:
            continue
        twin = swapped(mine[at].key, one, other)
        place = _place(twin, length)
        while scratch[count + place] != _NONE and mine[scratch[count + place]].key != twin:
            place = (place + 1) & (length - 1)
        there = scratch[count + place]
        scratch[at] = there
        if there == _NONE:
            alone += 1
        else:
            scratch[there] = at
    return alone


@compiled
def _place(key: int, length: int) -> int:
    """Where a world belongs in a hash table; no product passes 2**63."""
    mixed = (int(key) & 0xFFFFFFF) * 0x2545F491 + (int(key) >> 28) * 0x5851F42D
    return ((mixed >> 20) ^ (mixed >> 41)) & (length - 1)


@compiled
def thin(mine: Worlds, most: int, clock: int) -> int:
    """Systematic resampling to at most so many worlds; returns how many are left.

    The one random number is a hash of the clock: it may tell nothing that a viewer does not know.
    """
    draws = 1
    while 2 * draws <= most:
        draws *= 2
    total = 0.0
    for at in range(len(mine)):
        total += mine[at].weight
    mixed = ((int(clock) + 1) * 0x9E3779B1) & 0xFFFFFFFF
    mixed ^= mixed >> 15
    start = (((mixed * 0x2C1B3C6D) & 0xFFFFFFFF) + 0.5) / 4294967296.0
    passed, drawn, left = 0.0, 0, 0
    for at in range(len(mine)):
        passed += mine[at].weight
        copies = 0
        while drawn < draws and (start + drawn) * total < passed * draws:
            drawn += 1
            copies += 1
        if copies:
            mine[left].key = mine[at].key
            mine[left].weight = copies / draws
            left += 1
    return left


# Masks seen


@inlined
def _keep(mine: Worlds, held: Set, slots: int, masks: int) -> None:
    """Masks are seen: the worlds that agree are left."""
    left, total = 0, 0.0
    for at in range(held.count):
        key, weight = mine[at].key, mine[at].weight
        if key & slots == masks:
            mine[left].key = key
            mine[left].weight = weight
            total += weight
            left += 1
    held.count = left
    if total < _TINY:
        # What is seen was as good as impossible: the weights have lost what they said.
        for at in range(left):
            mine[at].weight = 1.0 / left
        held.exact = 0
        return
    scale = 1.0
    while total * scale < 0.5:
        scale *= 2.0
    if scale > 1.0:
        for at in range(left):
            mine[at].weight *= scale


@compiled
def _mend(
    held: Set,
    worlds: Worlds,
    scratch: NDArray[np.int64],
    count: int,
    slots: int,
    masks: int,
    first: int,
    players: int,
) -> None:
    """No world agrees with what is seen, for thinning has lost those that do.

    In each of those there were, every mask seen goes to its slot, which is a seat, and what lay
    there to where it was: the nearest world that agrees. Seats are gone through clockwise from the
    first that was seen, so that it does not matter how they are numbered. Only a set that is not
    exact comes here.
    """
    mine = worlds[held.begin : held.begin + count]
    length = _table_length(count)
    for place in range(length):
        scratch[place] = _NONE
    left = 0
    for at in range(count):
        key, weight = int(mine[at].key), mine[at].weight
        for places in range(players):
            slot = (int(first) + places) % int(players)
            if mask_in(slots, slot) and mask_in(key, slot) != mask_in(masks, slot):
                key = swapped(key, slot, _find_mask(key, slot, slots, masks, players))
        place = _place(key, length)
        while scratch[place] != _NONE and mine[scratch[place]].key != key:
            place = (place + 1) & (length - 1)
        if scratch[place] == _NONE:
            scratch[place] = left
            mine[left].key = key
            mine[left].weight = weight
            left += 1
        else:
            mine[scratch[place]].weight += weight
    held.count = left


@compiled
def _find_mask(key: int, slot: int, slots: int, masks: int, players: int) -> int:
    """Where the mask seen at a slot lies in a world, leaving aside slots where it was seen."""
    mask = mask_in(masks, slot)
    place, there = 0, slot
    while mask_in(key, there) != mask or (mask_in(slots, there) and mask_in(masks, there) == mask):
        place += 1
        there = (slot + place) % int(players) if place < players else place
    return there


@inlined
def tabulate(mine: Worlds, table: NDArray[Any], width: int, sums: NDArray[np.float64]) -> None:
    """Write the probability of each mask at each slot, `width` masks a slot.

    What lies at a slot in all worlds is not added up world by world: each sum would wait for the
    one before.
    """
    first = mine[0].key
    total, differ = 0.0, 0
    for at in range(len(mine)):
        differ |= mine[at].key ^ first
        total += mine[at].weight
    table[:] = 0.0
    for slot in range(len(table) // width):
        if not mask_in(differ, slot):
            table[slot * width + mask_in(first, slot)] = 1.0
            continue
        for mask in range(width):
            sums[mask] = 0.0
        for at in range(len(mine)):
            sums[mask_in(mine[at].key, slot)] += mine[at].weight
        for mask in range(width):
            table[slot * width + mask] = sums[mask] / total
