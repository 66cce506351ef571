"""Tests of agents and of the arena."""
