"""Subcommands of `mascarade` that need agents: one file each, named in pyproject.toml.

The signature and docstring of a command become its flags and help. Imports all of the agents and
`mascarade_env.cli`; nothing imports it.

watching.py: how an arena stands, for `arena.py`
arena.py: agents play each other
behaviour.py: how the players of recorded games play
nashconv.py: what best responses gain in solved games
play.py: a person plays
record.py: write records of games
"""
