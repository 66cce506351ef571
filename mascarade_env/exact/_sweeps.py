"""Values and best responses: compiled sweeps over all nodes of a tree, downwards and upwards."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled, inlined
from mascarade_env.exact._tree import Arrays, Policy, Tree

Floats = NDArray[np.float64]

_NO_PLAYER = -2


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
    """What each player could gain by leaving a policy that all others follow."""
    played = tree.checked(policy)
    values = values_of(tree, played)
    best = np.array([best_response(tree, played, player)[0] for player in range(tree.players)])
    # No player gains less than nothing, but for rounding.
    best = np.maximum(best, values)
    return Gains(values, best, float((best - values).sum()))


def values_of(tree: Tree, policy: Policy) -> Floats:
    """[n] what each player gets if all follow a policy."""
    reach = reach_of(tree, policy)
    ends = tree.state < 0
    weights = np.bincount(~tree.state[ends], reach[ends], len(tree.payoffs))
    values: Floats = weights @ tree.payoffs
    return values


def reach_of(tree: Tree, policy: Policy) -> Floats:
    """[N] how probably a game comes to each node."""
    reach = np.empty(tree.nodes)
    _reach(tree.arrays, policy, _NO_PLAYER, reach)
    return reach


def best_response(tree: Tree, policy: Policy, player: int) -> tuple[float, NDArray[np.int32]]:
    """What a player can get against a policy of the others, and how.

    Returns:
        The value, and [I] the best option of each information state of the player, -1 elsewhere.
    """
    reach, values = np.empty(tree.nodes), np.empty(tree.nodes)
    worth = np.zeros(len(tree.chance))
    best = np.full(tree.states, -1, np.int32)
    _reach(tree.arrays, policy, player, reach)
    _respond(tree.arrays, policy, player, reach, values, worth, best)
    return float(values[0]), best


@compiled
def _reach(t: Arrays, policy: Policy, but: int, reach: Floats) -> None:
    """How probably each node is reached if one player, or nobody, comes there on purpose."""
    reach[0] = 1.0
    for node in range(len(t.state)):
        state = t.state[node]
        if state < 0:
            continue
        first, start = t.first[node], t.start[state]
        mine = t.owner[state] == but
        for option in range(t.start[state + 1] - start):
            reach[first + option] = reach[node] * (1.0 if mine else policy[start + option])


@inlined
def _weigh(
    t: Arrays, policy: Policy, player: int, reach: Floats, values: Floats, worth: Floats, node: int
) -> None:
    """What a node is worth to a player; where the player decides, what it tells of the options."""
    state = t.state[node]
    if state < 0:
        values[node] = t.payoffs[~state, player]
        return
    first, start = t.first[node], t.start[state]
    options = t.start[state + 1] - start
    if t.owner[state] == player:
        for option in range(options):
            worth[start + option] += reach[node] * values[first + option]
    else:
        value = 0.0
        for option in range(options):
            value += policy[start + option] * values[first + option]
        values[node] = value


@compiled
def _respond(
    t: Arrays,
    policy: Policy,
    player: int,
    reach: Floats,
    values: Floats,
    worth: Floats,
    best: NDArray[np.int32],
) -> None:
    """From the last level up: an information state knows what its options are worth on all nodes.

    Args:
        t: the tree.
        policy: of the others.
        player: who responds.
        reach: how probably each node is reached if the player wants to come there.
        values: to be filled for each node.
        worth: zeros, to be filled for each option of the player.
        best: to be filled for each information state of the player.
    """
    for level in range(len(t.levels) - 2, -1, -1):
        begin, end = t.levels[level], t.levels[level + 1]
        for node in range(begin, end):
            _weigh(t, policy, player, reach, values, worth, node)
        for state in range(t.level_states[level], t.level_states[level + 1]):
            if t.owner[state] == player:
                choice = t.start[state]
                for option in range(t.start[state] + 1, t.start[state + 1]):
                    if worth[option] > worth[choice]:
                        choice = option
                best[state] = choice - t.start[state]
        for node in range(begin, end):
            state = t.state[node]
            if state >= 0 and t.owner[state] == player:
                values[node] = values[t.first[node] + best[state]]
