"""The agents that search: `flat:200`, `ismcts:500`, `ismcts:100ms`, `ismcts:500,0.7`.

A budget is a number of simulations or of milliseconds for each decision. With simulations, the same
seed gives the same action; with milliseconds, the action depends on the speed of the machine.

The table has the win shares, with 95% intervals, of one agent that searches against 5 copies of a
hand-written agent, in games of 6A, with 500 simulations for each decision. The fair share is 1/6 =
0.167. The two columns are from different deals.

| opponents | ismcts, 240 games | flat, 150 games |
|---|---|---|
| 5 stopper | 0.27 +- 0.06 | 0.32 +- 0.08 |
| 5 statistician | 0.35 +- 0.06 | 0.47 +- 0.08 |
| 5 opportunist | 0.45 +- 0.06 | 0.53 +- 0.08 |

In the table, flat has the larger win shares. In mixed games, 900 of each agent, flat was not ahead:
the two win shares were 0.34 and 0.37, both +- 0.03. So these figures do not show which agent is
stronger. The effect of more simulations was not measured.
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

#: The rounds of turns after which a simulation stops (see position_values.py).
ROUNDS = 2
_SIMULATIONS = 500
_EXPLORE = 0.3
_NODES = 1 << 17  # the most nodes of a tree


def position_of(view: AgentView) -> Position:
    """Return the position to search, from the view of the deciding player."""
    observations, masks = view.observation()[None], view.legal_mask()[None]
    reading = Reading(view.scenario, observations, masks, np.zeros(1, np.bool_))
    return position(view.row(), view.held(), read(reading, view.seat, view.player_at))


class FlatMonteCarlo(Agent):
    """An agent that simulates each action equally often.

    It takes the action with the largest mean win share. It simulates all actions in the same
    worlds. The text after the colon of the agent's name is the budget.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        self.budget = parse_budget(argument, _SIMULATIONS)

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        """Return the action id of the best action that the search found."""
        actions = view.legal_ids()
        return actions[0] if len(actions) == 1 else self.plan(position_of(view), actions, rng)

    def plan(self, p: Position, actions: Sequence[int], rng: np.random.Generator) -> int:
        """Search a position, and return the best of its legal actions."""
        ids = np.array(actions, np.int64)
        totals = np.zeros(len(ids))
        seed = int(rng.integers(MAX_SEED))
        timed = self.budget.milliseconds is not None
        for first, count in self.budget.chunks(len(ids)):
            # The actions share the simulations; each action gets at least one.
            each = 1 if timed else max(1, count // len(ids))
            try_actions(p, ids, totals, Simulations(seed, first, each, ROUNDS))
        return int(ids[totals.argmax()])


class ISMCTS(Agent):
    """Monte Carlo tree search on the searcher's information sets, for n players.

    It is a variant of single-observer ISMCTS (Cowling, Powley and Whitehouse 2012), with the same
    tree. Upper confidence bounds choose only the actions of the searching player. They use this
    player's win share, and the policy of simulations as prior. All other players act by the policy
    of simulations, each with the knowledge that they may have. So the search finds a good response
    to a fixed model of the other players. It does not find an equilibrium.

    The agent takes the action that it tried most often. The text after the colon of the agent's
    name is the budget. A comma and the exploration constant may follow it.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        words, comma, constant = argument.partition(",")
        self.budget = parse_budget(words, _SIMULATIONS)
        self.explore = parse_number(constant, "the exploration constant") if comma else _EXPLORE
        self._tree = tree.new_tree(min(self.budget.simulations + 1, _NODES))

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        """Return the action id of the best action that the search found."""
        actions = view.legal_ids()
        return actions[0] if len(actions) == 1 else self.plan(position_of(view), actions, rng)

    def plan(self, p: Position, actions: Sequence[int], rng: np.random.Generator) -> int:
        """Search a position, and return the best of its legal actions."""
        seed = int(rng.integers(MAX_SEED))
        tree.clear(self._tree)
        for first, count in self.budget.chunks(64):
            tree.grow(p, self._tree, Simulations(seed, first, count, ROUNDS), self.explore)
        return actions[int(tree.most_visited(self._tree, len(actions)))]
