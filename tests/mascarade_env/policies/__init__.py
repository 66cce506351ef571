"""Tests of the policies: the protocol, histories and views, translation."""
