"""Exact neutral beliefs (rules 8): the probability of every placement of the masks for each viewer.

A viewer's belief is a set of worlds (see _world_memory.py). Events change it:

- The deal is public, so the belief begins with one world.
- When another player puts two masks back, each world splits into two worlds of half its weight. In
  one of them the masks are swapped. Equal worlds are merged.
- The viewer's own swap moves the masks in every world.
- A mask that the viewer sees removes the worlds that disagree with it.

Viewers are the players and, after them, the onlooker. The belief of a viewer is computed only from
the events that this viewer sees.

Weights are halved, added and multiplied by powers of two, and not changed in any other way. So they
are correct to double precision, and in most cases exact. They do not sum to 1: divide them by their
sum. A set that would have more worlds than allowed is thinned by systematic resampling. It is then
not `exact` until the next deal.
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

_FEW = 24  # up to this number of worlds, a linear search is faster than a hash table
_NONE = -1
_UNKNOWN = -2
_TINY = 1e-290  # halves of smaller numbers are not exact
HALF = np.float32(0.5)

_INFORMATIVE = events.SIGHTS | 1 << events.DEAL | 1 << events.RETURN | 1 << events.SWAP


class Sight(NamedTuple):
    """Masks seen at the same moment, as bits of a key of a world."""

    slots: int  # four set bits for each slot seen
    masks: int  # the columns of the masks at these slots
    first: int  # the first slot seen


@compiled
def tells_of_masks(log: Log) -> bool:
    """Return whether a step has an event that changes a belief."""
    for k in range(log.count):
        if _INFORMATIVE >> int(log.event[k].kind) & 1:
            return True
    return False


@compiled
def mask_in(key: int, slot: int) -> int:
    """Return the column of the mask at a slot in a world."""
    return (int(key) >> (4 * int(slot))) & 15


@compiled
def swapped(key: int, one: int, other: int) -> int:
    """Return the key of a world after a swap of the masks of two slots."""
    difference = mask_in(key, one) ^ mask_in(key, other)
    return int(key) ^ (difference << (4 * int(one))) ^ (difference << (4 * int(other)))


@compiled
def _sees(event: Event, viewer: int, viewers: int) -> bool:
    """Return whether a viewer sees an event; the last viewer is the onlooker."""
    return event.seen_by & (bit(ONLOOKER) if viewer == viewers - 1 else bit(viewer)) != 0


@inlined
def believe(b: Beliefs, game: int, log: Log, facts: Row) -> None:
    """Update the beliefs about a game by the events of a step.

    A viewer's belief depends only on the events that this viewer sees and on the number of public
    events. Before the call there must be room for the number of worlds that `need_before_return`
    returns.

    Args:
        b: the beliefs.
        game: the index of the game.
        log: the events.
        facts: the public facts after the step.
    """
    k = 0
    # Masks shown together are one sight. One after the other, they could remove all worlds of a
    # thinned set.
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
    """Return whether two successive events both show masks, to the same viewers."""
    return (events.SIGHTS >> int(other.kind)) & 1 == 1 and other.seen_by == event.seen_by


@inlined
def _split_all(b: Beliefs, game: int, event: Event, clock: int) -> None:
    """Split the worlds of all viewers but the player who put the masks back."""
    heap, width = b.heap[0], int(b.masks)
    for viewer in range(b.sets.shape[1]):
        held = b.sets[game, viewer]
        # A private event shows the player who held the masks whether they were swapped.
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
        # If a fair coin decides the swap, both slots get the average of their probabilities. So no
        # sum over worlds is needed.
        one = table[event.a * width : event.a * width + width]
        other = table[event.b * width : event.b * width + width]
        for mask in range(width):
            average = (one[mask] + other[mask]) * HALF
            one[mask] = average
            other[mask] = average


@inlined
def _swap_own(b: Beliefs, game: int, event: Event) -> None:
    """Swap two masks in all worlds of the player who swapped them."""
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
    """Add a dealt mask to the one world of each viewer."""
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
    """Begin with one world, which has no masks yet."""
    held.count = held.followed
    held.exact = held.followed
    shrink(held, heap, worlds)
    worlds[held.begin].key = 0
    worlds[held.begin].weight = 1.0


@inlined
def _see(b: Beliefs, game: int, event: Event, sight: Sight) -> None:
    """Keep the worlds that agree with a sight, for all viewers who see it."""
    viewers = b.sets.shape[1]
    for viewer in range(viewers):
        held = b.sets[game, viewer]
        # A single exact world is the truth, so a sight cannot change it.
        unsure = held.followed and (held.count > 1 or not held.exact)
        if unsure and _sees(event, viewer, viewers):
            before = held.count
            _keep(b.worlds[held.begin : held.begin + room_of(held)], held, sight)
            if held.count == before:
                continue
            if held.count == 0:
                _mend(held, b, before, sight)
            # Move only if at most an eighth is used: otherwise a set that splits and shrinks by
            # turns would move each time.
            if 8 * held.count <= room_of(held):
                shrink(held, b.heap[0], b.worlds)
            mine = b.worlds[held.begin : held.begin + held.count]
            tabulate(mine, b.probabilities[game, viewer], int(b.masks), b.sums)


# Swaps by others


@inlined
def _level(mine: WorldRows, one: int, other: int) -> None:
    """Give each of two worlds half of the sum of their weights."""
    half = (mine[one].weight + mine[other].weight) * 0.5
    mine[one].weight = half
    mine[other].weight = half


@inlined
def _split_few(mine: WorldRows, held: Set, event: Event) -> None:
    """Split each world by a swap of probability 1/2. A linear search finds equal worlds."""
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
    """Split worlds like `_split_few`, but with a hash table; return whether the set was thinned."""
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
    """Write the index of each world's partner; return the number of worlds without a partner.

    The partner of a world is the world with the two masks swapped. If the masks are equal, it is
    the world itself. In `scratch` the partners come first, then the hash table. The table is as
    small as possible, because clearing it takes most of the time.
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
    """Return the first place for a key in a hash table; no product exceeds 2**63."""
    mixed = (int(key) & 0xFFFFFFF) * 0x2545F491 + (int(key) >> 28) * 0x5851F42D
    return ((mixed >> 20) ^ (mixed >> 41)) & (length - 1)


@compiled
def thin(mine: WorldRows, most: int, clock: int) -> int:
    """Thin a set to `most` worlds or fewer by systematic resampling; return the number kept.

    The only random number is a hash of the clock, so it depends only on public facts.
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
    """Keep the worlds that agree with a sight."""
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
        # The sight was nearly impossible: the remaining weights are too small to be accurate.
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
    """Change the worlds of a thinned set to agree with a sight, if none of them does.

    In each of the `count` worlds before the sight, each seen mask changes places with the mask at
    the slot where it was seen. This gives the nearest world that agrees. Slots of sights are seats;
    they are processed clockwise from the first one, so that the result does not depend on their
    numbers.
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
    """Return where a world has the mask that was seen at `slot`.

    Slots at which the sight shows the same mask are skipped.
    """
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
    """Write the probability of each mask at each slot, `width` masks for each slot.

    If a slot has the same mask in all worlds, no sum is computed. A sum is slow, because each
    addition waits for the addition before it.
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
