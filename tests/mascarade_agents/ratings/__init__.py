"""Tests of who plays better."""
