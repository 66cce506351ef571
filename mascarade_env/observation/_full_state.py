"""The full state: all masks and all beliefs as a vector. For critics and debugging only.

This is the only file of the package that reads the row of a game. The files that make observations
cannot import it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import inlined, sealed
from mascarade_env.game._positions import NOBODY, Row, Rows, left_of
from mascarade_env.knowledge._follower import Followed
from mascarade_env.observation._encoder import encode, write_belief
from mascarade_env.observation._picture import Layout, Vector


@sealed
def reveal_games(
    rows: Rows,
    f: Followed,
    layouts: NDArray[Any],
    players: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    """Write the full state of each game, with slots counted from one player's seat.

    Args:
        rows: [B] of GAME.
        f: the knowledge of viewers of B games.
        layouts: [1] of LAYOUT, for the track "full".
        players: [B] the player whose seat is the first slot; NOBODY gives zeros.
        out: [B, F] the full states, written by this function.
    """
    for game in range(len(players)):
        player = int(players[game])
        # The encoder writes zeros for the masks and for the beliefs of all players.
        encode(out[game], layouts[0], f, game, player)
        if player != NOBODY:
            _write_beliefs(out[game], layouts[0], f, game, player)
            _write_truth(out[game], layouts[0], f.facts[game], rows[game], player)


@inlined
def _write_beliefs(line: Vector, layout: Layout, f: Followed, game: int, player: int) -> None:
    facts, probabilities = f.facts[game], f.beliefs.probabilities
    seat = int(facts.seat_of[player])
    onlooker = int(facts.players)
    # Padding has room for twelve players; the numbers of players that do not exist stay 0.
    size = layout.slots_wide * layout.masks
    write_belief(line[layout.onlooker_belief :], layout, facts, probabilities[game, onlooker], seat)
    for place in range(facts.players):
        viewer = int(facts.player_at[left_of(facts, seat, place)])
        line[layout.all_exact + place] = f.beliefs.sets[game, viewer].exact
        part = line[layout.beliefs + size * place :]
        write_belief(part, layout, facts, probabilities[game, viewer], seat)


@inlined
def _write_truth(line: Vector, layout: Layout, facts: Row, g: Row, player: int) -> None:
    seat = int(facts.seat_of[player])
    for place in range(facts.slots):
        slot = left_of(facts, seat, place) if place < facts.players else place
        wide = place if place < facts.players else place - facts.players + layout.seats
        line[layout.truth + wide * layout.masks + layout.column[g.mask_at[slot]]] = 1.0
