"""What EQUILIBRIA.md says between its tables: nothing here depends on a figure."""

BEGINNING = """\
# Equilibria of small games

Made by `make equilibria` (`python -m lab equilibria`), figures, picture and all. Nothing
is drawn at random, so everything but the seconds comes out the same each time; a test computes some
of it anew. `mascarade solve --scenario small-2` solves one of these games and saves the policy as
an agent.

The exact suite are research scenarios, so small that every course of a game can be written down:
the deal is fixed, the opening has as many turns as there are players, and at the turn limit the
richest win. What players get is counted in **win shares**: 1 to a sole winner, 1/w to each of w
winners.

## The games

A node is a course of the game so far; an information state holds all that its player cannot tell
apart, if players forget nothing. *Uniform play* takes every option with the same chance.
"""

NEARNESS = """
## What CFR+ has reached

The value is what a player gets if all follow the policy. *Each could gain* says by how much a
player, alone, could improve on it; NashConv is the sum of these. Seconds are those of the
iterations, on one core.
"""

PLAY = """
### What NashConv means

- The unit is a win share: with a NashConv of 0.001 what players could gain, each leaving the policy
  alone, adds up to one game in a thousand. An equilibrium has 0; the most is n - 1.
- **Two players:** win shares sum to 1, so CFR+ comes to an equilibrium for certain. Who plays
  their part of it gets at least its value, less what the other could gain, whatever the other does:
  that is safe play.
- **Three players or more:** there is no such promise. That CFR+ comes near an equilibrium is seen
  by measuring, game by game. And it is no safe play: it says that nobody gains by leaving the
  policy *alone*. Two who leave it together may gain, and one who errs may cost a third who did not.
  Nor do parts of two equilibria make a third.
- **Equilibria are not unique.** The tables below tell of the one that CFR+ comes to from uniform
  play. With two players all have the same value, and may play differently all the same; with more
  even the values may differ.
- Where a policy never comes, it is not worked out: NashConv does not tell how well it plays against
  somebody who errs.

## How equilibria play

From uniform play → to the equilibrium, weighed over the whole tree by how probably games come
to each decision. Nothing is sampled. The names are those of the [measures of
play](../../agents/mascarade_agents/behaviour/MEASURES.md), by which agents in an arena are measured
too; two are added. `false_known` is the share of false announcements that are known to be false: in
no node of the player's information state is that mask the own. `mixing` is the entropy of a
decision as a share of the most that it could be: 0 if one option is certain, 100 if all are equally
likely.

A share is in brackets if the chances of it are fewer than one in a thousand games played so: it
tells of what hardly ever happens. A dash means that there is none.
"""

CHANGES = """
### What changes

Put together from the table, without what is in brackets or a dash; where that leaves fewer games
than there are, it says in how many.
"""

BY_PLAYER = """
### By player

The equilibria, in percent of the chances of each player. Player 0 has the first turn.
"""

MASKS_SAID = """
### Which masks are announced

In percent, from uniform play → to the equilibrium.
"""

OTHER = """
### Another equilibrium of the same game

Discounted CFR takes another way. As far as both have come near an equilibrium, what differs is what
equilibria leave open:
"""

REST = """
## What falls outside

- These are small games with a fixed deal and a limit of a few turns. How much of it holds in the
  games of the box is not known.
- A measure is a mean over a whole game. What an equilibrium does at a single decision is in its
  policy: `mascarade play` sits you down against it.
- Some decisions move no coin and no mask, and may serve to pass a turn: a look, a take that is
  kept, the Judge announced while the tribunal is empty.
- Options that are worth the same may be taken in any proportion, so a large share of something is
  no sign that it is worth more than the rest."""
