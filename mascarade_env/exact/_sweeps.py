"""Values and best responses: compiled sweeps over all nodes of a tree, downwards and upwards."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled, inlined
from mascarade_env.exact._tree import Arrays, Policy, Tree

Floats = NDArray[np.float64]

_NO_PLAYER = -2  # owns nothing; CHANCE is -1


class Gains(NamedTuple):
    """How far a policy is from an equilibrium.

    Attributes:
        values: [n] what each player gets if all follow the policy.
        best: [n] what each could get alone by the best response to the others.
        nash_conv: the sum of what they could gain.
    """

    values: Floats
    best: Floats
    nash_conv: float


def nash_conv(tree: Tree, policy: Policy) -> Gains:
    """Compute what each player could gain by leaving a policy that all others follow."""
    checked = tree.checked(policy)
    values = values_of(tree, checked)
    best = np.array([best_response(tree, checked, player)[0] for player in range(tree.players)])
    # No player gains less than nothing, but for rounding.
    best = np.maximum(best, values)
    return Gains(values, best, float((best - values).sum()))


def values_of(tree: Tree, policy: Policy) -> Floats:
    """Compute what each player gets if all follow a policy: [n]."""
    reach = reach_of(tree, policy)
    ends = tree.state < 0
    weights = np.bincount(~tree.state[ends], reach[ends], len(tree.payoffs))
    values: Floats = weights @ tree.payoffs
    return values


def reach_of(tree: Tree, policy: Policy) -> Floats:
    """Compute how probably a game comes to each node: [N]."""
    reach = np.empty(tree.nodes)
    _reach(tree.arrays, policy, _NO_PLAYER, reach)
    return reach


def best_response(tree: Tree, policy: Policy, player: int) -> tuple[float, NDArray[np.int32]]:
    """Compute a best response of a player to the policy of the others.

    Returns:
        The value, and [I] the best option of each information state of the player, -1 elsewhere.
    """
    response = _Response(
        policy=policy,
        reach=np.empty(tree.nodes),
        values=np.empty(tree.nodes),
        option_values=np.zeros(len(tree.chance)),
        best=np.full(tree.states, -1, np.int32),
    )
    _reach(tree.arrays, policy, player, response.reach)
    _respond(tree.arrays, player, response)
    return float(response.values[0]), response.best


class _Response(NamedTuple):
    """The arrays of a best response."""

    policy: Policy  # of the others
    reach: Floats  # [N] how probably a node is reached if the player wants to come there
    values: Floats  # [N] what a node is worth to the player
    option_values: Floats  # [S] the same of options, weighted by reach; zeros at first
    best: NDArray[np.int32]  # [I] the best option of each information state of the player


@compiled
def _reach(tree: Arrays, policy: Policy, owner: int, reach: Floats) -> None:
    """Write how probably each node is reached if its player, or nobody, comes there on purpose."""
    reach[0] = 1.0
    for node in range(len(tree.state)):
        state = tree.state[node]
        if state < 0:
            continue
        first, start = tree.first[node], tree.start[state]
        # A player who is sure to go there does not make the node less probable: best responses
        # weigh nodes by what the others and chance do.
        on_purpose = tree.owner[state] == owner
        for option in range(tree.start[state + 1] - start):
            probability = 1.0 if on_purpose else policy[start + option]
            reach[first + option] = reach[node] * probability


@inlined
def _weigh(tree: Arrays, player: int, response: _Response, node: int) -> None:
    """Write what a node is worth to a player, or where the player decides, add to its options."""
    values = response.values
    state = tree.state[node]
    if state < 0:
        values[node] = tree.payoffs[~state, player]
        return
    first, start = tree.first[node], tree.start[state]
    options = tree.start[state + 1] - start
    if tree.owner[state] == player:
        # The player cannot tell the nodes of the state apart, so the choice is made for all of
        # them together, once every node of the level has been added.
        for option in range(options):
            response.option_values[start + option] += response.reach[node] * values[first + option]
    else:
        value = 0.0
        for option in range(options):
            value += response.policy[start + option] * values[first + option]
        values[node] = value


@compiled
def _respond(tree: Arrays, player: int, response: _Response) -> None:
    """Fill in a best response, from the last level up.

    An information state lies in one level, so when a level is done, its states know what their
    options are worth on all nodes.
    """
    worth, best, values = response.option_values, response.best, response.values
    for level in range(len(tree.levels) - 2, -1, -1):
        begin, end = tree.levels[level], tree.levels[level + 1]
        for node in range(begin, end):
            _weigh(tree, player, response, node)
        for state in range(tree.level_states[level], tree.level_states[level + 1]):
            if tree.owner[state] == player:
                choice = tree.start[state]
                for option in range(tree.start[state] + 1, tree.start[state + 1]):
                    if worth[option] > worth[choice]:
                        choice = option
                best[state] = choice - tree.start[state]
        for node in range(begin, end):
            state = tree.state[node]
            if state >= 0 and tree.owner[state] == player:
                values[node] = values[tree.first[node] + best[state]]
