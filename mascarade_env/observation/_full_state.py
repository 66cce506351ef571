"""The full state: the truth, and what everybody believes. For critics and debugging only.

It stands apart from observe.py so that nothing that makes observations is given the row of a game.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled, inlined
from mascarade_env.game._positions import NOBODY, Row, Rows, left_of
from mascarade_env.knowledge._beliefs import Sets
from mascarade_env.knowledge._facts import Layout, Notes
from mascarade_env.observation._encoder import Vector, observe, observe_beliefs, write_belief


@inlined
def _reveal_all(
    line: Vector,
    notes: Notes,
    player: int,
    layout: Layout,
    sets: Sets,
    chances: NDArray[np.float32],
    game: int,
    g: Row,
) -> None:
    """Write the beliefs and the truth, as listed from a player's seat, where there are zeros."""
    seat = int(notes.seat_of[player])
    size = layout.slots_wide * layout.masks
    write_belief(line, layout.onlooker_belief, notes, seat, layout, chances, game, notes.players)
    for place in range(notes.players):
        viewer = int(notes.player_at[left_of(notes, seat, place)])
        line[layout.all_exact + place] = sets[game, viewer].exact
        write_belief(
            line, layout.beliefs + size * place, notes, seat, layout, chances, game, viewer
        )
    for place in range(notes.slots):
        slot = left_of(notes, seat, place) if place < notes.players else place
        wide = place if place < notes.players else place - notes.players + layout.seats
        line[layout.truth + wide * layout.masks + layout.column[g.mask_at[slot]]] = 1.0


@compiled
def view(
    rows: Rows,
    notes: Rows,
    sets: Sets,
    chances: NDArray[np.float32],
    layouts: NDArray[Any],
    players: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    """Write for each game what a player may know, or by a layout of the full state all there is.

    For nobody it writes zeros.
    """
    layout = layouts[0]
    for i in range(len(players)):
        line = out[i]
        if players[i] == NOBODY:
            line[:] = 0.0
            continue
        observe(line, notes[i], players[i], layout)
        if layout.own_belief >= 0:
            observe_beliefs(line, notes[i], players[i], layout, sets, chances, i)
        if layout.truth >= 0:
            _reveal_all(line, notes[i], players[i], layout, sets, chances, i, rows[i])
