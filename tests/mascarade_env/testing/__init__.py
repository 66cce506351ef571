"""Tests of the checks for users: our own objects pass, and each fault is found."""
