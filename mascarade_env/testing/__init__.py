"""Checks for environments, agents and encoders that others build on the game."""
