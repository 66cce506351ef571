"""Agents that search: they play a position out in worlds that the player holds possible.

`agents` has the two of them: `flat` tries every action equally often, `tree` searches information
sets. Both use `worlds` (how a simulation begins), `policy` (how everybody plays in it),
`simulated_beliefs` (what its players know), `power_values` and `position_values` (what powers and
positions are worth), `word_evidence` (what announcements tell) and `budget`. All but `agents`,
`budget` and `word_evidence` is compiled. Imports `_agent`, `_ladder` and mascarade_env.
"""

from mascarade_agents._search.agents import ISMCTS, FlatMonteCarlo

__all__ = ["ISMCTS", "FlatMonteCarlo"]
