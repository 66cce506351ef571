"""How large the tree of a scenario is."""

from dataclasses import fields
from typing import NamedTuple

import numpy as np

from mascarade_env.exact._game_tree import GameTree


class Size(NamedTuple):
    """What there is of a game.

    Attributes:
        nodes: of all kinds.
        decisions: nodes at which a player decides.
        terminals: nodes at which the game is over.
        states: information states: what players can tell apart, if they forget nothing.
        states_of: those in which each player decides.
        options: of all information states; a policy has a probability for each.
        depth: decisions in the longest game.
        bytes: of the arrays in memory.
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
    # The sweeps read some more arrays, made of these.
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
