"""The policy of an agent as a table over the information states of a tree.

The table of an agent that has `probabilities` is exact. Another agent decides several times in each
information state, with new random numbers. We call these decisions draws. The table then holds the
frequencies of its actions. A best response to this table gains too much on average, because it also
exploits the random differences between the draws and the agent. The gains that `least_gains`
returns are too low on average. With more draws, both come closer to the true value.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.exact._positions import TreePositions
from mascarade_env._errors import whole
from mascarade_env._policies.protocol import Policy
from mascarade_env._policies.translation import fitted
from mascarade_env.exact import Gains, GameTree, Tree, best_response, values_of
from mascarade_env.exact import Policy as TreePolicy
from mascarade_env.observation._schema import schema_of

#: The default number of draws, that is of decisions in each information state.
DRAWS = 32

_ROWS = 4096  # information states in one call of an agent
_ROWS_WITH_VIEWS = 256  # the same, if the agent needs views, which take more time and memory


@dataclass(frozen=True, eq=False)
class Tabulated:
    """The policy of an agent as a table.

    Attributes:
        policy: [S] the probability of each option of the tree.
        halves: two tables like `policy`, each from one half of the draws. Both equal `policy` if it
            is exact.
        draws: the number of decisions in each information state; 0 if the agent has
            `probabilities`.
        asked: the number of information states in which the agent decided.
    """

    policy: TreePolicy
    halves: tuple[TreePolicy, TreePolicy]
    draws: int
    asked: int

    @property
    def exact(self) -> bool:
        """Whether the table holds the agent's own probabilities, and not frequencies of draws."""
        return not self.draws


def tabulate(  # noqa: PLR0913  options by name
    agent: Policy,
    game: GameTree,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    only_reached: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Tabulated:
    """Return the probabilities of an agent's actions in the information states of a tree.

    In an information state, the agent sees the same as in a game that reaches it. All games that
    reach one information state look the same to its player.

    Args:
        agent: an agent for the scenario of the tree.
        game: the tree.
        draws: the number of decisions in each information state, at least 2, if the agent has no
            `probabilities`.
        seed: the seed of the random numbers for these decisions.
        only_reached: skip information states that games reach only if two or more players do not
            follow the agent's policy. The table is uniform there. This changes neither values nor
            best responses.
        progress: a function that is called after each batch of information states, with the number
            of those that are finished and the number of all.

    Raises:
        MascaradeError: the agent raises an error, returns illegal actions or wrong probabilities,
            or plays another scenario; or the tree was built with other rules.
    """
    agent = fitted(agent, schema_of(game.scenario, "both", False))
    whole(draws, "draws", at_least=2)
    rng = np.random.default_rng(whole(seed, "seed", at_least=0))
    tree = game.tree
    size = _ROWS_WITH_VIEWS if agent.needs_views else _ROWS
    halves = np.tile(tree.uniform(), (2, 1))
    frontier = _Frontier(tree)
    drawn, asked = False, 0
    for level, end in enumerate(tree.arrays.level_states[1:]):
        states = np.arange(tree.arrays.level_states[level], end)
        if only_reached:
            states = frontier.left_by_one(level)
        # The agent does not decide in a state with a single option.
        states = states[tree.options[states] > 1]
        asked += len(states)
        for first in range(0, len(states), size):
            positions = TreePositions(game, states[first : first + size])
            probabilities = positions.probabilities_of(agent)
            if probabilities is None:
                drawn = True
                probabilities = positions.drawn_from(agent, draws, rng)
            halves[:, positions.options] = probabilities
            if progress is not None:
                progress(int(states[first : first + size][-1]) + 1, tree.states)
        if only_reached:
            frontier.advance(level, halves.sum(axis=0) > 0)
    shares = np.array([draws - draws // 2, draws // 2]) / draws if drawn else np.array([1.0, 0.0])
    return Tabulated(shares @ halves, (halves[0], halves[1]), draws if drawn else 0, asked)


def least_gains(tree: Tree, tabulated: Tabulated) -> Gains:
    """Return a low estimate of what each player gains by a best response to an agent's policy.

    Compute a best response to each half of the draws, and evaluate it against the other half. On
    average over draws, the result is a lower bound, because a response computed from draws cannot
    gain more than the true best response to the agent. If the table is exact, the result equals
    that of `nash_conv`.
    """
    values, best = np.zeros(tree.players), np.zeros(tree.players)
    for seen, unseen in (tabulated.halves, tabulated.halves[::-1]):
        values += values_of(tree, unseen) / 2
        for player in range(tree.players):
            _, choices = best_response(tree, seen, player)
            response = unseen.copy()
            response[tree.owner[tree.state_of_option] == player] = 0
            mine = np.flatnonzero(choices >= 0)
            response[tree.start[mine] + choices[mine]] = 1
            best[player] += values_of(tree, response)[player] / 2
    return Gains(values, best, float((best - values).sum()))


class _Frontier:
    """The nodes of a level that games reach if at most one player does not follow a policy."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._reached = np.ones((tree.players, 1), np.bool_)  # [deviating player, node]

    def left_by_one(self, level: int) -> NDArray[np.int64]:
        """Return the information states of a level that games reach if another player deviates."""
        states, inner = self._states(level)
        by_others = self._reached[:, inner].copy()
        by_others[self._tree.owner[states], np.arange(len(states))] = False
        return np.unique(states[by_others.any(axis=0)])

    def advance(self, level: int, taken: NDArray[np.bool_]) -> None:
        """Move to the next level of the tree.

        Args:
            level: the current level.
            taken: [S] whether the policy takes each option with a positive probability.
        """
        tree = self._tree
        states, inner = self._states(level)
        counts = tree.options[states]
        # The children of the nodes of a level are, in order, the nodes of the next level.
        place = np.arange(counts.sum()) + np.repeat(
            tree.start[states] - counts.cumsum() + counts, counts
        )
        leaves = np.arange(tree.players)[:, None] == np.repeat(tree.owner[states], counts)
        self._reached = np.repeat(self._reached[:, inner], counts, axis=1) & (leaves | taken[place])

    def _states(self, level: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return the states of the inner nodes of a level, and whether each node is inner."""
        begin, end = self._tree.arrays.levels[level : level + 2]
        states = self._tree.state[begin:end]
        return states[states >= 0], states >= 0
