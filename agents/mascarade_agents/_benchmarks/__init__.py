"""Lines of `mascarade bench`: the speed of agents and of the arena. Nothing imports it.

search.py: searching from random positions
arena.py: an arena, agents included
"""
