"""Games solved exactly: small scenarios as whole trees, values, best responses, equilibria.

    from mascarade_env.exact import Solver, build, nash_conv

    game = build("small-2")                    # every node, from the rules themselves
    solver = Solver(game.tree, "cfr+")
    solver.run(200)
    print(nash_conv(game.tree, solver.average()))

What players get is counted in win shares: 1 to the winner, 1/w to each of w winners, 1/n to each
of n players when a game is void. NashConv is the sum of what each player could gain by leaving the
policy alone: 0 for an equilibrium, n - 1 at most.

`_tree` is any finite game as flat arrays, `_building` makes one from a scenario (`_game_tree` says
what its nodes mean, `_memories` which of them look alike), `_sweeps` and `_cfr` are the compiled
sweeps over it, `_behaviour` measures a policy, `_files` stores trees and policies. Imports the game
alone.
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
