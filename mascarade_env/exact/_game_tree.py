"""The tree of a scenario: a `Tree`, and the meaning of its nodes in the game."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env.exact._tree import Tree
from mascarade_env.game._scenarios import Scenario


@dataclass(frozen=True, eq=False)
class GameTree:
    """The tree of all possible games of a scenario, and the meaning of its nodes.

    Attributes:
        scenario: the scenario.
        tree: the tree as flat arrays.
        actions: [S] the action id of each option.
        keys: [I] the key of each information state (see _memories.py).
        turn: [I] the number of turns that have ended.
        phase: [I] the kind of decision, an index of `PHASES`.
        announced: [I] the mask announced on this turn, -1 for none.
        own: [N] the true mask of the acting player, -1 where the game is over.
    """

    scenario: Scenario
    tree: Tree
    actions: NDArray[np.int16]
    keys: NDArray[np.int64]
    turn: NDArray[np.int32]
    phase: NDArray[np.int8]
    announced: NDArray[np.int8]
    own: NDArray[np.int8]

    @cached_property
    def nodes_of_states(self) -> NDArray[np.int32]:
        """[I] the first node of each information state."""
        inner = np.flatnonzero(self.tree.state >= 0)
        _, places = np.unique(self.tree.state[inner], return_index=True)
        firsts: NDArray[np.int32] = inner[places].astype(np.int32)
        return firsts

    def ways_to(self, nodes: NDArray[Any]) -> NDArray[np.int16]:
        """Return the actions from the deal to each of k nodes, [k, depth], filled up with -1."""
        tree, at = self.tree, np.array(nodes, np.int64)
        level = np.searchsorted(tree.arrays.levels, at, "right") - 1
        paths = np.full((len(at), int(level.max(initial=0))), -1, np.int16)
        for depth in range(paths.shape[1] - 1, -1, -1):
            at_depth = np.flatnonzero(level == depth + 1)
            before = tree.parent[at[at_depth]]
            option = tree.start[tree.state[before]] + at[at_depth] - tree.first[before]
            paths[at_depth, depth] = self.actions[option]
            at[at_depth] = before
            level[at_depth] = depth
        return paths
