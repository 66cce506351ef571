"""Tests of what `mascarade bench` measures."""
