"""Policies: everything that acts.

Imports the game, knowledge and observation. Environments, the arena and training import it. Each
file may import those above it:

short_errors.py: what went wrong in the code of a policy, in one line
from_file.py: policies of a Python file, such as "mine.py:MyAgent"
protocol.py: `Policy`, and the `Positions` that it is asked about
functions.py: plain functions of arrays as policies; the one place where they are converted
histories.py: the decisions of the games of a batch, and the views that are made of them
translation.py: policies at tables whose observations and action ids are laid out otherwise
names.py: policies by name, such as "stopper", from the entry points `mascarade.agents`
"""
