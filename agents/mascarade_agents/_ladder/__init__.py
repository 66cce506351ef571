"""The ladder: seven hand-written agents in order of strength.

All agents work on batches of observations. In shapes, k is the number of decisions, n of players, m
of slots (places for a mask), A of action ids, and kinds of different masks. A fortune is the number
of coins of a player.

This package imports only `_agent` and mascarade_env. Each file may import the files above it. The
agents share the first five files, and each agent has one file after them:

observation_reader.py: observations as arrays with names
power_values.py: the value of powers, in coins
claim_probabilities.py: probabilities that players hold a mask, and that they claim it
choices.py: scores of swap, keep and targets
scored_agent.py: the base class, which takes the action with the best score
random.py: takes random legal actions
honest.py: announces and claims only masks that it surely has
bluffer.py: bluffs on a share of its turns
sceptic.py: bluffs, and claims a mask if its belief reaches a threshold
opportunist.py: maximises its expected immediate gain
statistician.py: weighs the probabilities that players have a mask and that they claim it
stopper.py: also stops players who are about to win
"""

#: The names of the agents, the weakest first.
LADDER = (
    "random", "honest", "bluffer", "sceptic", "opportunist", "statistician", "stopper",
)  # fmt: skip
