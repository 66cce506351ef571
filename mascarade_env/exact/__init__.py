"""Solve small scenarios exactly: game trees, values, best responses and equilibria.

    from mascarade_env.exact import Solver, build, nash_conv

    game = build("small-2")                    # the whole game tree
    solver = Solver(game.tree, "cfr+")
    solver.run(200)
    print(nash_conv(game.tree, solver.average()))

Payoffs are win shares: 1 for a sole winner, 1/w for each of w winners, 1/n for each of n players if
the game is void. NashConv measures the distance to an equilibrium. For each player, it takes the
win share that this player alone could gain by leaving the policy, and it sums these gains over the
players. It is 0 for an equilibrium and at most n - 1. EQUILIBRIA.md describes solved games.

This package imports the game, and `render` for the text on plots. Each file in this list may import
those above it:

_tree.py: `Tree`: any finite game as flat arrays; the format of policies
_sweeps.py: values, best responses, NashConv: compiled sweeps over a tree
_cfr.py: `Solver`: counterfactual regret minimisation
_game_tree.py: `GameTree`: the tree of a scenario, and the meaning of its nodes
_memories.py: the events that players remember, as numbers
_sizes.py: the size of a tree
_building.py: `build`: the tree of a scenario, from the rules
_files.py: trees and policies on disk
_behaviour.py: `conduct`: how a policy plays, computed without sampling
_solver_run.py: `approach`: run a solver and measure its NashConv
_plot.py: a plot of NashConv over iterations and time
"""

from mascarade_env.exact._behaviour import Conduct, Opportunities, conduct
from mascarade_env.exact._building import build
from mascarade_env.exact._cfr import RULES, Solver
from mascarade_env.exact._files import SavedPolicy, load_tree, save_tree
from mascarade_env.exact._game_tree import GameTree
from mascarade_env.exact._solver_run import Approach, Point, approach
from mascarade_env.exact._sweeps import Gains, best_response, nash_conv, reach_of, values_of
from mascarade_env.exact._tree import CHANCE, Policy, Tree

__all__ = [
    "CHANCE",
    "RULES",
    "Approach",
    "Conduct",
    "Gains",
    "GameTree",
    "Opportunities",
    "Point",
    "Policy",
    "SavedPolicy",
    "Solver",
    "Tree",
    "approach",
    "best_response",
    "build",
    "conduct",
    "load_tree",
    "nash_conv",
    "reach_of",
    "save_tree",
    "values_of",
]
