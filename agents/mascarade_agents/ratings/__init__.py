"""Comparisons of agents by the results of an arena: pure functions of `Results`.

A is the number of agents, n the number of players in a game, G the number of games.

- `win_shares`: the share of the wins that each agent gets in mixed games (see `kinds`).
- `one_against_many`: win shares of one agent against n-1 copies of another (1 vs n-1).
- `pairwise`: how often one agent does better than another at the same table.
- `skill`: OpenSkill ratings.
- `clearly`: which differences are significant at 95%, after correction for their number.
- `cycles`: agents that beat each other in a cycle, so that no ranking of them is right.
- `alpha_rank` and `maximal_lottery`: measures that need no ranking.

All random numbers come from the argument `seed`. The order of the agents changes no value. This
package imports `Results` alone. Each file may import those above it:

_game_kinds.py: mixed games, one against many, mirror games
_intervals.py: means with intervals, by a bootstrap over deals
_significance.py: `clearly`
_shares.py: `win_shares`, `forfeits`
_duels.py: `one_against_many`
_pairs.py: `pairwise`
_skill.py: `skill`
_cycles.py: `cycles`
_meta_game.py: `alpha_rank`, `maximal_lottery`
"""

from mascarade_agents.ratings._cycles import Cycles, cycles
from mascarade_agents.ratings._duels import Duels, one_against_many
from mascarade_agents.ratings._game_kinds import Kinds, kinds
from mascarade_agents.ratings._intervals import DRAWS, Estimates
from mascarade_agents.ratings._meta_game import (
    ALPHA,
    POPULATION,
    alpha_rank,
    compared,
    maximal_lottery,
)
from mascarade_agents.ratings._pairs import pairwise
from mascarade_agents.ratings._shares import forfeits, win_shares
from mascarade_agents.ratings._significance import clearly
from mascarade_agents.ratings._skill import ORDERS, Skill, skill

__all__ = [
    "ALPHA",
    "DRAWS",
    "ORDERS",
    "POPULATION",
    "Cycles",
    "Duels",
    "Estimates",
    "Kinds",
    "Skill",
    "alpha_rank",
    "clearly",
    "compared",
    "cycles",
    "forfeits",
    "kinds",
    "maximal_lottery",
    "one_against_many",
    "pairwise",
    "skill",
    "win_shares",
]
