"""Tests of mascarade_env."""
