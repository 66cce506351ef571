"""Games solved exactly: small scenarios as whole trees, values, best responses, equilibria.

    from mascarade_env.exact import Solver, build, nash_conv

    game = build("small-2")                    # every node, from the rules themselves
    solver = Solver(game.tree, "cfr+")
    solver.run(200)
    print(nash_conv(game.tree, solver.average()))

What players get is counted in win shares: 1 to the winner, 1/w to each of w winners, 1/n to each
of n players when a game is void. NashConv is the sum of what each player could gain by leaving the
policy alone: 0 for an equilibrium, n - 1 at most.

Imports the game, and `render` for the text on plots. Each file may import those above it:

_tree.py: any finite game as flat arrays; what a policy is
_sweeps.py: values, best responses, NashConv: compiled sweeps over a tree
_cfr.py: `Solver`: counterfactual regret minimisation
_game_tree.py: `GameTree`: the tree of a scenario, and what its nodes mean
_memories.py: what players remember, as numbers
_sizes.py: how large the tree of a scenario is
_building.py: `build`: the tree of a scenario, from the rules
_files.py: trees and policies on disk
_behaviour.py: `conduct`: how a policy plays, nothing sampled
_solver_run.py: `approach`: a solver on its way, measured
_plot.py: NashConv over iterations and time, as a picture
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
