"""Line-ups: the agent that plays each player, with each deal played from every seat.

Each line-up of n players plays one deal n times, and moves by one seat from game to game. So no
agent gains by its seats, and little by its cards. In one against many, all pairs play the same
deals. At mixed tables all agents play the same deals if there are enough seats; if not, some agents
sit out each deal.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def mixed(agents: int, players: int, deals: int, rng: np.random.Generator) -> NDArray[np.int16]:
    """Return [deals, players, players] the agent of each player, by deal and rotation.

    With more agents than players, each deal has a random choice of different agents. With fewer,
    the numbers of seats of two agents differ by one at most. Over all deals, these extra seats
    are shared equally among the agents, as far as their number allows.
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
    """Return [deals, pairs, players, players] the agent of each player in one against many.

    Args:
        pairs: the agent that is alone, and the agent of the copies.
        players: number of players of a game.
        deals: number of deals; each pair plays each one from every seat.
    """
    lineups = np.array([[one] + [many] * (players - 1) for one, many in pairs], np.int16)
    return np.tile(_rotated(lineups), (deals, 1, 1, 1))


def _rotated(lineups: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return [..., players, players] each line-up in all its rotations."""
    players = lineups.shape[-1]
    return np.stack([np.roll(lineups, places, axis=-1) for places in range(players)], axis=-2)
