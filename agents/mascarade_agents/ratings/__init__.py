"""Orders of agents, from the results of an arena: pure functions of `Results`.

- `win_shares`: what part of the wins each agent gets in mixed games (`kinds` says which these are).
- `one_against_many`: whether an agent can enter a table of copies of another and win there.
- `pairwise`: how often one agent does better than another at the same table.
- `skill`: OpenSkill ratings.
- `clearly`: which differences are significant, after correction for how many are compared.
- `cycles`: agents that beat each other in a circle, so that no order is right; `alpha_rank` and
  `maximal_lottery` share one out among them then.

All that is sampled comes from the argument `seed`, and the order of the agents changes no value.
Imports `Results` alone. Each file may import those above it:

_game_kinds.py: mixed games, one against many, mirrors
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
