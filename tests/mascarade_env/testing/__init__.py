"""Tests of the checks for third parties: they pass on ours, and find each fault."""
