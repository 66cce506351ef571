"""The tree of a scenario: a `Tree`, and what its nodes mean in the game."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env.exact._tree import Tree
from mascarade_env.game._scenarios import Scenario


@dataclass(frozen=True, eq=False)
class GameTree:
    """Every course that a game of a scenario can take.

    Attributes:
        scenario: what is played.
        tree: its nodes.
        actions: [S] the action id of each option.
        keys: [I] the key of each information state (see _memories.py).
        turn: [I] turns already ended.
        phase: [I] what kind of decision it is, a place in `PHASES`.
        announced: [I] the mask announced on this turn, -1 for none.
        own: [N] the mask that truly lies before the one who decides, -1 if nobody does.
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
        """Return the actions that lead from the deal to nodes: [k, depth], then -1."""
        tree, at = self.tree, np.array(nodes, np.int64)
        level = np.searchsorted(tree.arrays.levels, at, "right") - 1
        ways = np.full((len(at), int(level.max(initial=0))), -1, np.int16)
        for depth in range(ways.shape[1] - 1, -1, -1):
            at_depth = np.flatnonzero(level == depth + 1)
            before = tree.parent[at[at_depth]]
            option = tree.start[tree.state[before]] + at[at_depth] - tree.first[before]
            ways[at_depth, depth] = self.actions[option]
            at[at_depth] = before
            level[at_depth] = depth
        return ways
