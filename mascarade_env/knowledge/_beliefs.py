"""Neutral beliefs, exact (rules 8): where each mask may be, as far as a viewer can know.

A viewer's belief is a set of worlds (see _world_memory.py). The deal is public, so there is one
world at first. Two masks taken by another player split each world into two halves, and equal ones
become one. One's own swap moves masks in every world. What a viewer sees leaves the worlds that
agree.

Viewers are the players and, after them, the onlooker. All comes from events, each viewer's belief
from those alone that this viewer sees.

Weights are halved, added and multiplied by powers of two, nothing else, so they are right to double
precision, most of the time to the last bit; they are not normalised, and readers divide by the
total. A set that would outgrow the most worlds allowed is thinned by systematic resampling, and is
then no longer `exact` until the next deal.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled, inlined
from mascarade_env.game import _events as events
from mascarade_env.game._events import ONLOOKER, Log
from mascarade_env.game._positions import Row, bit
from mascarade_env.knowledge._facts import Event
from mascarade_env.knowledge._world_memory import (
    Beliefs,
    Heap,
    Set,
    WorldRows,
    move,
    room_of,
    shrink,
    table_length,
)

_FEW = 24  # worlds up to which looking through all is faster than a hash table
_NONE = -1
_UNKNOWN = -2
_TINY = 1e-290  # below this, halves are no longer exact
HALF = np.float32(0.5)

_TELLS = events.SIGHTS | 1 << events.DEAL | 1 << events.RETURN | 1 << events.SWAP


class Sight(NamedTuple):
    """Masks seen at once, as worlds hold them."""

    slots: int  # four set bits for each slot that was seen
    masks: int  # the columns of the masks there
    first: int  # the slot that was seen first


@compiled
def tells_of_masks(log: Log) -> bool:
    """Return whether a step has an event that changes a belief."""
    for k in range(log.count):
        if _TELLS >> int(log.event[k].kind) & 1:
            return True
    return False


@compiled
def mask_in(key: int, slot: int) -> int:
    """Return the column of the mask at a slot in a world."""
    return (int(key) >> (4 * int(slot))) & 15


@compiled
def swapped(key: int, one: int, other: int) -> int:
    """Return a world after a swap of two slots."""
    difference = mask_in(key, one) ^ mask_in(key, other)
    return int(key) ^ (difference << (4 * int(one))) ^ (difference << (4 * int(other)))


@compiled
def _sees(event: Event, viewer: int, viewers: int) -> bool:
    """Return whether a viewer, the last being the onlooker, sees an event."""
    return event.seen_by & (bit(ONLOOKER) if viewer == viewers - 1 else bit(viewer)) != 0


@inlined
def believe(b: Beliefs, game: int, log: Log, facts: Row) -> None:
    """Take the events of a step into the beliefs of a game.

    A viewer's belief follows from the events that this viewer sees and from how many public ones
    there were. Room that `need_before_return` asks for must be there.

    Args:
        b: the beliefs.
        game: the number of the game.
        log: the events.
        facts: after the step.
    """
    k = 0
    # Masks shown together are one fact: taken one by one, a thinned set could lose all its worlds.
    while k < log.count:
        event = log.event[k]
        kind = int(event.kind)
        k += 1
        if kind == events.RETURN:
            _split_all(b, game, event, facts.clock)
        elif kind == events.SWAP:
            _swap_own(b, game, event)
        elif kind == events.DEAL:
            _deal(b, game, event)
        elif events.SIGHTS >> kind & 1:
            slots = 15 << (4 * int(event.a))
            masks = int(b.column[event.value]) << (4 * int(event.a))
            while k < log.count and _seen_together(event, log.event[k]):
                other = log.event[k]
                slots |= 15 << (4 * int(other.a))
                masks |= int(b.column[other.value]) << (4 * int(other.a))
                k += 1
            _see(b, game, event, Sight(slots, masks, int(event.a)))


@compiled
def _seen_together(event: Event, other: Event) -> bool:
    """Return whether two events in a row show masks to the same viewers."""
    return (events.SIGHTS >> int(other.kind)) & 1 == 1 and other.seen_by == event.seen_by


@inlined
def _split_all(b: Beliefs, game: int, event: Event, clock: int) -> None:
    """Split the worlds of all viewers but the player who swapped, or not."""
    heap, width = b.heap[0], int(b.masks)
    for viewer in range(b.sets.shape[1]):
        held = b.sets[game, viewer]
        # The player who held the masks learns which it was from a private event.
        if viewer == event.player or not held.followed:
            continue
        table = b.probabilities[game, viewer]
        if held.count <= _FEW and 2 * held.count > room_of(held):
            move(held, heap, b.worlds, int(held.doublings) + 1)
        if held.count <= min(_FEW, heap.most // 2):
            _split_few(b.worlds[held.begin : held.begin + room_of(held)], held, event)
        elif _split_many(held, b, event, clock):
            tabulate(b.worlds[held.begin : held.begin + held.count], table, width, b.sums)
            continue
        # A fair coin makes both slots the average of what they were: no need to add up worlds.
        one = table[event.a * width : event.a * width + width]
        other = table[event.b * width : event.b * width + width]
        for mask in range(width):
            average = (one[mask] + other[mask]) * HALF
            one[mask] = average
            other[mask] = average


@inlined
def _swap_own(b: Beliefs, game: int, event: Event) -> None:
    """Move masks in all worlds of the player who knows of the swap."""
    held, width = b.sets[game, event.player], int(b.masks)
    if not held.followed:
        return
    table = b.probabilities[game, event.player]
    one = table[event.a * width : event.a * width + width]
    other = table[event.b * width : event.b * width + width]
    for at in range(held.begin, held.begin + held.count):
        b.worlds[at].key = swapped(b.worlds[at].key, event.a, event.b)
    for mask in range(width):
        probability = one[mask]
        one[mask] = other[mask]
        other[mask] = probability


@inlined
def _deal(b: Beliefs, game: int, event: Event) -> None:
    """Lay a mask face up in the one world of each viewer."""
    mask, width = int(b.column[event.value]), int(b.masks)
    for viewer in range(b.sets.shape[1]):
        held = b.sets[game, viewer]
        if event.a == 0:
            _start(held, b.heap[0], b.worlds)
        table = b.probabilities[game, viewer]
        table[event.a * width : event.a * width + width] = 0.0
        if held.followed:
            b.worlds[held.begin].key |= mask << (4 * int(event.a))
            table[event.a * width + mask] = 1.0


@compiled
def _start(held: Set, heap: Heap, worlds: WorldRows) -> None:
    """Begin with one world, empty yet, that is certain."""
    held.count = held.followed
    held.exact = held.followed
    shrink(held, heap, worlds)
    worlds[held.begin].key = 0
    worlds[held.begin].weight = 1.0


@inlined
def _see(b: Beliefs, game: int, event: Event, sight: Sight) -> None:
    """Keep the worlds that agree with masks seen, for all who see them."""
    viewers = b.sets.shape[1]
    for viewer in range(viewers):
        held = b.sets[game, viewer]
        # A viewer who is certain, and right, learns nothing from a mask.
        unsure = held.followed and (held.count > 1 or not held.exact)
        if unsure and _sees(event, viewer, viewers):
            before = held.count
            _keep(b.worlds[held.begin : held.begin + room_of(held)], held, sight)
            if held.count == before:
                continue
            if held.count == 0:
                _mend(held, b, before, sight)
            # Not at half: a set that splits and shrinks in turn would move each time.
            if 8 * held.count <= room_of(held):
                shrink(held, b.heap[0], b.worlds)
            mine = b.worlds[held.begin : held.begin + held.count]
            tabulate(mine, b.probabilities[game, viewer], int(b.masks), b.sums)


# Swaps by others


@inlined
def _level(mine: WorldRows, one: int, other: int) -> None:
    """Give each of two worlds half of the weight of both."""
    half = (mine[one].weight + mine[other].weight) * 0.5
    mine[one].weight = half
    mine[other].weight = half


@inlined
def _split_few(mine: WorldRows, held: Set, event: Event) -> None:
    """Split each world by a swap that was done or not, as by a fair coin."""
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


@inlined
def _split_many(held: Set, b: Beliefs, event: Event, clock: int) -> bool:
    """Do the same with a hash table; return whether the set had to be thinned."""
    heap, worlds, scratch = b.heap[0], b.worlds, b.scratch
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
    if count + alone > room_of(held):
        move(held, heap, worlds, int(held.doublings) + 1)
    mine = worlds[held.begin : held.begin + room_of(held)]
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
def _find_partners(mine: WorldRows, scratch: NDArray[np.int64], one: int, other: int) -> int:
    """Note where each world's other half is: itself, if the masks are equal; return how many miss.

    The table stands behind the partners, as large as needed each time, for clearing it costs most.
    """
    count = len(mine)
    length = table_length(count)
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
    """Return where a world belongs in a hash table; no product passes 2**63."""
    mixed = (int(key) & 0xFFFFFFF) * 0x2545F491 + (int(key) >> 28) * 0x5851F42D
    return ((mixed >> 20) ^ (mixed >> 41)) & (length - 1)


@compiled
def thin(mine: WorldRows, most: int, clock: int) -> int:
    """Thin to at most `most` worlds by systematic resampling; return how many are left.

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
def _keep(mine: WorldRows, held: Set, sight: Sight) -> None:
    """Keep the worlds that agree with masks seen."""
    left, total = 0, 0.0
    for at in range(held.count):
        key, weight = mine[at].key, mine[at].weight
        if key & sight.slots == sight.masks:
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


@inlined
def _mend(held: Set, b: Beliefs, count: int, sight: Sight) -> None:
    """Change worlds until they agree with masks seen, where thinning has lost all that do.

    In each of those there were, every mask seen goes to its slot, which is a seat, and what lay
    there to where it was: the nearest world that agrees. Seats are gone through clockwise from the
    first that was seen, so that it does not matter how they are numbered. Only a set that is not
    exact comes here.
    """
    players, scratch = b.sets.shape[1] - 1, b.scratch
    mine = b.worlds[held.begin : held.begin + count]
    length = table_length(count)
    for place in range(length):
        scratch[place] = _NONE
    left = 0
    for at in range(count):
        key, weight = int(mine[at].key), mine[at].weight
        for places in range(players):
            slot = (sight.first + places) % players
            if mask_in(sight.slots, slot) and mask_in(key, slot) != mask_in(sight.masks, slot):
                key = swapped(key, slot, _find_mask(key, slot, sight, players))
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
def _find_mask(key: int, slot: int, sight: Sight, players: int) -> int:
    """Return where the mask seen at a slot is in a world, leaving aside slots where it was seen."""
    mask = mask_in(sight.masks, slot)
    place, there = 0, slot
    while mask_in(key, there) != mask or (
        mask_in(sight.slots, there) and mask_in(sight.masks, there) == mask
    ):
        place += 1
        there = (slot + place) % int(players) if place < players else place
    return there


@inlined
def tabulate(mine: WorldRows, table: NDArray[Any], width: int, sums: NDArray[np.float64]) -> None:
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
