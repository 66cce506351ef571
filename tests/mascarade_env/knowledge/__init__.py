"""Tests of what viewers know."""
