"""The text of EQUILIBRIA.md between its tables. It does not depend on any figure."""

BEGINNING = """\
# Equilibria of small games

`make equilibria` (`python -m lab equilibria`) generates this page and its picture. Nothing is
sampled, so every run gives the same figures, except for the seconds; a test computes some of them
again. `mascarade solve --scenario small-2` solves one of these games and saves the policy as an
agent.

The exact suite is a set of research scenarios that are small enough to be solved. The deal is
fixed. The opening has one turn for each player. At the turn limit the richest players win. Payoffs
are **win shares**: 1 for a sole winner, 1/w for each of w winners.

## The games

A node is one course of the game so far. An information state is the set of all nodes that its
player cannot tell apart, if players forget nothing. *Uniform play* takes all legal actions with
the same probability.
"""

NEARNESS = """
## Results of CFR+

The value is the win share of a player if all follow the policy. *Each could gain* is the win share
that one player alone could gain by leaving the policy. NashConv is the sum of these gains over
players. Seconds are the time of the iterations on one core.
"""

PLAY = """
### What NashConv means

- The unit is a win share. With a NashConv of 0.001, the gains of all players, each leaving the
  policy alone, add up to one game in a thousand. An equilibrium has 0; the maximum is n - 1 with n
  players.
- **Two players:** win shares sum to 1, so CFR+ converges to an equilibrium. A player who follows
  the equilibrium gets at least its value, minus what the other player could gain, against any
  opponent. The policy is safe.
- **Three players or more:** CFR+ may not converge to an equilibrium, so each game needs a
  measurement of NashConv. Even an equilibrium is not safe: it only means that no player gains by
  leaving the policy *alone*. Two players who both leave it may gain, and the mistake of one player
  may cost another one. If players follow parts of different equilibria, the result need not be an
  equilibrium.
- **Equilibria are not unique.** The tables below describe the one that CFR+ reaches from uniform
  play. With two players all equilibria have the same value, but their policies may differ. With
  more players the values may differ too.
- A policy is not optimised in states that it never reaches. So NashConv does not show how well it
  plays against an opponent who makes mistakes.

## How equilibria play

Each cell shows uniform play → the equilibrium. Decisions are weighted by the probability that a
game reaches them, over the whole tree; nothing is sampled. The measures are the [measures of
play](../../agents/mascarade_agents/behaviour/MEASURES.md) of agents in an arena, and two more.
`false_known` is the share of false announcements that the player knows to be false: the player has
the announced mask in no node of the information state. `mixing` is the entropy of a decision as a
share of its maximum: 0 if one action is certain, 100 if all are equally likely.

Brackets mark a share with fewer than one opportunity in a thousand games: it describes rare
situations. A dash means that there is no opportunity.
"""

CHANGES = """
### What changes

This list compares the two columns of the table. It leaves out games with brackets or a dash, and
then shows how many games remain.
"""

BY_PLAYER = """
### By player

The equilibria, in percent of the opportunities of each player. Player 0 has the first turn.
"""

MASKS_SAID = """
### Which masks are announced

In percent, uniform play → the equilibrium.
"""

OTHER = """
### Another equilibrium of the same game

Discounted CFR reaches another equilibrium. The differences show how much freedom the equilibria of
a game leave.
"""

REST = """
## Limits

- These are small games with a fixed deal and a limit of a few turns. It is unknown how much of this
  holds in full games.
- A measure is a mean over a whole game. For single decisions, look at the policy: `mascarade play`
  lets you play against it.
- Some decisions change no coin and no mask, and may only pass the turn: a look, a take and keep, or
  the announcement of the Judge while the tribunal is empty.
- A policy may mix actions of equal value in any proportion. So a large share of an action does not
  show that the action is better."""
