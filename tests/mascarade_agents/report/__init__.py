"""Tests of what an arena reports."""
