"""The ladder: seven hand-written agents in order of strength.

All agents work on batches of observations. In shapes, k is the number of decisions, n of players, m
of slots, A of action ids, and kinds of different masks.

This package imports `_agent` and mascarade_env alone; each file may import those above it. The
first files are shared, then each agent has one file:

observation_reader.py: observations as arrays with names
power_values.py: the value of powers, in coins
claim_probabilities.py: probabilities that players hold a mask, and that they claim it
choices.py: scores of swap, keep and targets
scored_agent.py: the base class, which takes the action with the best score
random.py: takes random legal actions
honest.py: says only what it knows to be true
bluffer.py: bluffs on a share of its turns
sceptic.py: bluffs, and claims above a threshold of belief
opportunist.py: maximises its immediate gain by its belief
statistician.py: weighs who may have a mask and who may claim it
stopper.py: also stops players who are about to win
"""

#: The names of the agents, the weakest first.
LADDER = (
    "random", "honest", "bluffer", "sceptic", "opportunist", "statistician", "stopper",
)  # fmt: skip
