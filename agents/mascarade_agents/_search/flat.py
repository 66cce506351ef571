"""Flat Monte Carlo: simulate every action in the same worlds, and compare the win shares."""

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._search.policy import roll_out
from mascarade_agents._search.position_values import share
from mascarade_agents._search.simulated_beliefs import advance
from mascarade_agents._search.worlds import Position, Simulations, begin, last_turn
from mascarade_env._jit import compiled
from mascarade_env.game._positions import player_on


@compiled
def try_actions(
    p: Position,
    actions: NDArray[np.int64],
    totals: NDArray[np.float64],
    simulations: Simulations,
) -> int:
    """Simulate each action equally often, and return the number of simulated decisions.

    Args:
        p: the position.
        actions: the action ids.
        totals: the sum of the searching player's win shares for each action; updated in place.
        simulations: the simulations to run for each action; all actions get the same worlds.
    """
    searcher = player_on(p.rows[0], p.rows[0].actor)
    turns = last_turn(p, simulations.rounds)
    decisions = 0
    for number in range(simulations.first, simulations.first + simulations.size):
        for i in range(len(actions)):
            # Every action gets the same world, so differences between worlds cancel out.
            begin(p, simulations.seed, number)
            g = p.rows[1]
            advance(g, p.logs[0], p.simulated, actions[i])
            decisions += 1 + roll_out(g, p.logs[0], p.simulated, p.legals[0], turns)
            totals[i] += share(g, p.simulated, searcher)
    return decisions
