"""What RESULTS.md says between its tables: nothing here depends on a figure."""

BEGINNING = """\
# What self-play has learned

Made by `make results` (`python -m lab results`) from the files in
[results](results), which tell by which command, settings, seeds and versions each figure was
measured. `python -m lab experiments` measures what is not there yet; networks are
trained by `mascarade train`, with the settings that stand beside each of them below, and put there
by `python -m lab release`.

Figures are **win shares**: 1 to a sole winner, 1/w to each of w winners. Equal players of n get 1/n
each, the fair share. In percent, with 95% intervals, unless it says otherwise.

## The goals

They were set before these measurements. A goal for a share is *reached* if the whole interval is on
the right side of it. Where the interval reaches across, the mean decides, and that is said. A goal
for a mean over seeds is reached if the mean is; the range over seeds stands beside it.
"""

EXACT = """
## Where the truth is known

small-2 and small-3 are games so small that they are known as whole trees ([EQUILIBRIA.md][eq] tells
of them). **NashConv** is what players could gain in all, each by a best response to the others: 0
is an equilibrium, and nothing is left to gain. Here it is computed on the tree, not estimated.

- *Regularised* is self-play with a bonus for entropy and a pull to the policy before each update,
  in small-2 also to the average of its past: `mascarade train --preset small-2` and `small-3`.
- *Naive* is the same without these: `--preset naive-2` and `naive-3`.
- *CFR+* is no learner: it goes through the whole tree at each iteration, so it has an axis of its
  own.

In the pictures lines are medians over seeds, and bands go from the lower to the upper quartile.

**With three players or more a low NashConv is no guarantee of safety.** It says that nobody gains
by leaving the policy alone; two who leave it together may.

[eq]: ../mascarade_env/exact/EQUILIBRIA.md
"""

EXACT_PLAY = """
### How they play there

In percent, computed on the tree; of several seeds the mean, and the range behind it. The measures
are told in [MEASURES.md][me] and in [EQUILIBRIA.md][eq]. A figure is in brackets if the chances of
it are fewer than one in a thousand games. Equilibria are not unique: CFR+ shows one of them.

[me]: ../agents/mascarade_agents/behaviour/MEASURES.md
"""

RELEASED = """
## The networks that come with this package

Name one wherever agents are named, as in `mascarade arena --agents released:6A,stopper`. How each
was trained and how it fares is on its card, and in [results/released](results/released).
"""

DUELS = """
## Against the hand-written agents, and search

Each network alone among copies of an agent, and that agent alone among copies of the network. Games
are those of the arena: every deal is played from every seat, and intervals are a bootstrap over
deals. The agents stand in the order of [LADDER.md](../agents/LADDER.md); search thinks with 500
simulations a decision, and plays fewer games. The network 6A, on which goals depend, plays more
games against the ladder, of deals by which it was not chosen.

**These agents are no strangers** to the networks: while they learned, those for one table, but for
naive, have met the whole ladder except random as opponents, and padded has met stopper. Search and
best responses they have not met.
"""

SIZES = """
## One network for 4 to 12 players

The padded network against the strongest hand-written agent that does not search, and beside it the
network trained for that size alone, where there is one.
"""

RESPONSES = """
## What a best response gains

A player that learns, alone, against copies of a network that does not change. What it wins above
the fair share can be gained from the network, as surely as the interval says; a better response
may win more, so this is a **lower bound** and no proof of safety. What it won while it learned,
exploring included, stands there for each quarter of the training that was chosen: where the last
ones still rise, more decisions would find more. One that is taken as it began, but always does what
it deems best, may win more than it did in any quarter.
"""

CALIBRATION = """
How much the same procedure finds where the most that can be gained is known exactly. These games
are short and mostly leave much to gain; where little is left at a full table it may find less.
"""

PLAY = """
## How they play

In percent, when a network holds all seats; beside it the equilibria of two small games with other
masks, to be read as a hint only: nobody knows an equilibrium of the games of full size. Games that
are broken off after 1,000 decisions of a player are counted up to there, and as they last so long
they weigh much: with 5 in 1,000 of them they are a seventh of all turns, on which players take and
take again.
"""

CURVES = """
## How they learned

Each panel shows one network at one seat, against copies of one hand-written agent at all others:
"6A: 1 vs 5" is one network against five copies. These win shares were measured during training, in
fewer games than those above, so the curves fluctuate. No network was measured before its training,
so the curves begin at the first measurement: at 2 million decisions, or at 5 million for 6A and
padded. The padded network trains on games of all sizes; its curve is from 4A.
"""

REST = """
## What falls outside

- A network that beats the hand-written agents may still be beaten by others; the best responses
  above are what was tried.
- NashConv was computed in two small games only. That a method comes near an equilibrium there
  does not show that it does so with six players.
- With three players or more, no policy is safe against players who work together.
- Settings were chosen by what they led to in these very games, against these very agents, with
  seed 0 and others. Of games, agents and seeds that were not looked at, these figures promise less.
- The settings of small-2 are the first to bring these five seeds below the goal on average. Two
  others had been tried on all of them (0.101 and 0.100), and some more on one or two. Of other
  seeds a mean slightly above the goal would be no surprise.
- Networks were trained with one seed each, but for those of the exact games. Runs bounded by time
  cannot be repeated exactly.
- Now and then a table of copies of one network never ends its game: all take masks, swap or not,
  and nobody announces. The rules allow it. Such games count as shared by all.
- The networks for full games were trained, and the responses to 4A, 6B and padded measured, before
  training broke such games off after 250 decisions a player. Copies of 6A spent a growing part of
  training in them, those of 8A some; of 4A, 6B and padded at 6A's table no such game was met.
"""
