"""Agents that search: they simulate the rest of the game in possible worlds.

A world is one placement of all masks that fits what the player has seen. This package imports
`_agent`, `_ladder` and mascarade_env. All files are compiled except budget.py, word_evidence.py
and agents.py. Each file may import the files above it:

budget.py: the number of simulations, or the time, of each decision
word_evidence.py: weights of worlds by what players have said
power_values.py: the value of powers, in coins
simulated_beliefs.py: the beliefs of the players of a simulation
policy.py: the policy of all players of a simulation
position_values.py: the value of a position where a simulation stops
worlds.py: the start of a simulation in a sampled world
flat.py: flat Monte Carlo, which tries every action equally often
tree.py: tree search on information sets
agents.py: the two agents, `FlatMonteCarlo` and `ISMCTS`
"""

from mascarade_agents._search.agents import ISMCTS, FlatMonteCarlo

__all__ = ["ISMCTS", "FlatMonteCarlo"]
