"""Subcommands of `mascarade` that need agents: one file each, named in pyproject.toml.

The signature and docstring of a command become its flags and help. Imports all of the agents and
`mascarade_env.cli`; nothing imports it.
"""
