"""What players remember, as numbers: two nodes are one information state if these are equal.

Two numbers stand for the events that a player has seen. One is exact but means something while a
tree is built alone: events are put in a table, each under the number of all that was seen before
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


class Table(NamedTuple):
    """A hash table from pairs of numbers to numbers; half of it stays empty."""

    before: NDArray[np.int64]
    then: NDArray[np.int64]
    number: NDArray[np.int64]  # 0 where the place is empty
    used: NDArray[np.int64]  # [2] pairs in the table, and the last number given


def new_table(size: int, last: int) -> Table:
    """An empty table for so many pairs, whose numbers go on from the last one given."""
    places = 1 << (2 * size - 1).bit_length()
    before, then, number = np.zeros((3, places), np.int64)
    return Table(before, then, number, np.array([0, last], np.int64))


@compiled
def _place(before: int, then: int, mask: int) -> int:
    mixed = (before % _PRIME_A) * _BASE_A + (then % _PRIME_B) * _BASE_B
    return (mixed ^ (mixed >> 23)) & mask


@compiled
def number_of(table: Table, before: int, then: int) -> int:
    """The number of a pair, a new one if it was not there; there must be room."""
    mask = len(table.number) - 1
    place = _place(before, then, mask)
    while table.number[place]:
        if table.before[place] == before and table.then[place] == then:
            return int(table.number[place])
        place = (place + 1) & mask
    table.used[0] += 1
    table.used[1] += 1
    table.before[place] = before
    table.then[place] = then
    table.number[place] = table.used[1]
    return int(table.number[place])


def grow(table: Table) -> Table:
    """A table of twice the size with the same in it."""
    larger = new_table(len(table.number), 0)
    _copy(table, larger)
    larger.used[:] = table.used
    return larger


@compiled
def _copy(old: Table, new: Table) -> None:
    """Put all that is in one table into another, under the same numbers."""
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
    who = (int(event.player) + 1) * 32 + int(event.kind)
    where = (int(event.a) + 1) * 128 + int(event.b) + 1
    return ((int(event.value) + 1) * 128 * 128 + where) * 512 + who


@compiled
def extended(key: int, event: Row) -> int:
    """The key of what was seen when an event comes after it."""
    number = packed(event)
    high = ((key >> 31) * _BASE_A + number % _PRIME_A + 1) % _PRIME_A
    low = ((key & 0x7FFFFFFF) * _BASE_B + number % _PRIME_B + 1) % _PRIME_B
    return (high << 31) | low


@compiled
def remembered(event: Row, player: int) -> bool:
    """Whether a player keeps an event in mind: who decides next follows from the rest."""
    return bool((event.seen_by >> player) & 1) and event.kind != events.ASK


@compiled
def key_of(told: Rows, player: int) -> int:
    """The key of all that a player has seen, an array of EVENT."""
    key = player + 1
    for k in range(len(told)):
        if remembered(told[k], player):
            key = extended(key, told[k])
    return key
