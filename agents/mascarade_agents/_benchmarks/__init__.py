"""Lines of `mascarade bench`: the speed of agents and of the arena. Nothing imports it."""
