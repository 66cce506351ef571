"""Agents that search: they play a position out in worlds that the player holds possible.

Imports `_agent`, `_ladder` and mascarade_env. All but `budget.py`, `word_evidence.py` and
`agents.py` is compiled. Each file may import those above it:

budget.py: how long a search may think
word_evidence.py: what announcements show of the masks, to weigh worlds
power_values.py: what powers bring, in coins
simulated_beliefs.py: what the players of a simulation know
policy.py: how everybody plays in a simulation
position_values.py: what a position is worth where a simulation stops
worlds.py: how a simulation begins
flat.py: try every action equally often
tree.py: search information sets
agents.py: the two agents, `FlatMonteCarlo` and `ISMCTS`
"""

from mascarade_agents._search.agents import ISMCTS, FlatMonteCarlo

__all__ = ["ISMCTS", "FlatMonteCarlo"]
