"""Tests of games between a person and agents."""
