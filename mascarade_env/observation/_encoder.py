"""The encoder: it writes the observation of one player as a vector.

It reads the data of a follower, which contain only what events show. It never reads the row of the
game. _blocks.py declares the blocks.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import inlined, sealed
from mascarade_env.game._positions import NOBODY, Row
from mascarade_env.knowledge._follower import Followed
from mascarade_env.knowledge._windows import TOKEN, WINDOW, Ring
from mascarade_env.observation._blocks import MOST_COINS, TURN_HALF
from mascarade_env.observation._picture import TABLED, Layout, Vector, write_picture

# Divisors for the blocks "opening_left" and "goal": the values of the printed game.
_OPENING = 4.0
_GOAL = 13.0

# Loops run over slices from 0, so that the compiler sees that no index is negative. Otherwise it
# does not use vector instructions.


@sealed
def observe_games(
    f: Followed, layouts: NDArray[Any], players: NDArray[np.int64], out: NDArray[np.float32]
) -> None:
    """Write the observation of one player of each game; zeros if the player is NOBODY.

    Args:
        f: the knowledge of viewers of B games.
        layouts: [1] of LAYOUT.
        players: [B] the players.
        out: [B, D] the observations, written by this function.
    """
    for game in range(len(players)):
        encode(out[game], layouts[0], f, game, int(players[game]))


@inlined
def encode(line: Vector, layout: Layout, f: Followed, game: int, player: int) -> None:
    """Write the observation of a player of a game; zeros if the player is NOBODY."""
    if player == NOBODY:
        line[:] = 0.0
        return
    # All later numbers are written below, so they need not be cleared.
    line[: layout.sparse] = 0.0
    facts = f.facts[game]
    write_picture(line, layout, facts, int(facts.seat_of[player]))
    _write_table(line, layout, facts)
    if layout.own_belief >= 0:
        onlooker = int(facts.players)
        line[layout.exact] = f.beliefs.sets[game, player].exact
        line[layout.exact + 1] = f.beliefs.sets[game, onlooker].exact
        seat = int(facts.seat_of[player])
        own, public = f.beliefs.probabilities[game, player], f.beliefs.probabilities[game, onlooker]
        write_belief(line[layout.own_belief :], layout, facts, own, seat)
        write_belief(line[layout.onlooker_belief :], layout, facts, public, seat)
    if layout.window >= 0:
        _write_window(line[layout.window :], f.rings[game, player])


@inlined
def _write_table(line: Vector, layout: Layout, facts: Row) -> None:
    line[layout.phase + facts.phase] = 1.0
    if facts.announced != NOBODY:
        line[layout.announced + layout.column[facts.announced]] = 1.0
    _copy(line[layout.in_play :], layout.cards[: layout.masks])
    turn, tribunal = int(facts.turn), int(facts.tribunal)
    # A division takes as long as reading ten entries of a table.
    if tribunal < TABLED:
        line[layout.tribunal] = layout.tribunals[tribunal]
    else:
        line[layout.tribunal] = min(tribunal, MOST_COINS) / facts.goal_coins
    line[layout.turn] = layout.turns[turn] if turn < TABLED else turn / (turn + TURN_HALF)
    line[layout.opening_left] = max(0, facts.opening_turns - turn) / _OPENING
    if facts.turn_limit > turn:
        line[layout.limit_near] = 1.0 / (facts.turn_limit - turn)
    line[layout.goal] = facts.goal_coins / _GOAL


@inlined
def write_belief(line: Vector, layout: Layout, facts: Row, table: Vector, seat: int) -> None:
    """Write one belief at the beginning of `line`, with the slots in the order of a seat.

    Args:
        line: the part of the observation that begins with the block of this belief.
        layout: the layout of the observation.
        facts: the public facts about the game.
        table: [slots * masks] the probabilities, with slots by number.
        seat: the seat of the viewer.
    """
    players, slots, masks = int(facts.players), int(facts.slots), int(layout.masks)
    # Copy three ranges: the seats from this one on, the seats before it, the centre.
    _copy(line, table[seat * masks : players * masks])
    _copy(line[(players - seat) * masks :], table[: seat * masks])
    _copy(line[layout.seats * masks :], table[players * masks : slots * masks])


@inlined
def _copy(line: Vector, numbers: NDArray[Any]) -> None:
    for i in range(len(numbers)):
        line[i] = numbers[i]


@inlined
def _write_window(line: Vector, ring: Ring) -> None:
    """Write the window at the beginning of `line`: zeros, then the last events, oldest first."""
    held, end = len(TOKEN) * int(ring.held), len(TOKEN) * int(ring.end)
    room = len(TOKEN) * WINDOW
    line[: room - held] = 0.0
    if held > end:
        # The window begins near the end of the ring buffer, and continues at its start.
        _copy(line[room - held :], ring.token[room - held + end : room])
        _copy(line[room - end :], ring.token[:end])
    else:
        _copy(line[room - held :], ring.token[end - held : end])
