"""The ladder: seven hand-written agents in order of strength.

All work on batches of observations. Imports `_agent` and mascarade_env alone; each file may import
those above it. First what they share, then one file an agent, each a little stronger:

observation_reader.py: what the numbers of observations mean
power_values.py: what powers bring, in coins
claim_probabilities.py: how probable it is that players hold a mask and claim it
choices.py: swap or keep, targets
scored_agent.py: the base class: the best score wins, ties are drawn
random.py: any legal action
honest.py: says nothing that it does not know to be true
bluffer.py: announces what pays most
sceptic.py: claims from a belief on
opportunist.py: takes what pays best by its belief
statistician.py: weighs who may have a mask and who may claim it
stopper.py: stops those who are about to win
"""

#: Their names, the weakest first.
LADDER = (
    "random", "honest", "bluffer", "sceptic", "opportunist", "statistician", "stopper",
)  # fmt: skip
