"""The events that players remember, as numbers: equal numbers mean the same information state.

Two kinds of numbers represent the events that a player has seen:

- The exact number is used only while `build` builds a tree. A hash map gives a number to each pair
  of a history so far and the next event.
- The key is a hash of the events. It needs no map, so an agent can find its information state in a
  saved policy. `build` checks that all keys of a tree differ.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled
from mascarade_env.game import _events as events
from mascarade_env.game._positions import Row, Rows

# Two polynomials over prime fields below 2**31, so that no product exceeds 2**62.
_PRIME_A, _PRIME_B = 2_147_483_647, 2_147_483_629
_BASE_A, _BASE_B = 1_331_541_281, 1_978_426_633


class PairNumbers(NamedTuple):
    """A hash map from pairs of numbers to numbers; half of its places stay empty."""

    before: NDArray[np.int64]
    then: NDArray[np.int64]
    number: NDArray[np.int64]  # 0 where the place is empty
    used: NDArray[np.int64]  # [2] the number of pairs, and the last number given


def new_pair_numbers(size: int, last: int) -> PairNumbers:
    """Return an empty map with room for `size` pairs. The first pair gets the number `last` + 1."""
    places = 1 << (2 * size - 1).bit_length()
    before, then, number = np.zeros((3, places), np.int64)
    return PairNumbers(before, then, number, np.array([0, last], np.int64))


@compiled
def _place(before: int, then: int, mask: int) -> int:
    mixed = (before % _PRIME_A) * _BASE_A + (then % _PRIME_B) * _BASE_B
    return (mixed ^ (mixed >> 23)) & mask


@compiled
def number_of(pairs: PairNumbers, before: int, then: int) -> int:
    """Return the number of a pair. A new pair gets a new number; the map must have room for it."""
    mask = len(pairs.number) - 1
    place = _place(before, then, mask)
    # Pairs are never deleted and half of the places are empty, so this search ends.
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
    """Return a copy of a map with twice the room."""
    larger = new_pair_numbers(len(pairs.number), 0)
    _copy(pairs, larger)
    larger.used[:] = pairs.used
    return larger


@compiled
def _copy(old: PairNumbers, new: PairNumbers) -> None:
    """Copy all pairs and their numbers into a larger map."""
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
    """Return an event as one number.

    Different events have different numbers, because places are below 127 and players below 15.
    """
    player_and_kind = (int(event.player) + 1) * 32 + int(event.kind)
    places = (int(event.a) + 1) * 128 + int(event.b) + 1
    return ((int(event.value) + 1) * 128 * 128 + places) * 512 + player_and_kind


@compiled
def extended(key: int, event: Row) -> int:
    """Return the key of a history to which one event is added."""
    number = packed(event)
    # Two independent halves: two different histories have equal keys with a probability of about
    # 2**-62.
    high = ((key >> 31) * _BASE_A + number % _PRIME_A + 1) % _PRIME_A
    low = ((key & 0x7FFFFFFF) * _BASE_B + number % _PRIME_B + 1) % _PRIME_B
    return (high << 31) | low


@compiled
def remembered(event: Row, player: int) -> bool:
    """Return whether an event is part of a player's history.

    ASK events are not part of it, because the other events already determine the acting player.
    """
    return bool((event.seen_by >> player) & 1) and event.kind != events.ASK


@compiled
def key_of(events_seen: Rows, player: int) -> int:
    """Return the key of the events that a player has seen; they are an array of EVENT."""
    key = player + 1
    for k in range(len(events_seen)):
        if remembered(events_seen[k], player):
            key = extended(key, events_seen[k])
    return key
