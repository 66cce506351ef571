"""Mutated files for every loader."""
