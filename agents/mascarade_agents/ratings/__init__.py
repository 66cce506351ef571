"""Comparisons of agents by the results of an arena: pure functions of `Results`.

A is the number of agents, n the number of players in a game, G the number of games.

- `win_shares`: the win share of each agent in mixed games (see `kinds`). The win share of a player
  is 1/w if the player is one of w winners, and 0 otherwise.
- `one_against_many`: win shares of one agent against n-1 copies of another (1 vs n-1).
- `pairwise`: how often one agent gets a larger win share than another in the same game.
- `skill`: OpenSkill ratings.
- `clearly`: which differences are significant at 95%, after correction for their number.
- `cycles`: agents that beat each other in a cycle. No ranking of these agents is right.
- `alpha_rank` and `maximal_lottery`: two measures that are valid without a ranking.

All random numbers come from the argument `seed`. The order of the agents changes no value. This
package imports only `Results`. Each file may import the files above it:

_game_kinds.py: kinds of games: mixed, one against many, mirror
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
