"""Who sits where: line-ups that play each deal from every seat.

Each line-up plays one deal as many times as there are players; from game to game everybody moves
on by one place. So no agent owes anything to its seats, and little to its cards. Where one sits
against many, all pairs meet the same deals. At mixed tables all agents do so too if they all have a
seat; of more agents than seats, some sit out each deal.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def mixed(agents: int, players: int, deals: int, chance: np.random.Generator) -> NDArray[np.int16]:
    """Return [deals, players, players] the agent that plays each player, by deal and rotation.

    With more agents than players, different ones are drawn for each deal; with fewer, each fills as
    many places as any other, or one more. All agents come as often, or once more, in the whole.
    """
    every, more = divmod(players, agents)
    extra = np.zeros(agents, np.int64)  # how often each has been drawn
    found = np.empty((deals, players), np.int16)
    for deal in range(deals):
        order = np.lexsort((chance.random(agents), extra))  # the least drawn first
        extra[order[:more]] += 1
        seated = np.concatenate([np.repeat(np.arange(agents), every), order[:more]])
        found[deal] = chance.permutation(seated)
    return _rotated(found)


def one_against_many(
    pairs: Sequence[tuple[int, int]], players: int, deals: int
) -> NDArray[np.int16]:
    """Return [deals, pairs, players, players] the same, one agent among copies of another.

    Args:
        pairs: the agent that is alone, and the one of the copies.
        players: of a game.
        deals: how many are played, each by all pairs from all seats.
    """
    found = np.array([[one] + [many] * (players - 1) for one, many in pairs], np.int16)
    return np.tile(_rotated(found), (deals, 1, 1, 1))


def _rotated(lineups: NDArray[np.int16]) -> NDArray[np.int16]:
    """[..., players, players] every line-up, and the same moved on by one place and so on."""
    players = lineups.shape[-1]
    return np.stack([np.roll(lineups, places, axis=-1) for places in range(players)], axis=-2)
