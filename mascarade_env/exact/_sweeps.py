"""Compute values and best responses by compiled sweeps over all nodes of a tree."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled, inlined
from mascarade_env.exact._tree import Arrays, Policy, Tree

Floats = NDArray[np.float64]

_NO_PLAYER = -2  # owns no information state; CHANCE is -1


class Gains(NamedTuple):
    """How far a policy is from an equilibrium.

    Attributes:
        values: [n] the value for each player if all players follow the policy.
        best: [n] the value for each player if this player plays a best response and all other
            players follow the policy.
        nash_conv: the sum of `best` - `values`, 0 for an equilibrium.
    """

    values: Floats
    best: Floats
    nash_conv: float


def nash_conv(tree: Tree, policy: Policy) -> Gains:
    """Compute the gain of each player from leaving a policy that all other players follow."""
    checked = tree.checked(policy)
    values = values_of(tree, checked)
    best = np.array([best_response(tree, checked, player)[0] for player in range(tree.players)])
    # A gain below 0 can only be a rounding error.
    best = np.maximum(best, values)
    return Gains(values, best, float((best - values).sum()))


def values_of(tree: Tree, policy: Policy) -> Floats:
    """Compute the value for each player if all players follow a policy, [n]."""
    reach = reach_of(tree, policy)
    ends = tree.state < 0
    weights = np.bincount(~tree.state[ends], reach[ends], len(tree.payoffs))
    values: Floats = weights @ tree.payoffs
    return values


def reach_of(tree: Tree, policy: Policy) -> Floats:
    """Compute the probability that a game reaches each node, [N]."""
    reach = np.empty(tree.nodes)
    _reach(tree.arrays, policy, _NO_PLAYER, reach)
    return reach


def best_response(tree: Tree, policy: Policy, player: int) -> tuple[float, NDArray[np.int32]]:
    """Compute a best response of a player to the policy of the other players.

    Returns:
        The value for the player, and the best option in each information state, [I]. The option is
        -1 in information states in which the player does not decide.
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

    policy: Policy  # the other players' policy
    reach: Floats  # [N] probability of reaching a node, own decisions counted as 1
    values: Floats  # [N] value of a node for the player
    option_values: Floats  # [S] value of each option, weighted by reach; zeros at first
    best: NDArray[np.int32]  # [I] the best option in each information state of the player


@compiled
def _reach(tree: Arrays, policy: Policy, owner: int, reach: Floats) -> None:
    """Write the probability of reaching each node; decisions of `owner` count as 1."""
    reach[0] = 1.0
    for node in range(len(tree.state)):
        state = tree.state[node]
        if state < 0:
            continue
        first, start = tree.first[node], tree.start[state]
        # Best responses weigh nodes by the probabilities of the others and of chance nodes, so the
        # owner's own decisions count as 1.
        owned = tree.owner[state] == owner
        for option in range(tree.start[state + 1] - start):
            probability = 1.0 if owned else policy[start + option]
            reach[first + option] = reach[node] * probability


@inlined
def _weigh(tree: Arrays, player: int, response: _Response, node: int) -> None:
    """Write the value of a node, or, if the player decides there, add to its options' values."""
    values = response.values
    state = tree.state[node]
    if state < 0:
        values[node] = tree.payoffs[~state, player]
        return
    first, start = tree.first[node], tree.start[state]
    options = tree.start[state + 1] - start
    if tree.owner[state] == player:
        # The player does not know which node of the state is the true one. So `_respond` chooses
        # one option for all of them, after all nodes of the level have been added.
        for option in range(options):
            response.option_values[start + option] += response.reach[node] * values[first + option]
    else:
        value = 0.0
        for option in range(options):
            value += response.policy[start + option] * values[first + option]
        values[node] = value


@compiled
def _respond(tree: Arrays, player: int, response: _Response) -> None:
    """Write a best response, level by level, from the last level to the first.

    All nodes of an information state are in one level. So the values of its options are complete
    when the sweep has visited that level.
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
