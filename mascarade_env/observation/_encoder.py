"""The encoder: what one player may know of a position, as one vector.

It is given notes and beliefs, which are made from events, and never the row of the game. The
blocks it writes are declared in blocks.py.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled, inlined
from mascarade_env.game._positions import NOBODY
from mascarade_env.knowledge._beliefs import Sets
from mascarade_env.knowledge._facts import Layout, Notes
from mascarade_env.observation._blocks import MOST_COINS, TURN_HALF, WINDOW

Vector: TypeAlias = NDArray[np.float32]

# Of the printed game.
_OPENING = 4.0
_GOAL = 13.0

# Loops go over slices and begin at 0, so that the compiler sees that no index is negative: only
# then it converts many numbers at once.


@inlined
def observe(line: Vector, notes: Notes, player: int, layout: Layout) -> None:
    """Write all blocks but beliefs, zeros elsewhere."""
    line[:] = 0.0
    _write_slots(line, notes, int(notes.seat_of[player]), layout)
    _write_table(line, notes, layout)
    if layout.window >= 0:
        begin = max(0, int(notes.end[player]) - WINDOW)
        held = int(notes.end[player]) - begin
        tokens = notes.window[player][begin : begin + held]
        start = layout.window + 4 * (WINDOW - held)
        part = line[start : start + 4 * held]
        for k in range(held):
            for number in range(4):
                part[4 * k + number] = tokens[k, number]


@compiled
def _stretch(notes: Notes, seat: int, layout: Layout, k: int) -> tuple[int, int, int]:
    """Slots that stay together when they are listed from a seat: the first, the end, their place.

    They are the seats from that one to the last, the seats before it, and the centre.
    """
    players = int(notes.players)
    if k == 0:
        return seat, players, 0
    if k == 1:
        return 0, seat, players - seat
    return players, int(notes.slots), int(layout.seats)


@inlined
def _write_slots(line: Vector, notes: Notes, seat: int, layout: Layout) -> None:
    """The picture, scaled, with slots listed from the viewer's seat."""
    for k in range(3):
        first, last, place = _stretch(notes, seat, layout, k)
        count = (last - first) * layout.columns
        source = first * layout.columns
        target = layout.slots + place * layout.columns
        numbers = notes.picture[source : source + count]
        scale = layout.scale[:count]
        part = line[target : target + count]
        for i in range(count):
            part[i] = numbers[i] * scale[i]


@inlined
def _write_table(line: Vector, notes: Notes, layout: Layout) -> None:
    line[layout.phase + notes.phase] = 1.0
    if notes.announced != NOBODY:
        line[layout.announced + layout.column[notes.announced]] = 1.0
    for i in range(notes.kinds):
        mask = int(notes.kind[i])
        line[layout.in_play + layout.column[mask]] = layout.cards[mask] * 0.5
    turn = int(notes.turn)
    line[layout.tribunal] = min(int(notes.tribunal), MOST_COINS) / notes.goal_coins
    line[layout.turn] = turn / (turn + TURN_HALF)
    line[layout.opening_left] = max(0, notes.opening_turns - turn) / _OPENING
    if notes.turn_limit > turn:
        line[layout.limit_near] = 1.0 / (notes.turn_limit - turn)
    line[layout.goal] = notes.goal_coins / _GOAL


@inlined
def observe_beliefs(
    line: Vector,
    notes: Notes,
    player: int,
    layout: Layout,
    sets: Sets,
    chances: NDArray[np.float32],
    game: int,
) -> None:
    """Write the player's and the onlooker's belief where there are zeros."""
    onlooker = sets.shape[1] - 1
    seat = int(notes.seat_of[player])
    for k in range(2):
        viewer = player if k == 0 else onlooker
        begin = layout.own_belief if k == 0 else layout.onlooker_belief
        line[layout.exact + k] = sets[game, viewer].exact
        write_belief(line, begin, notes, seat, layout, chances, game, viewer)


@inlined
def write_belief(
    line: Vector,
    begin: int,
    notes: Notes,
    seat: int,
    layout: Layout,
    chances: NDArray[np.float32],
    game: int,
    viewer: int,
) -> None:
    """Write one belief, with slots listed from a seat."""
    table = chances[game, viewer]
    for k in range(3):
        first, last, place = _stretch(notes, seat, layout, k)
        count = (last - first) * layout.masks
        source = first * layout.masks
        target = begin + place * layout.masks
        numbers = table[source : source + count]
        part = line[target : target + count]
        for i in range(count):
            part[i] = numbers[i]
