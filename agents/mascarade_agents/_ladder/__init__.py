"""The ladder: seven hand-written agents in order of strength.

One file an agent; they rest on `observation_reader` (what the numbers of observations mean),
`power_values` (what powers bring, in coins), `claim_probabilities` (how likely players are to
claim), `choices` (targets), and `scored_agent` (the base class: the best score wins, ties are
drawn). Imports `_agent` and mascarade_env alone; all agents work on batches of observations.
"""

#: Their names, the weakest first.
LADDER = (
    "random", "honest", "bluffer", "sceptic", "opportunist", "statistician", "stopper",
)  # fmt: skip
