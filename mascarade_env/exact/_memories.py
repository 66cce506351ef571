"""What players remember, as numbers: two nodes are one information state if these are equal.

Two numbers represent the events that a player has seen. One is exact but means something while a
tree is built alone: each event is numbered together with the number of all that was seen before
it. The other, the key, is made of the events alone, so that an agent finds its information state
again; `build` checks that no two of a tree are equal.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled
from mascarade_env.game import _events as events
from mascarade_env.game._positions import Row, Rows

# Two polynomials over prime fields below 2**31, so that no product passes 2**62.
_PRIME_A, _PRIME_B = 2_147_483_647, 2_147_483_629
_BASE_A, _BASE_B = 1_331_541_281, 1_978_426_633


class PairNumbers(NamedTuple):
    """A number for each pair of numbers: a hash map of which half stays empty."""

    before: NDArray[np.int64]
    then: NDArray[np.int64]
    number: NDArray[np.int64]  # 0 where the place is empty
    used: NDArray[np.int64]  # [2] how many pairs there are, and the last number given


def new_pair_numbers(size: int, last: int) -> PairNumbers:
    """Return room for `size` pairs, numbered from `last` + 1."""
    places = 1 << (2 * size - 1).bit_length()
    before, then, number = np.zeros((3, places), np.int64)
    return PairNumbers(before, then, number, np.array([0, last], np.int64))


@compiled
def _place(before: int, then: int, mask: int) -> int:
    mixed = (before % _PRIME_A) * _BASE_A + (then % _PRIME_B) * _BASE_B
    return (mixed ^ (mixed >> 23)) & mask


@compiled
def number_of(pairs: PairNumbers, before: int, then: int) -> int:
    """Return the number of a pair, a new one if it has none; there must be room."""
    mask = len(pairs.number) - 1
    place = _place(before, then, mask)
    # Nothing is ever deleted and half of the places are empty, so this search ends.
    while pairs.number[place]:
        if pairs.before[place] == before and pairs.then[place] == then:
            return int(pairs.number[place])
        place = (place + 1) & mask
    pairs.used[0] += 1
    pairs.used[1] += 1
    pairs.before[place] = before
    pairs.then[place] = then
    pairs.number[place] = pairs.used[1]
    return int(pairs.number[place])


def grow(pairs: PairNumbers) -> PairNumbers:
    """Return a copy with twice the room."""
    larger = new_pair_numbers(len(pairs.number), 0)
    _copy(pairs, larger)
    larger.used[:] = pairs.used
    return larger


@compiled
def _copy(old: PairNumbers, new: PairNumbers) -> None:
    """Copy all pairs with their numbers."""
    mask = len(new.number) - 1
    for i in range(len(old.number)):
        if old.number[i]:
            place = _place(old.before[i], old.then[i], mask)
            while new.number[place]:
                place = (place + 1) & mask
            new.before[place] = old.before[i]
            new.then[place] = old.then[i]
            new.number[place] = old.number[i]


@compiled
def packed(event: Row) -> int:
    """An event as one number, another for each event: places are below 127, players below 15."""
    player_and_kind = (int(event.player) + 1) * 32 + int(event.kind)
    places = (int(event.a) + 1) * 128 + int(event.b) + 1
    return ((int(event.value) + 1) * 128 * 128 + places) * 512 + player_and_kind


@compiled
def extended(key: int, event: Row) -> int:
    """Return the key of what was seen when an event comes after it."""
    number = packed(event)
    # Two independent halves: two different histories of equal keys are then as unlikely as if keys
    # of 62 bits were drawn.
    high = ((key >> 31) * _BASE_A + number % _PRIME_A + 1) % _PRIME_A
    low = ((key & 0x7FFFFFFF) * _BASE_B + number % _PRIME_B + 1) % _PRIME_B
    return (high << 31) | low


@compiled
def remembered(event: Row, player: int) -> bool:
    """Return whether a player keeps an event in mind: who decides next follows from the rest."""
    return bool((event.seen_by >> player) & 1) and event.kind != events.ASK


@compiled
def key_of(events_seen: Rows, player: int) -> int:
    """Return the key of all that a player has seen, an array of EVENT."""
    key = player + 1
    for k in range(len(events_seen)):
        if remembered(events_seen[k], player):
            key = extended(key, events_seen[k])
    return key
