"""Tests of games solved exactly."""
