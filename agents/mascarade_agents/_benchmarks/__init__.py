"""The speed of agents and of the arena."""
