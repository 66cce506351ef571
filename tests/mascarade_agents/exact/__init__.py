"""Tests of how agents are valued on whole trees."""
