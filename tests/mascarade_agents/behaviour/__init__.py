"""Tests of measures of play."""
