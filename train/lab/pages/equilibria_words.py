"""The text of EQUILIBRIA.md between its tables. It does not depend on any figure."""

BEGINNING = """\
# Equilibria of small games

`make equilibria` (`python -m lab equilibria`) generates this page and its picture. Nothing is
sampled, so every run gives the same figures, except for the times in seconds. A test computes some
of the figures again. `mascarade solve --scenario small-2` solves one of these games and saves the
policy as an agent.

The exact suite is a set of research scenarios that are small enough to be solved. In all of them,
the deal is fixed, the opening has one turn for each player, and the richest players win at the turn
limit. Payoffs are **win shares**: 1 for a sole winner, 1/w for each of w winners.

## The games

A node is a position in the game tree, with all decisions that led to it. An information state is
the set of all nodes that the acting player cannot tell apart, if players forget nothing. *Uniform
play* takes all legal actions with the same probability.
"""

NEARNESS = """
## Results of CFR+

The value is the win share of a player if all players follow the policy. *Each could gain* lists,
for each player, the win share that this player alone could gain by leaving the policy. NashConv is
the sum of these gains. The seconds are the time of the iterations on one core.
"""

PLAY = """
### What NashConv means

- The unit is a win share. A NashConv of 0.001 means this: for each player, compute the win share
  that this player alone could gain by leaving the policy. The sum of these gains is one win in a
  thousand games. An equilibrium has a NashConv of 0. With n players the maximum is n - 1.
- **Two players:** win shares sum to 1, so CFR+ converges to an equilibrium. Against any opponent, a
  player who follows the policy gets at least the value of the policy, minus the win share that the
  opponent could gain. So the policy is safe.
- **Three players or more:** CFR+ may not converge to an equilibrium, so NashConv must be measured
  in each game. Even an equilibrium is not safe: it only means that no player gains by leaving the
  policy *alone*. If two players leave it together, they may gain. The mistake of one player may
  lower the win share of another player. If players follow parts of different equilibria, the result
  may not be an equilibrium.
- **Equilibria are not unique.** The tables below describe the equilibrium that CFR+ reaches from
  uniform play. With two players all equilibria have the same value, but their policies may differ.
  With more players the values may differ too.
- A policy is not optimised in states that it never reaches. So NashConv does not show how well the
  policy plays against an opponent who makes mistakes.

## How equilibria play

Each cell shows a figure for uniform play → the figure for the equilibrium. The figures are computed
over the whole tree without sampling: the weight of each decision is the probability that a game
reaches it. Agents in an arena have the same [measures of
play](../../agents/mascarade_agents/behaviour/MEASURES.md), except for two that only this page has.
`false_known` is the share of false announcements that the player knows to be false: in no node of
the information state does the player have the announced mask. `mixing` is the entropy of a decision
as a share of its maximum: 0 if one action is certain, 100 if all actions are equally likely.

A share in brackets has fewer than one opportunity in a thousand games, so it describes rare
situations. A dash means that there is no opportunity.
"""

CHANGES = """
### What changes

This list compares the figures of uniform play and of the equilibria. For each measure it leaves out
games with brackets or a dash. If it leaves out games, it gives the number of the other games.
"""

BY_PLAYER = """
### By player

This table shows the equilibria, in percent of the opportunities of each player. Player 0 has the
first turn.
"""

MASKS_SAID = """
### Which masks are announced

Each cell shows a percentage for uniform play → the percentage for the equilibrium.
"""

OTHER = """
### Another equilibrium of the same game

Discounted CFR reaches another equilibrium of the same game. The table shows how different two
equilibria can be.
"""

REST = """
## Limits

- These are small games with a fixed deal and a limit of a few turns. It is unknown which of these
  results hold in full games.
- A measure is a mean over a whole game. To study single decisions, use the policy itself, for
  example with `mascarade play`, which lets you play against it.
- Some turns change no coins and no masks: a look, a take after which the masks are kept, or an
  announcement of the Judge while the tribunal is empty. A policy may use them only to pass the
  turn.
- A policy may mix actions of equal value in any proportion. So an action with a large share is not
  necessarily better."""
