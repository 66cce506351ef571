"""Policies, which choose actions: agents, opponents, networks.

The package imports the game, knowledge and observation. Environments, the arena and training import
this package. Each file may import the files above it:

short_errors.py: an error in the code of a policy, in one line
from_file.py: policies of a Python file, such as "mine.py:MyAgent"
protocol.py: `Policy`, and the `Positions` in which it chooses actions
functions.py: functions of arrays as policies
histories.py: the decisions of the games of a batch, and views made from them
translation.py: policies at tables with another layout of observations and ids than they read
names.py: policies by name, such as "stopper", from the entry points `mascarade.agents`
"""
