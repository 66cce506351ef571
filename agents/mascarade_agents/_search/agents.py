"""The agents that search: `flat:200`, `ismcts:500`, `ismcts:100ms`, `ismcts:500,0.7`.

Budgets are simulations or milliseconds a decision. With simulations the same random numbers give
the same action; with milliseconds they need not.

Measured in 6A at 500 simulations, win share of one searcher among five copies of an agent, with
95 % intervals; an equal share is 0.167. The two columns are of different deals.

| among five of | ismcts, 240 games | flat, 150 games |
|---|---|---|
| stopper | 0.27 +- 0.06 | 0.32 +- 0.08 |
| statistician | 0.35 +- 0.06 | 0.47 +- 0.08 |
| opportunist | 0.45 +- 0.06 | 0.53 +- 0.08 |

Here flat is ahead; at tables of mixed agents, 900 games each while this was built, it was not
(0.34 and 0.37, +- 0.03). Which is stronger is open, and so is what more simulations bring.
"""

from collections.abc import Sequence

import numpy as np

from mascarade_agents._agent import Agent
from mascarade_agents._ladder.observation_reader import Reading
from mascarade_agents._search import tree
from mascarade_agents._search.budget import parse_budget, parse_number
from mascarade_agents._search.flat import try_actions
from mascarade_agents._search.word_evidence import read
from mascarade_agents._search.worlds import Position, Simulations, position
from mascarade_env.game._rng import MAX_SEED
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._agent_view import AgentView

#: Rounds of the table after which a simulation is stopped (see position_values.py).
ROUNDS = 2
_SIMULATIONS = 500
_EXPLORE = 0.3
_NODES = 1 << 17  # of a tree at most; beyond them it grows no more


def position_of(view: AgentView) -> Position:
    """Return what a search works on, from the view of the player who decides."""
    observations, masks = view.observation()[None], view.legal_mask()[None]
    reading = Reading(view.scenario, observations, masks, np.zeros(1, np.bool_))
    return position(view.row(), view.held(), read(reading, view.seat, view.player_at))


class FlatMonteCarlo(Agent):
    """Tries each action equally often, in common worlds, and takes the best mean win share."""

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        self.budget = parse_budget(argument, _SIMULATIONS)

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        """Return the action id for a player who decides."""
        actions = view.legal_ids()
        return actions[0] if len(actions) == 1 else self.plan(position_of(view), actions, rng)

    def plan(self, p: Position, actions: Sequence[int], rng: np.random.Generator) -> int:
        """Return the best of the legal actions of a position."""
        ids = np.array(actions, np.int64)
        totals = np.zeros(len(ids))
        seed = int(rng.integers(MAX_SEED))
        timed = self.budget.milliseconds is not None
        for first, count in self.budget.chunks(len(ids)):
            # A number of simulations is shared by the actions, at least one for each.
            each = 1 if timed else max(1, count // len(ids))
            try_actions(p, ids, totals, Simulations(seed, first, each, ROUNDS))
        return int(ids[totals.argmax()])


class ISMCTS(Agent):
    """Monte Carlo tree search on the searcher's information sets, for n players.

    A variant of single-observer ISMCTS (Cowling, Powley and Whitehouse 2012): the tree is the same,
    but its bounds choose the searcher's actions alone, by the searcher's win share. Others act by
    the policy of simulations, each on what they themselves may know. The bounds prefer what that
    policy prefers, and a new node is entered by its likeliest action. The price: others follow a
    fixed model and do not answer what the searcher does, so this finds what is good against that
    model, no equilibrium.

    The action tried most often is taken. What stands after a comma is the exploration constant.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        words, comma, constant = argument.partition(",")
        self.budget = parse_budget(words, _SIMULATIONS)
        self.explore = parse_number(constant, "the exploration constant") if comma else _EXPLORE
        self._tree = tree.new_tree(min(self.budget.simulations + 1, _NODES))

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        """Return the action id for a player who decides."""
        actions = view.legal_ids()
        return actions[0] if len(actions) == 1 else self.plan(position_of(view), actions, rng)

    def plan(self, p: Position, actions: Sequence[int], rng: np.random.Generator) -> int:
        """Return the best of the legal actions of a position."""
        seed = int(rng.integers(MAX_SEED))
        tree.clear(self._tree)
        for first, count in self.budget.chunks(64):
            tree.grow(p, self._tree, Simulations(seed, first, count, ROUNDS), self.explore)
        return actions[int(tree.most_visited(self._tree, len(actions)))]
