"""The block "slots" of an observation: the public facts about each slot.

Slots are in the viewer's order: the viewer's seat first, then the other seats clockwise, then the
centre. The functions read public facts, and never the row of the game.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled, inlined
from mascarade_env.game._positions import NOBODY, TABLE, Row
from mascarade_env.knowledge._facts import TALLIES, tally_at
from mascarade_env.observation._blocks import (
    AGE_HALF,
    AGE_STEPS,
    ANSWER,
    BARRED,
    CHOSEN,
    COINS,
    DECIDES,
    MARKER,
    MOST_COINS,
    OCCUPIED,
    REVEALED_AGO,
    SAID,
    SAID_AGO,
    SAID_OUTCOME,
    SURE,
    TALLY_HALF,
    TOUCHED_AGO,
    UNDER_TABLE,
    UNPROVEN,
    USES_POWER,
)

Vector: TypeAlias = NDArray[np.float32]
# One element of an array of LAYOUT; NumPy has no static type for it.
Layout: TypeAlias = Any

# Most ages and tallies are small. For these a table replaces the division, which is slower.
TABLED = 256


def table_of(half: int) -> NDArray[np.float32]:
    """Return t / (t + half) for t < TABLED, rounded down to multiples of 1 / AGE_STEPS."""
    t = np.arange(TABLED)
    return (t * AGE_STEPS // (t + half)).astype(np.float32) * np.float32(1 / AGE_STEPS)


@compiled
def place_of(facts: Row, slot: int, seat: int) -> int:
    """Return the number of places clockwise from `seat` to `slot`, which must be a seat too."""
    return slot - seat if slot >= seat else slot - seat + int(facts.players)


@inlined
def write_picture(line: Vector, layout: Layout, facts: Row, seat: int) -> None:
    """Write the block "slots". Before the call it must contain zeros.

    Args:
        line: the observation.
        layout: the layout of the observation.
        facts: the public facts about the game.
        seat: the seat of the viewer.
    """
    players, width, begin = int(facts.players), int(layout.columns), int(layout.slots)
    # Read values for all slots only once. In the loop the compiler would read them again after each
    # number it writes, because it cannot know that the observation is not a part of the facts.
    turn, coin = int(facts.turn), layout.coin
    for place in range(players):
        there = seat + place if seat + place < players else seat + place - players
        part = line[begin + place * width : begin + (place + 1) * width]
        part[OCCUPIED] = 1.0
        part[COINS] = np.float32(min(int(facts.coins[there]), MOST_COINS)) * coin
        part[REVEALED_AGO] = _age(layout, turn - int(facts.revealed_on[there]))
        part[TOUCHED_AGO] = _age(layout, turn - int(facts.touched_on[there]))
        _write_words(part, layout, facts, int(facts.player_at[there]))
    for slot in range(players, facts.slots):
        place = int(layout.seats) + slot - players
        part = line[begin + place * width : begin + (place + 1) * width]
        part[REVEALED_AGO] = _age(layout, turn - int(facts.revealed_on[slot]))
        part[TOUCHED_AGO] = _age(layout, turn - int(facts.touched_on[slot]))
    _write_turn(line[begin:], layout, facts, seat)


@inlined
def _write_turn(line: Vector, layout: Layout, facts: Row, seat: int) -> None:
    """Write facts about this turn: acting player, targets, power, barred players, masks taken."""
    players, width = int(facts.players), int(layout.columns)
    if facts.chosen | facts.users | facts.barred_on_turn:
        for place in range(players):
            there = seat + place if seat + place < players else seat + place - players
            line[place * width + CHOSEN] = facts.chosen >> there & 1
            line[place * width + USES_POWER] = facts.users >> there & 1
            line[place * width + BARRED] = facts.barred_on_turn >> int(facts.player_at[there]) & 1
    if facts.actor != NOBODY:
        line[place_of(facts, int(facts.actor), seat) * width + DECIDES] = 1.0
    line[place_of(facts, int(facts.marker), seat) * width + MARKER] = 1.0
    if facts.phase == TABLE:
        for k in range(2):
            slot = int(facts.table[k])
            place = int(layout.seats) + slot - players
            if slot < players:
                place = place_of(facts, slot, seat)
            line[place * width + UNDER_TABLE] = 1.0


@compiled
def _age(layout: Layout, turns: int) -> float:
    """Return t / (t + AGE_HALF), rounded down to a multiple of 1 / AGE_STEPS."""
    if turns < TABLED:
        return layout.ages[turns]
    return np.float32(turns * AGE_STEPS // (turns + AGE_HALF)) * layout.step


@compiled
def _tally(layout: Layout, times: int) -> float:
    """Return t / (t + TALLY_HALF), rounded down to a multiple of 1 / AGE_STEPS."""
    if times < TABLED:
        return layout.tallies[times]
    return np.float32(times * AGE_STEPS // (times + TALLY_HALF)) * layout.step


@inlined
def _write_words(part: Vector, layout: Layout, facts: Row, player: int) -> None:
    """Write facts about a player: announcements, answers, and whether they must know their mask."""
    part[SURE] = facts.sure >> player & 1
    answer = int(facts.answer[player])
    if answer:
        part[ANSWER + answer - 1] = 1.0
    first = tally_at(player, 0)
    counts = facts.tail[first : first + len(TALLIES)]
    for tally in range(len(TALLIES)):
        part[UNPROVEN + tally] = _tally(layout, int(counts[tally]))
    if facts.said_on[player]:
        part[SAID_AGO] = _age(layout, int(facts.turn) + 1 - int(facts.said_on[player]))
        part[SAID_OUTCOME + int(facts.outcome[player]) - 1] = 1.0
        part[SAID + int(layout.column[facts.said[player]])] = 1.0
