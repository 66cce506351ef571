"""Agents that search: play a position out in worlds that the player holds possible."""

from mascarade_agents._search.agents import ISMCTS, FlatMonteCarlo

__all__ = ["ISMCTS", "FlatMonteCarlo"]
