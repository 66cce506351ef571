"""Line-ups: lists of the agents that play each player of a game.

Each line-up of n players plays one deal n times, and moves by one seat from game to game. So an
agent gains nothing from its seats, and little from the masks that are dealt to it. In games of one
agent against copies of another, all pairs of agents play the same deals. At mixed tables all agents
play the same deals if there are enough seats. If there are more agents than seats, some agents do
not play each deal.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def mixed(agents: int, players: int, deals: int, rng: np.random.Generator) -> NDArray[np.int16]:
    """Return line-ups of mixed tables, by deal, rotation and player: [deals, players, players].

    With more agents than players, each deal has a random choice of different agents. With fewer,
    some agents get one seat more than the others. Over all deals, these extra seats are shared
    equally among the agents, as far as their number allows.
    """
    every, more = divmod(players, agents)
    extra = np.zeros(agents, np.int64)  # extra seats of each agent so far
    lineups = np.empty((deals, players), np.int16)
    for deal in range(deals):
        order = np.lexsort((rng.random(agents), extra))  # agents with the fewest extra seats first
        extra[order[:more]] += 1
        seated = np.concatenate([np.repeat(np.arange(agents), every), order[:more]])
        lineups[deal] = rng.permutation(seated)
    return _rotated(lineups)


def one_against_many(
    pairs: Sequence[tuple[int, int]], players: int, deals: int
) -> NDArray[np.int16]:
    """Return line-ups of one agent against copies of another: [deals, pairs, players, players].

    The last two axes are the rotation and the player.

    Args:
        pairs: for each pair, the agent with one seat, and the agent with all other seats.
        players: number of players of a game.
        deals: number of deals. In every pair, the first agent plays each deal from every seat.
    """
    lineups = np.array([[one] + [many] * (players - 1) for one, many in pairs], np.int16)
    return np.tile(_rotated(lineups), (deals, 1, 1, 1))


def _rotated(lineups: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return each line-up in all its rotations, [..., players, players]."""
    players = lineups.shape[-1]
    return np.stack([np.roll(lineups, places, axis=-1) for places in range(players)], axis=-2)
