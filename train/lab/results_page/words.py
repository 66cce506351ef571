"""The text of RESULTS.md between its tables; nothing here depends on a figure."""

BEGINNING = """\
# What self-play has learned

This page reports how well the trained networks play, what each goal was, and whether it is
reached.

- A **win share** is what a player gets from a game: 1 as the only winner, and 1/w as one of w
  winners. Win shares are in percent, and the range after one is its 95% interval, unless the text
  says otherwise.
- The **fair share** is 1/n: what each of n players gets on average if all of them play equally
  well.
- **1 vs n-1** is a table at which one agent has one seat, and copies of another agent have all
  other seats. "1 vs 5 stopper" is one agent against five copies of the agent stopper.
- The **hand-written agents** are those of [LADDER.md](../agents/LADDER.md). From the weakest to
  the strongest they are random, honest, bluffer, sceptic, opportunist, statistician and stopper.

`make results` (`python -m lab results`) generates this page from the files in [results](results).
These files have the command, settings, seeds and versions of each figure. Three commands measure
again: `mascarade train` trains a network, `python -m lab release` adds it to the package, and
`python -m lab experiments` measures what is missing.

## The goals

All goals were set before these measurements. A goal for a win share is *reached* if its whole 95%
interval meets the goal. If only a part of the interval does, the mean decides, and the verdict
says so. A goal for a mean over seeds is reached if that mean meets it; the range over seeds is
given too.
"""

EXACT = """
## Where the truth is known

The games small-2 and small-3 are small enough to compute on the whole game tree, so nothing in
this section is estimated ([EQUILIBRIA.md][eq] describes these games). **NashConv** is the sum of
what each player could gain by changing to a best response while the others keep their policy. It
is 0 in an equilibrium.

- *Regularised* is self-play with an entropy bonus and a KL penalty to the policy before each
  update. In small-2 it has a KL penalty to the average of past policies too. The commands are
  `mascarade train --preset small-2` and `mascarade train --preset small-3`.
- *Naive* is self-play without these terms: `--preset naive-2` and `--preset naive-3`.
- *CFR+* solves the game instead of learning from play. Each iteration visits the whole tree, so
  its curve has a separate axis.

In the pictures, a line is the median over seeds, and a band reaches from the lower to the upper
quartile. All curves of self-play begin before training, at 0 decisions.

**With three players or more, a low NashConv does not make a policy safe.** It limits what one
player can gain alone; two players who change their policy together may gain more.

[eq]: ../mascarade_env/exact/EQUILIBRIA.md
"""

EXACT_PLAY = """
### How they play there

These rates are in percent, and computed on the game tree. Where there are several seeds, the
table shows their mean and then their range. [MEASURES.md][me] and [EQUILIBRIA.md][eq] define the
rates. A rate is in brackets if its decision comes up fewer than once in a thousand games. A game
has many equilibria, and CFR+ shows one of them.

[me]: ../agents/mascarade_agents/behaviour/MEASURES.md
"""

RELEASED = """
## The networks that come with this package

Use `released:` and the name of a network wherever a command takes an agent, for example
`mascarade arena --agents released:6A,stopper`. The card of a network, which is also in
`train/results/released`, describes its training and its results.
"""

DUELS = """
## Against the hand-written agents, and search

The second column is the win share of one network against copies of an agent. The third column is
the win share of that agent against copies of the network. The arena plays these games: it repeats
every deal with the single player at each seat, and bootstraps the intervals over deals. The agent
`ismcts:500` searches with 500 simulations per decision, and plays fewer games than the others.
The network 6A, for which the goals are, plays more games, and on deals that did not select it.

**The networks met most of these agents during training.** The networks for one scenario, except
naive, trained against all hand-written agents except random; padded trained against stopper. None
of them met search or a best response.
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
above the fair share is a **lower bound** on what can be gained from the network: another best
response may win more, so a small gain does not prove that a network is safe.

The column "during training" has the win share of the response, with exploration, in each quarter
of its training. If the last quarters still rise, longer training would gain more. The chosen
response may also be the untrained copy that it began with, if that copy always takes its most
probable action; then its win share may be above all quarters.
"""

CALIBRATION = """
The next table tests this method in games where the largest possible gain is known exactly. These
games are short, and most of them leave much to gain. At full-size tables with little to gain, the
method may find a smaller part of it.
"""

PLAY = """
## How they play

The rates are in percent, and measured with copies of one network on all seats. The last two
columns are equilibria of two small games with other masks. They are a hint only, because no
equilibrium of a full-size game is known. A game is stopped early after 1,000 decisions per
player, and its decisions until then count. Such games are long, so they have a large weight: 5 of
them in 1,000 games hold a seventh of all turns, and in those turns the players only take masks.
"""

CURVES = """
## How they learned

Each panel shows one network against copies of one hand-written agent: "6A: 1 vs 5" is one network
against five copies. The win shares were measured during training, in fewer games than those
above, so the curves fluctuate. No network was measured before its training. So the curves do not
begin at 0 decisions but at the first measurement: at 2 million decisions, or at 5 million for 6A
and padded. The padded network trains in games of all sizes, and its curve is from 4A.
"""

REST = """
## What these results do not show

- A network that beats the hand-written agents may lose to other agents. The best responses above
  are the only ones that were trained.
- NashConv was computed in two small games only. A method that comes close to an equilibrium there
  may not do so with six players.
- With three players or more, no policy is safe against players who work together.
- The settings were chosen by their results in these games, against these agents, with seed 0 and
  others. Expect less from other games, agents and seeds.
- The settings of small-2 are the first ones whose mean over these five seeds is below the goal.
  Two other settings were tried with all five seeds (0.101 and 0.100), and more with one or two.
  With other seeds, a mean slightly above the goal would not be a surprise.
- Each network was trained with one seed, except in the exact games. A run with a time limit
  cannot be repeated exactly.
- Some games among copies of one network never end: all players take masks and swap or not, and no
  player announces. The rules allow this. Such games count as shared by all players.
- Training now stops such games after 250 decisions per player. The networks for full-size games
  were trained before that, and the responses to 4A, 6B and padded were measured before. Copies of
  6A spent a growing part of their training in such games, and copies of 8A a part. Among copies
  of 4A, 6B, and padded in 6A, no such game was found.
"""
