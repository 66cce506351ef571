"""How an agent plays in the information states of a tree.

Agents that know their probabilities are asked for them. Others are asked for decisions again and
again, with new random numbers, and the policy is how often they took each action. Then what a best
response gains is too high on average, as it answers the draws and not the agent; `least_gains`
is too low on average. The more draws, the nearer the two.
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

#: Decisions that are drawn in each information state unless told otherwise.
DRAWS = 32

_ROWS = 4096  # information states that are asked for at once
_ROWS_WITH_VIEWS = 256  # the same if there must be views, which take more time and memory


@dataclass(frozen=True, eq=False)
class Tabulated:
    """How an agent plays.

    Attributes:
        policy: [S] the probability of each option of the tree.
        halves: the same by each half of the draws alone; twice the policy if it is exact.
        draws: decisions drawn in each information state; 0 if the agent knows its probabilities.
        asked: information states in which the agent was asked.
    """

    policy: TreePolicy
    halves: tuple[TreePolicy, TreePolicy]
    draws: int
    asked: int

    @property
    def exact(self) -> bool:
        """Whether the agent knows its probabilities."""
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

    The agent is shown what it would be shown in a game: one that leads to the information state,
    whichever, since they all look the same to the player.

    Args:
        agent: it must play the scenario of the tree.
        game: the tree.
        draws: decisions for each information state if the agent does not know its probabilities.
        seed: of the random numbers that it then draws by.
        only_reached: leave out what cannot be reached if one player at most leaves the agent's
            policy: there it stands as uniform, and neither values nor best responses change.
        progress: called now and then with the number of information states done, and of all.

    Raises:
        MascaradeError: the agent fails, answers what is not legal or no probabilities, or plays
            another scenario; or the tree was built by other rules.
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
        # Nobody need be asked where there is one option.
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
    """What each player can gain at least, on average over draws, by leaving an agent's policy.

    The best response to one half of the draws is valued against the other half, which it does not
    know, and the other way round: against the agent itself no response can do better than the best.
    If the policy is exact, this is what `nash_conv` returns.
    """
    values, best = np.zeros(tree.players), np.zeros(tree.players)
    for known, unknown in (tabulated.halves, tabulated.halves[::-1]):
        values += values_of(tree, unknown) / 2
        for player in range(tree.players):
            _, choices = best_response(tree, known, player)
            response = unknown.copy()
            response[tree.owner[tree.state_of_option] == player] = 0
            mine = np.flatnonzero(choices >= 0)
            response[tree.start[mine] + choices[mine]] = 1
            best[player] += values_of(tree, response)[player] / 2
    return Gains(values, best, float((best - values).sum()))


class _Frontier:
    """Which nodes of a level can be reached if all players but one follow a policy."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._reached = np.ones((tree.players, 1), np.bool_)  # [n, nodes] by who may leave it

    def left_by_one(self, level: int) -> NDArray[np.int64]:
        """The information states of a level that are reached when another player leaves it."""
        states, inner = self._states(level)
        by_others = self._reached[:, inner].copy()
        by_others[self._tree.owner[states], np.arange(len(states))] = False
        return np.unique(states[by_others.any(axis=0)])

    def advance(self, level: int, taken: NDArray[np.bool_]) -> None:
        """Go to the next level; `taken` are the options that the policy ever takes."""
        tree = self._tree
        states, inner = self._states(level)
        counts = tree.options[states]
        # The children of a level stand one after the other, and are the next level.
        place = np.arange(counts.sum()) + np.repeat(
            tree.start[states] - counts.cumsum() + counts, counts
        )
        leaves = np.arange(tree.players)[:, None] == np.repeat(tree.owner[states], counts)
        self._reached = np.repeat(self._reached[:, inner], counts, axis=1) & (leaves | taken[place])

    def _states(self, level: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """The information states of the nodes of a level that are no ends, and which these are."""
        begin, end = self._tree.arrays.levels[level : level + 2]
        states = self._tree.state[begin:end]
        return states[states >= 0], states >= 0
