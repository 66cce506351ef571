"""The subcommands of `mascarade` that need agents, one in each file.

pyproject.toml names them. The signature and docstring of a command become its flags and help.
Imports all of the agents and `mascarade_env.cli`; no other package imports it.

watching.py: the messages of an arena before and while it plays
arena.py: agents play each other
behaviour.py: measures of play in recorded games
nashconv.py: gains of best responses in solved games
play.py: a person plays against agents
record.py: write records of games
"""
