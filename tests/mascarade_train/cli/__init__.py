"""Tests of the subcommands of training."""
