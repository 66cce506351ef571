"""Tests of the subcommands of agents."""
