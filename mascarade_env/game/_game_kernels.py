"""The compiled functions of `Game`: deal, take decisions, replay them.

They take arrays of one GAME, one LOG and one LEGAL. All but `reseed` leave the legal actions in the
last array.
"""

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled
from mascarade_env.game import _actions as actions
from mascarade_env.game import _rng as rng
from mascarade_env.game import _rules as rules
from mascarade_env.game._positions import RUNNING, Rows


@compiled
def begin(rows: Rows, logs: Rows, legals: Rows, seed: int, dealt: bool) -> None:
    """Start a game: with the masks in its row if it is `dealt`, else with a random deal."""
    g = rows[0]
    rng.seed_row(g, seed)
    if dealt:
        rules.start(g, logs[0])
    else:
        rules.deal(g, logs[0])
    actions.find_legal(g, legals[0])


@compiled
def play(rows: Rows, logs: Rows, legals: Rows, action: int) -> bool:
    """Take one decision if `legals` contains it; return whether it was taken."""
    g = rows[0]
    legal = legals[0]
    for i in range(legal.count):
        if legal.id[i] == action:
            rules.apply(g, logs[0], action)
            actions.find_legal(g, legal)
            return True
    return False


@compiled
def play_again(rows: Rows, logs: Rows, legals: Rows, taken: NDArray[np.int64]) -> None:
    """Replay decisions; sampled decisions are sampled again in the same way (see `Game._taken`)."""
    g = rows[0]
    for i in range(len(taken)):
        action = taken[i] if taken[i] >= 0 else rules.random_id(g, legals[0])
        rules.apply(g, logs[0], action)
    actions.find_legal(g, legals[0])


@compiled
def draw(rows: Rows, logs: Rows, legals: Rows, drawn: NDArray[np.int64]) -> int:
    """Take random decisions until the game is over or `drawn` is full; return their number."""
    g = rows[0]
    count = 0
    while g.status == RUNNING and count < len(drawn):
        drawn[count] = rules.random_id(g, legals[0])
        rules.apply(g, logs[0], drawn[count])
        count += 1
    actions.find_legal(g, legals[0])
    return count


@compiled
def reseed(rows: Rows, seed: int) -> None:
    """Restart the random numbers from a seed. A deal with this seed uses other random numbers."""
    rng.fill(rows[0], rng.episode_seed(seed, rng.NO_EPISODE))
