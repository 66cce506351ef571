"""Tests of the agents that search."""
