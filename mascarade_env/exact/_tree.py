"""A whole game as flat arrays: every node, its acting player, and the payoffs of each end.

Nodes are numbered level by level: first the root, then all nodes after one decision, and so on. So
the children of a node are adjacent, and the children of the next node follow them. This is why no
list of children is needed. `state[node]` is the number of the node's information state, or ~k if
the game ends at the node with the payoffs of row k.

A policy is one array: the probabilities of the options of all information states. The options of a
state begin at index `start[state]`. The array contains the options of chance nodes too.

This works for any finite game, not only for Mascarade, under two conditions. Players must know how
many decisions have been taken (`Tree` refuses other games), and they must forget nothing.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError

#: The owner of chance nodes: no player decides there.
CHANCE = -1

Policy = NDArray[np.float64]


class Arrays(NamedTuple):
    """The arrays that the sweeps read."""

    state: NDArray[np.int32]  # [N]
    first: NDArray[np.int32]  # [N + 1] first child of each node
    owner: NDArray[np.int8]  # [I]
    start: NDArray[np.int32]  # [I + 1] first option of each information state
    payoffs: NDArray[np.float64]  # [K, n]
    levels: NDArray[np.int32]  # [L + 1] first node of each level
    level_states: NDArray[np.int32]  # [L + 1] first information state of each level


@dataclass(frozen=True, eq=False)
class Tree:
    """A game as flat arrays.

    Attributes:
        state: [N] the information state of each node, or ~k if the game ends there with the payoffs
            of row k.
        owner: [I] the player who decides in each information state, or `CHANCE`.
        options: [I] the number of options of each information state.
        payoffs: [K, n] the payoffs of the players, a row for each kind of end.
        chance: [S] the probabilities of the options at chance nodes; 0 for options of players.
    """

    state: NDArray[np.int32]
    owner: NDArray[np.int8]
    options: NDArray[np.int32]
    payoffs: NDArray[np.float64]
    chance: NDArray[np.float64]

    def __post_init__(self) -> None:
        for name, kind in KINDS.items():
            object.__setattr__(self, name, as_type(getattr(self, name), kind, name))
        _check(self)

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.payoffs.shape[1])

    @property
    def nodes(self) -> int:
        """The number of nodes, of all kinds."""
        return len(self.state)

    @property
    def terminals(self) -> int:
        """The number of nodes at which the game is over."""
        return int(np.count_nonzero(self.state < 0))

    @property
    def states(self) -> int:
        """The number of information states, including those of chance nodes."""
        return len(self.owner)

    def states_of(self, player: int) -> int:
        """Return the number of information states in which a player decides."""
        return int(np.count_nonzero(self.owner == player))

    @cached_property
    def arrays(self) -> Arrays:
        """The arrays for compiled code."""
        start = np.concatenate([[0], np.cumsum(self.options)]).astype(np.int32)
        levels = _levels(self.first)
        return Arrays(
            self.state,
            self.first,
            self.owner,
            start,
            self.payoffs,
            levels,
            _first_states(self.state, levels, self.states),
        )

    @cached_property
    def first(self) -> NDArray[np.int32]:
        """[N + 1] the first child of each node.

        For a node without children, it is the first child of the next node that has one.
        """
        children = np.where(self.state < 0, 0, self.options[np.maximum(self.state, 0)])
        return np.concatenate([[1], 1 + np.cumsum(children)]).astype(np.int32)

    @property
    def start(self) -> NDArray[np.int32]:
        """[I + 1] the index in a policy of the first option of each information state."""
        return self.arrays.start

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """[N] the parent of each node, -1 for the root."""
        children = np.diff(self.first)
        return np.concatenate([[-1], np.repeat(np.arange(self.nodes), children)]).astype(np.int32)

    @cached_property
    def state_of_option(self) -> NDArray[np.int32]:
        """[S] the information state to which each option belongs."""
        return np.repeat(np.arange(self.states, dtype=np.int32), self.options)

    def uniform(self) -> Policy:
        """Return the policy that takes all options of a state with the same probability.

        Chance nodes keep their probabilities.
        """
        return np.where(
            self.owner[self.state_of_option] == CHANCE,
            self.chance,
            1.0 / self.options[self.state_of_option],
        )

    def checked(self, policy: Policy) -> Policy:
        """Check a policy of this tree, and insert the probabilities of chance nodes.

        Raises:
            MascaradeError: the array has another length, or the probabilities of a state are below
                0 or do not sum to 1.
        """
        probabilities = np.asarray(policy, np.float64)
        if probabilities.shape != self.chance.shape:
            raise MascaradeError(
                f"a policy of this tree must have the shape ({len(self.chance)},), not "
                f"{probabilities.shape}"
            )
        checked = np.where(self.owner[self.state_of_option] == CHANCE, self.chance, probabilities)
        sums = np.add.reduceat(checked, self.start[:-1])
        wrong = np.flatnonzero(~(np.abs(sums - 1) < 1e-6))
        if wrong.size or not (checked >= 0).all():
            where = int(wrong[0]) if wrong.size else int(self.state_of_option[checked.argmin()])
            options = checked[self.start[where] : self.start[where + 1]]
            raise MascaradeError(
                f"the probabilities of information state {where} are {options}: they must be 0 or "
                "more and sum to 1"
            )
        return checked


#: The arrays of a tree, and the types for which the sweeps are compiled.
KINDS: dict[str, type[np.generic]] = {
    "state": np.int32, "owner": np.int8, "options": np.int32, "payoffs": np.float64,
    "chance": np.float64,
}  # fmt: skip


def as_type(array: object, kind: type[np.generic], name: str) -> NDArray[Any]:
    """Convert an array to a type without a change of any number.

    Raises:
        MascaradeError: the type cannot hold a number, or the array does not hold numbers.
    """
    original = np.asarray(array)
    _must(original.dtype.kind in "iuf", f"{name} must be numbers")
    with np.errstate(invalid="ignore", over="ignore"):
        converted = np.ascontiguousarray(original, kind)
    fits = np.array_equal(converted, original, equal_nan=True)
    _must(fits, f"{name} must be numbers of the type {kind.__name__}")
    return converted


def _levels(first: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the first node of each level, followed by the number of nodes."""
    nodes = len(first) - 1
    levels = [0]
    while levels[-1] < nodes:
        levels.append(int(first[levels[-1]]))
    return np.array(levels, np.int32)


def _first_states(
    state: NDArray[np.int32], levels: NDArray[np.int32], states: int
) -> NDArray[np.int32]:
    """Return the first information state of each level, followed by the number of all states."""
    firsts = [states]
    for begin, end in zip(levels[-2::-1], levels[:0:-1], strict=True):
        states_here = state[begin:end]
        states_here = states_here[states_here >= 0]
        firsts.append(int(states_here.min()) if states_here.size else firsts[-1])
    return np.array(firsts[::-1], np.int32)


def _check(tree: Tree) -> None:
    """Raise an error if the arrays are not a tree.

    The compiled sweeps do not check them, and could read outside of the arrays.
    """
    inner = tree.state[tree.state >= 0]
    ends = ~tree.state[tree.state < 0]
    flat = (tree.state, tree.owner, tree.options, tree.chance)
    _must(all(array.ndim == 1 for array in flat), "all arrays but payoffs must have one dimension")
    _must(tree.nodes > 0, "state must have at least one node")
    _must(
        tree.payoffs.ndim == 2 and np.isfinite(tree.payoffs).all(),
        "payoffs must be finite numbers of shape [K, n]",
    )
    _must(len(tree.options) == tree.states, "owner and options must have the same length")
    _must(tree.chance.shape == (tree.options.sum(),), "`chance` must have a number for each option")
    _must(
        ((tree.owner >= CHANCE) & (tree.owner < tree.players)).all(),
        f"each owner must be {CHANCE} or a player 0..{tree.players - 1}",
    )
    _must((tree.options > 0).all(), "each information state must have at least one option")
    _must(inner.max(initial=-1) < tree.states, f"each state must be below {tree.states}")
    nodes = np.bincount(inner, minlength=tree.states)
    _must((nodes > 0).all(), "each information state must have at least one node")
    _must(
        ends.max(initial=-1) < len(tree.payoffs),
        f"each end must be a row of payoffs, 0..{len(tree.payoffs) - 1}",
    )
    _must(
        int(tree.first[-1]) == tree.nodes,
        f"the options lead to {int(tree.first[-1]) - 1} nodes, so state must have "
        f"{int(tree.first[-1])} nodes, not {tree.nodes}",
    )
    reached = tree.first[1:-1] > np.arange(1, tree.nodes)
    _must(reached.all(), "each node must be a child of an earlier node")
    arrays = tree.arrays
    level = np.repeat(np.arange(len(arrays.levels) - 1), np.diff(arrays.levels))
    level_of_state = np.searchsorted(arrays.level_states, tree.state, "right") - 1
    _must(
        (level_of_state == level)[tree.state >= 0].all(),
        "all nodes of an information state must be in one level, because players know how many "
        "decisions have been taken; and the states must be numbered level by level",
    )
    tree.checked(tree.uniform())


def _must(holds: object, rule: str) -> None:
    if not holds:
        raise MascaradeError(f"these arrays are not the tree of a game: {rule}")
