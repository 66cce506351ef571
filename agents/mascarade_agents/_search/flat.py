"""Flat Monte Carlo: try every action in the same worlds, and take what won most."""

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
    """Try each action in some simulations; returns the number of decisions made.

    Args:
        p: the position.
        actions: ids.
        totals: the win shares of the searcher by action, to which these are added.
        simulations: of each action, in the same worlds.
    """
    searcher = player_on(p.rows[0], p.rows[0].actor)
    turns = last_turn(p, simulations.rounds)
    decisions = 0
    for number in range(simulations.first, simulations.first + simulations.size):
        for i in range(len(actions)):
            # The same number for every action: differences between actions are then not those
            # between worlds.
            begin(p, simulations.seed, number)
            g = p.rows[1]
            advance(g, p.logs[0], p.simulated, actions[i])
            decisions += 1 + roll_out(g, p.logs[0], p.simulated, p.legals[0], turns)
            totals[i] += share(g, p.simulated, searcher)
    return decisions
