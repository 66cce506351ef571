"""The subcommands of `mascarade` that need agents, with one file for each subcommand.

pyproject.toml lists the subcommands. The signature and docstring of a command become its flags and
help. This package may import all of mascarade_agents and `mascarade_env.cli`; no other package
imports it.

watching.py: the messages of an arena before and while it plays
arena.py: games between agents, and ratings
behaviour.py: measures of play in recorded games
nashconv.py: gains of best responses in small games
play.py: games of a person against agents
record.py: files with records of games
"""
