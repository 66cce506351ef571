"""Generates the page MEASURES.md from the declarations of the measures."""

from collections.abc import Iterator

from lab.paths import ROOT
from mascarade_agents.behaviour._game_phases import phase_of
from mascarade_agents.behaviour._measures import MEASURES
from mascarade_env.game._scenarios import Scenario, scenarios

PAGE = ROOT / "agents/mascarade_agents/behaviour/MEASURES.md"

_HEAD = """# Measures of play

A measure is a number that describes how an agent plays, such as how often it bluffs. This page
defines all of them. `make measures` generates it from the declarations in `_measures.py`, and a
test fails if it is stale. In code:

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

A measure describes an **agent**: all players with the same name. `observe(game)` returns the facts
from which measures are computed, one or two for each decision.

**b** is the deciding player's exact neutral belief in their own mask, just before the decision
([rules 8](../../../mascarade_env/RULES.md#8-who-learns-what)). The neutral belief is the
probability of holding each mask if every hidden swap were a fair coin, and if words did not count
as evidence. **b(m)** is this belief for the announced mask m. So a lie differs from an honest
mistake.

The package computes all beliefs; beliefs in a record are not used. A belief with more placements
than its limit is not exact any more. Measures whose formula says "belief exact" leave such
decisions out, and the measure `inexact` counts them.

An announcement with an exact belief is of one of **four kinds**:

- `sure_true`: the player knows that it is true.
- `honest_uncertain`: the player announces the most probable mask, without certainty.
- `gamble`: the player announces a possible mask, although another is more probable.
- `knowing_bluff`: the player knows that it is false.

The four shares sum to 1. `honest_false` and `gamble_false` measure how often the middle two kinds
are false. In the same way, every claim with an exact belief is one of `sure_claim` (known to be
true), `hopeful_claim` (uncertain) and `bluff_claim` (known to be false).

A formula reads "value that is counted / opportunities, conditions". *Turns* are those after the
opening, because takes in the opening are forced. *Answers* are claims and passes after another
player's announcement. *Choices* are decisions to swap or keep. Without an opportunity a measure has
no value. If a game stopped early, its decisions count up to there.
"""

_PHASES = """
Every measure is computed over all decisions (`all`), and by the phase of the game when the turn
began. The phase depends on the coins of the richest player. The game is **late** if that player
needs at most 3 more coins, or at most half of the way from the coins at the start to the goal if
that is less. (3 coins are the most that a mask other than the Widow takes from the bank at once.)
It is **early** on the first half of the way from the start to the late phase, and **middle** in
between. A phase is empty if the way is too short.

"""

_INTERVALS = """
## Intervals

Decisions of one game depend on each other: a mask that a player has seen stays known for several
turns. Games of one deal depend on each other too, because in an arena the same agents play each
deal from every seat. So the **deals** are the clusters. Games are of one deal if their records have
the same `seed` in `meta` and the same deal of masks. A game without a seed is a separate cluster.

A measure is sum(x_g) / sum(n_g) over the clusters g, with n_g opportunities and values that sum to
x_g. The variance of this ratio comes from the jackknife over clusters. The 95% interval uses
Student's quantile for the number of clusters that had an opportunity. With fewer than two there is
no interval. Nothing is random.

For values of 0 or 1 (all shares, and `bluff_tax`), the interval is Wilson's. Its count is the
number of independent decisions with the same variance. A mean of exactly 0 or 1 shows no variance.
Then all decisions of a cluster count as alike, which is cautious.

Other values are skewed, most of all gains: there are many fines and few large gains. A few games
may show no large gain, and no variance. So their intervals, but not their means, count two more
clusters, one at each end of the span in which most single values are. Each has two opportunities,
or the mean number per cluster if that is less:

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
