"""The page MEASURES.md, printed from the declared measures."""

from collections.abc import Iterator

from lab.paths import ROOT
from mascarade_agents.behaviour._game_phases import phase_of
from mascarade_agents.behaviour._measures import MEASURES
from mascarade_env.game._scenarios import Scenario, scenarios

PAGE = ROOT / "agents/mascarade_agents/behaviour/MEASURES.md"

_HEAD = """# Measures of play

This page is printed from the declarations in `_measures.py` (`make measures`); a test fails when it
is stale. In code:

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

and `mascarade behaviour games.jsonl` for files of [game
records](../../../mascarade_env/RECORDS.md).

Measures are of an **agent**: all players of one name. `observe(game)` gives the single facts they
are made from.

**b** is the deciding player's exact neutral belief ([rules
8](../../../mascarade_env/RULES.md#8-who-learns-what)) in the own mask just before the decision,
**b(m)** that in the announced mask: the chance of having it when every swap by others is a fair
coin and nothing is read into what people say. With it a lie can be told from an honest mistake.
Beliefs are always those that the package computes: a record may round its own, and need not have
any. Once a belief had more placements than are kept it is no longer exact; such decisions are
left out of the measures whose formula says "belief exact", and `inexact` tells how many these
are.

Announcements with an exact belief are of one of **four kinds**, so the shares `sure_true`,
`honest_uncertain`, `gamble` and `knowing_bluff` sum to 1. One that is sure and true is never
false and a knowing bluff always is; `honest_false` and `gamble_false` tell of the other two.
Likewise `sure_claim`, `hopeful_claim` and `bluff_claim` sum to 1: of these the first is always
true, the last never.

A formula reads "what is counted / chances, conditions on a chance"; *turns* are those after the
opening, whose takes are forced, *answers* are claims and passes when somebody else has announced,
*choices* are swap or keep. Where there was no chance there is no measure. In a game broken off,
decisions count as far as it went.
"""

_INTERVALS = """
## Intervals

Decisions of one game hang together: a mask once seen is known for turns. Games of one deal do too:
in an arena the same agents play it in turn from every seat. So the **deals** are the clusters:
games are of one deal if their records have the same `seed` in `meta` and the masks were dealt
alike; a game without a seed is a cluster of its own.

A measure is sum(x_g) / sum(n_g) over the clusters g, with n_g chances, and the 95% interval comes
from the variance of that ratio by the jackknife over clusters, with Student's quantile for the
number of clusters that had a chance. With fewer than two there is no interval. Nothing is drawn at
random.

Where each value is 0 or 1, as in all shares and in `bluff_tax`, it is Wilson's interval for as
many independent decisions as would give the same variance; a mean of exactly 0 or 1 shows no
variance and is taken to come from decisions that are all alike within their cluster, which is
cautious.

Other values are skewed, most of all gains: many fines, seldom a fortune. A few games may show none
of the fortunes, and no variance. So their intervals, not their means, count a cluster more at each
end of the span in which single values mostly lie, with two chances, or as many as others have if
these are fewer:

{spans}

With fewer than about 20 deals of one game each that makes intervals wide, so that the truth lies in
them more often than 95 times of 100. From 60 deals on it hardly matters.
"""


def measures() -> None:
    """Write MEASURES.md from the declared measures.

    Example: python -m lab measures
    """
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """The text of MEASURES.md."""
    lines = [_HEAD, "## Measures", "", *_table(), "", "## Phases of a game", "", *_phases()]
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
    yield "Every measure is given for all decisions and by phase of the game when the turn began:"
    yield "late once the richest player lacks at most 3 coins, the most that masks other than the"
    yield "Widow bring from the bank at once, or at most half of the way from the first fortune to"
    yield "the goal where that is less; early up to halfway from the start to there. A phase may be"
    yield "empty where the way is short. By the richest player's coins:"
    yield ""
    yield "| start and goal | early | middle | late |"
    yield "|---|---|---|---|"
    sixes = scenarios()["6A"]
    for start, goal in ((sixes.start_coins, sixes.goal_coins), (2, 5), (2, 4)):
        scenario = Scenario(
            "page", 2, ("judge", "king"), start_coins=start, goal_coins=goal, strict=False
        )
        found: dict[str, list[int]] = {"early": [], "middle": [], "late": []}
        for coins in range(start, goal):
            found[phase_of(coins, scenario)].append(coins)
        yield f"| {start}, {goal} | " + " | ".join(map(_span, found.values())) + " |"


def _span(coins: list[int]) -> str:
    return "-" if not coins else f"{coins[0]}" + (f"..{coins[-1]}" if len(coins) > 1 else "")
