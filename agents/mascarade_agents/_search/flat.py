"""Flat Monte Carlo: try every action in the same worlds, and take what won most."""

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._search.policy import roll_out
from mascarade_agents._search.position_values import share
from mascarade_agents._search.simulated_beliefs import advance
from mascarade_agents._search.worlds import Position, begin
from mascarade_env._jit import compiled
from mascarade_env.game._positions import player_on


@compiled
def try_actions(
    p: Position,
    actions: NDArray[np.int64],
    totals: NDArray[np.float64],
    seed: int,
    first: int,
    count: int,
    rounds: int,
) -> int:
    """Try each action in `count` simulations, numbered from `first`; returns the decisions made.

    Args:
        p: the position.
        actions: ids.
        totals: the win shares of the searcher by action, to which these are added.
        seed: of all simulations.
        first: the number of the first simulation.
        count: how many.
        rounds: of the table that are played before a simulation is broken off.
    """
    searcher = player_on(p.rows[0], p.rows[0].actor)
    turns = int(p.rows[0].turn) + rounds * int(p.rows[0].players) + 1
    made = 0
    for number in range(first, first + count):
        for i in range(len(actions)):
            begin(p, seed, number)
            g = p.rows[1]
            advance(g, p.logs[0], p.minds, actions[i])
            made += 1 + roll_out(g, p.logs[0], p.minds, p.legals[0], turns)
            totals[i] += share(g, p.minds, searcher)
    return made
