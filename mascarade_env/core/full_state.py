"""The full state: the truth, and what everybody believes. For critics and debugging only.

It stands apart from observe.py so that nothing that makes observations is given the row of a game.
"""

import numpy as np
from numpy.typing import NDArray

from mascarade_env.core._jit import inlined
from mascarade_env.core.knowledge import Sets
from mascarade_env.core.notes import Layout, Notes
from mascarade_env.core.observe import Vector, observe, write_belief
from mascarade_env.core.state import Row, left_of


@inlined
def reveal_all(
    line: Vector,
    notes: Notes,
    player: int,
    layout: Layout,
    sets: Sets,
    chances: NDArray[np.float32],
    game: int,
    g: Row,
) -> None:
    """Write the full state as listed from a player's seat."""
    observe(line, notes, player, layout)
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
