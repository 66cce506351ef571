"""The size of the tree of a scenario."""

from dataclasses import fields
from typing import NamedTuple

import numpy as np

from mascarade_env.exact._game_tree import GameTree


class Size(NamedTuple):
    """The size of a game tree.

    Attributes:
        nodes: number of nodes of all kinds.
        decisions: number of nodes at which a player decides.
        terminals: number of nodes at which the game is over.
        states: number of information states, if players forget nothing.
        states_of: for each player, the number of information states in which the player decides.
        options: number of actions, summed over information states. A policy has a probability for
            each of them.
        depth: number of decisions in the longest game.
        bytes: memory of the arrays.
    """

    nodes: int
    decisions: int
    terminals: int
    states: int
    states_of: list[int]
    options: int
    depth: int
    bytes: int


def size_of(game: GameTree) -> Size:
    """Return the size of a tree."""
    tree = game.tree
    kept = [getattr(part, field.name) for part in (tree, game) for field in fields(part)]
    # The sweeps also read arrays that are derived from these.
    arrays = {id(array): array for array in [*kept, *tree.arrays] if isinstance(array, np.ndarray)}
    return Size(
        nodes=tree.nodes,
        decisions=tree.nodes - tree.terminals,
        terminals=tree.terminals,
        states=tree.states,
        states_of=[tree.states_of(player) for player in range(tree.players)],
        options=len(tree.chance),
        depth=len(tree.arrays.levels) - 2,
        bytes=sum(array.nbytes for array in arrays.values()),
    )
