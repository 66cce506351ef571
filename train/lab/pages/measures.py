"""Generates the page MEASURES.md from the declarations of the measures."""

from collections.abc import Iterator

from lab.paths import ROOT
from mascarade_agents.behaviour._game_phases import phase_of
from mascarade_agents.behaviour._measures import MEASURES
from mascarade_env.game._scenarios import Scenario, scenarios

PAGE = ROOT / "agents/mascarade_agents/behaviour/MEASURES.md"

_HEAD = """# Measures of play

A measure is a number that describes how an agent plays, such as how often it bluffs. This page
defines all measures. `make measures` generates it from the declarations in `_measures.py`, and a
test fails if the page is out of date. This code computes a measure:

```python
from mascarade_agents.behaviour import Tally
from mascarade_env import Game

total = Tally()
for seed in range(20):
    game = Game("4A", seed=seed, names=["ann", "bob", "cleo", "dan"])
    game.play_randomly()
    total += Tally.of(game)
print(total.estimate("ann", "all", "knowing_bluff"))  # value, low, high, count
```

For files of [game records](../../../mascarade_env/RECORDS.md), use `mascarade behaviour
games.jsonl`.

A measure describes an **agent**: all players with the same name are one agent. All measures are
computed from facts, and `observe(game)` returns the facts of a game, one or two for each decision.

**b** is the deciding player's exact neutral belief about their own mask, just before the decision
([rules 8](../../../mascarade_env/RULES.md#8-who-learns-what)). The neutral belief is the
probability of each mask if every hidden swap were a fair coin, and if announcements and claims did
not count as evidence. **b(m)** is the probability of the announced mask m. It distinguishes a lie
from an honest mistake.

The package computes all beliefs, and ignores beliefs in a record. A belief consists of placements
of the masks. If there are more placements than a limit, some are dropped, and the belief is not
exact. Measures whose formula contains "belief exact" leave out decisions with a belief that is not
exact. The measure `inexact` counts these decisions.

An announcement with an exact belief is of one of **four kinds**:

- `sure_true`: the player knows that the announcement is true.
- `honest_uncertain`: the player announces the mask that is most probably their own, but is not
  certain.
- `gamble`: the player announces a mask that may be their own, although another mask is more
  probable.
- `knowing_bluff`: the player knows that the announcement is false.

The four shares sum to 1. `honest_false` and `gamble_false` measure how often announcements of the
two uncertain kinds are false. In the same way, each claim with an exact belief is a `sure_claim`
(the player knows that it is true), a `hopeful_claim` (the player is uncertain) or a `bluff_claim`
(the player knows that it is false).

A formula has the form "value / opportunities, conditions". The measure is the sum of the value,
divided by the number of opportunities that fulfil the conditions. *Turns* does not include the
opening, because players must take masks then. *Answers* are claims and passes after another
player's announcement. *Choices* are decisions to swap or keep. A measure without an opportunity has
no value. If a game was stopped before its end, the decisions before that count.
"""

_PHASES = """
Each measure is computed over all decisions (`all`), and also by the phase of the game at the start
of the turn. The phase depends on the coins of the richest player. The game is **late** if this
player needs at most 3 more coins to reach the goal. (A mask other than the Widow takes at most 3
coins from the bank at once.) If half of the way from the starting coins to the goal is less than 3
coins, that half replaces the 3. The game is **early** in the first half of the way from the start
to the late phase, and **middle** after it. If there are few coins between the start and the goal, a
phase may be empty.

"""

_INTERVALS = """
## Intervals

Decisions of one game depend on each other: if a player has seen a mask, they know it for several
turns. Games of one deal depend on each other too, because in an arena the same agents play each
deal from every seat. So the intervals treat each **deal** as one cluster. Games belong to one deal
if their records have the same `seed` in `meta` and the same masks at the start. A game without a
seed is a separate cluster.

Cluster g has n_g opportunities, whose values sum to x_g. A measure is sum(x_g) / sum(n_g). The
variance of this ratio comes from the jackknife over clusters. The 95% interval uses Student's
quantile for the number of clusters that had an opportunity. With fewer than two such clusters there
is no interval. The intervals do not use random numbers.

For values of 0 or 1 (all shares, and `bluff_tax`), the interval is Wilson's. The count in its
formula is the number of independent decisions that would give the same variance. If the mean is
exactly 0 or 1, the variance is 0. Then the count assumes that all decisions of a cluster have the
same value. This is cautious: the interval may be too wide.

Other values are skewed, above all gains: there are many fines and few large gains. A few games may
contain no large gain, and their variance may be 0. So the intervals of these measures, but not
their means, count two more clusters, one at each end of the span in which most single values are.
Each of the two has two opportunities, or the mean number per cluster if that is less. The spans
are:

{spans}

With fewer than about 20 deals of one game each, such an interval is too wide: it contains the true
value in more than 95 of 100 cases. With 60 deals or more the difference is negligible.
"""


def measures() -> None:
    """Write MEASURES.md from the declared measures.

    Example: python -m lab measures
    """
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """Return the text of MEASURES.md."""
    lines = [_HEAD, "## Measures", "", *_table(), "", "## Phases of a game", *_phases()]
    spans = "\n".join(
        f"- `{m.name}`: {m.span[0]} to {m.span[1]} {m.unit}" for m in MEASURES if m.span
    )
    return "\n".join([*lines, _INTERVALS.format(spans=spans)]).rstrip() + "\n"


def _table() -> Iterator[str]:
    yield "| name | title | meaning | formula | unit |"
    yield "|---|---|---|---|---|"
    for m in MEASURES:
        yield f"| `{m.name}` | {m.title} | {m.meaning} | {m.formula} | {m.unit} |"


def _phases() -> Iterator[str]:
    yield from _PHASES.splitlines()
    yield "| start and goal | early | middle | late |"
    yield "|---|---|---|---|"
    sixes = scenarios()["6A"]
    for start, goal in ((sixes.start_coins, sixes.goal_coins), (2, 5), (2, 4)):
        scenario = Scenario(
            "page", 2, ("judge", "king"), start_coins=start, goal_coins=goal, strict=False
        )
        phases: dict[str, list[int]] = {"early": [], "middle": [], "late": []}
        for coins in range(start, goal):
            phases[phase_of(coins, scenario)].append(coins)
        yield f"| {start}, {goal} | " + " | ".join(map(_span, phases.values())) + " |"


def _span(coins: list[int]) -> str:
    return "-" if not coins else f"{coins[0]}" + (f"..{coins[-1]}" if len(coins) > 1 else "")
