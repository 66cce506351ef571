"""The text of RESULTS.md between its tables. It does not depend on measured figures."""

BEGINNING = """\
# What self-play has learned

This page reports how well the trained networks play, what each goal was, and whether it is
reached.

- A **win share** is what a player gets from a game: 1 as the only winner, and 1/w as one of w
  winners. Win shares are in percent. The range in brackets after a win share is its 95% interval.
- The **fair share** is 1/n. This is the average win share of each of n players if all of them play
  equally well.
- **1 vs n-1** is a table at which one agent has one seat, and copies of another agent have all
  other seats. "1 vs 5 stopper" is one agent against five copies of the agent stopper.
- [LADDER.md](../agents/LADDER.md) describes the **hand-written agents**. From the weakest to
  the strongest they are random, honest, bluffer, sceptic, opportunist, statistician and stopper.

`make results` (`python -m lab results`) generates this page from the files in [results](results).
These files have the command, settings, seeds and versions of each figure. To repeat the
measurements, use three commands: `mascarade train` trains a network, `python -m lab release` adds
it to the package, and `python -m lab experiments` runs the measurements that are missing.

## The goals

All goals were set before these measurements. A goal for a win share is *reached* if the whole 95%
interval of the win share meets the goal. If only a part of the interval meets it, the mean
decides, and the verdict says so. A goal for a mean over seeds is reached if that mean meets it.
The table also shows the range over seeds.
"""

EXACT = """
## Small games that are solved exactly

The games small-2 and small-3 are so small that all figures are computed on the whole game tree,
and no figure in this section is an estimate. [EQUILIBRIA.md][eq] describes these games. The gain of
a player is the increase of the win share if this player changes to a best response, while the
others keep their policy. **NashConv** is the sum of these gains over all players. It is 0 in an
equilibrium.

- *Regularised* is self-play with an entropy bonus and a KL penalty to the policy before each
  update. In small-2 there is also a KL penalty to the average of past policies. The commands are
  `mascarade train --preset small-2` and `mascarade train --preset small-3`.
- *Naive* is self-play without the bonus and the penalties. The commands are
  `mascarade train --preset naive-2` and `mascarade train --preset naive-3`.
- *CFR+* solves the game instead of learning from play. Each iteration visits the whole tree, so
  its curve has a separate axis.

In the pictures, a line is the median over seeds, and a band reaches from the lower to the upper
quartile. All curves of self-play begin before training, at 0 decisions.

**With three players or more, a low NashConv does not make a policy safe.** It limits the gain
of one player who changes the policy. Two players who change their policies together may gain more.

[eq]: ../mascarade_env/exact/EQUILIBRIA.md
"""

EXACT_PLAY = """
### How the policies play in small games

These rates are in percent, and they are computed on the game tree. If there are several seeds, the
table shows the mean and then the range over seeds. [MEASURES.md][me] and [EQUILIBRIA.md][eq] define
the rates. A rate is in brackets if the decision that it describes occurs less than once in a
thousand games. A game has many equilibria, and CFR+ finds one of them.

[me]: ../agents/mascarade_agents/behaviour/MEASURES.md
"""

RELEASED = """
## The networks that come with this package

Use `released:` and the name of a network wherever a command takes an agent, for example
`mascarade arena --agents released:6A,stopper`. Each network has a card, which
describes its training and its results. The cards are also in `train/results/released`.
"""

DUELS = """
## Against the hand-written agents and search

The second column is the win share of one network against copies of an agent. The third column is
the win share of that agent against copies of the network. The arena plays these games. It repeats
every deal with the single player at each seat, and computes the intervals by a bootstrap over
deals. The agent `ismcts:500` searches with 500 simulations per decision, and plays fewer games
than the others. The network 6A, for which most goals are set, plays more games. They have other
deals than the games by which this network was chosen.

**Most of these agents were opponents of the networks during training.** The networks for one
scenario, except naive, trained against all hand-written agents except random. The network padded
trained against stopper. No network trained against search or a best response.
"""

SIZES = """
## One network for 4 to 12 players

The table shows the padded network against copies of stopper, the strongest hand-written agent,
and stopper against copies of the padded network. The next two columns show the same for the
network that was trained for that scenario only, if there is one.
"""

RESPONSES = """
## What a best response gains

A best response is a player that learns to win against copies of one fixed network. Its win share
above the fair share is a **lower bound** on what a player can gain against the network. Another
best response may win more, so a small gain does not prove that a network is safe.

The column "during training" has the win share of the response, with exploration, in each quarter
of its training. If the win share still rises in the last quarters, longer training would gain more.
Training begins with a copy of a network. One candidate for the response is this copy before
training, always taking its most probable action. If it is chosen, its win share may be higher than
in all quarters.
"""

CALIBRATION = """
The next table tests this method in games where the largest possible gain is known exactly. These
games are short, and in most of them the largest possible gain is large. In full-size games with a
small possible gain, the method may find a smaller part of it.
"""

PLAY = """
## How the networks play

The rates are in percent, and measured with copies of one network on all seats. The last two
columns are equilibria of two small games with other masks. Equilibria of full-size games may differ
from them; none is known. A game is stopped early after 1,000 decisions per player, and the
decisions before that count. These games are long, so they have a large weight: among 1,000 games of
6A, the 5 games that were stopped early contain a seventh of all turns. In those turns the players
only take masks.
"""

CURVES = """
## How the networks learned

Each panel is for one network. A curve shows the win share of the network against copies of one
hand-written agent: "6A: 1 vs 5" means the network 6A against five copies. The win shares were
measured during training, in fewer games than in the tables above, so the curves fluctuate. No
network was measured before its training. So the curves begin at the first measurement: at 2
million decisions, or at 5 million for 6A and padded. The padded network trains in games of all
sizes, and its curves were measured in 4A.
"""

REST = """
## What these results do not show

- A network that beats the hand-written agents may lose to other agents. The best responses above
  are the only ones that were trained.
- NashConv was computed in two small games only. A method that comes close to an equilibrium in
  these games may not do so with six players.
- With three players or more, no policy is safe against opponents who work together.
- The settings of training were chosen because of their results in these games, against these
  agents, with seed 0 and others. With other games, agents or seeds, expect worse results.
- The settings of small-2 are the first that were tried whose mean over these five seeds is below
  the goal. Two others were tried with all five seeds (the means are 0.101 and 0.100), and more with
  one or two seeds. With other seeds, the mean may be slightly above the goal.
- Each network was trained with one seed, except in the small games. A run with a time limit
  cannot be repeated exactly.
- Some games among copies of one network do not end: in every turn a player takes a mask, and no
  player announces. The rules allow this. The arena stops these games, and all players share the
  win.
- Training now stops these games after 250 decisions per player. This limit was added
  after the networks for full-size games were trained, and after the responses to 4A, 6B and padded
  were measured. The network 6A spent a growing part of its training in endless games among its
  copies, and the network 8A spent a part too. No endless game was found among copies of the
  networks 4A and 6B, and of padded in the scenario 6A.
"""
