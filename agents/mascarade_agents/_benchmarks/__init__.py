"""Benchmarks for `mascarade bench`: the speed of agents and of the arena.

No other package imports this one.

search.py: simulations from random positions
arena.py: decisions in an arena, including the time of the agents
"""
