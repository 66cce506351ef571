"""Counterfactual regret minimisation on a tree: an approximate equilibrium from self-play.

Zinkevich et al. 2007 (CFR), Tammelin 2014 (CFR+), Brown and Sandholm 2019 (discounted CFR). One
iteration lets each player in turn sweep the whole tree. For two players the average policy comes
to an equilibrium; for more there is no such promise, so look at its NashConv.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError, UnknownNameError, did_you_mean, whole
from mascarade_env._jit import compiled
from mascarade_env.exact._tree import Arrays, Policy, Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rule:
    """What becomes of old regrets, and how the average is made; t is the iteration, from 1.

    Attributes:
        keep_gains: the factor of positive regrets after iteration t.
        keep_losses: the factor of negative ones.
        weight: of iteration t in the average.
    """

    keep_gains: Callable[[int], float]
    keep_losses: Callable[[int], float]
    weight: Callable[[int], float]

    def factors(self, t: int) -> tuple[float, float]:
        """Return the factors of positive and of negative regrets after iteration t."""
        return float(self.keep_gains(t)), float(self.keep_losses(t))


#: The algorithms by name.
RULES = MappingProxyType(
    {
        "cfr": Rule(lambda t: 1.0, lambda t: 1.0, lambda t: 1.0),
        "cfr+": Rule(lambda t: 1.0, lambda t: 0.0, float),
        "dcfr": Rule(lambda t: t**1.5 / (t**1.5 + 1), lambda t: 0.5, lambda t: float(t) ** 2),
    }
)


class _Learned(NamedTuple):
    """The arrays of a solver; each sweep says which it writes."""

    policy: Policy  # [S] of the next iteration
    regrets: Floats  # [S] of not having taken each option
    sums: Floats  # [S] the average policy, not yet divided by its sum
    own_reach: Floats  # [N] how probably the learning player does what leads to a node
    others_reach: Floats  # [N] how probably all others do, chance included
    values: Floats  # [N] what a node is worth to the learning player


class Solver:
    """Comes nearer to an equilibrium with every iteration.

    Args:
        tree: the game.
        algorithm: a name in `RULES`.

    Attributes:
        iterations: made so far.
    """

    def __init__(self, tree: Tree, algorithm: str = "cfr+") -> None:
        if algorithm not in RULES:
            raise UnknownNameError(
                f"unknown algorithm {algorithm!r}{did_you_mean(algorithm, RULES)}"
            )
        self.tree = tree
        self.rule = RULES[algorithm]
        self.iterations = 0
        self._arrays = _Learned(
            policy=tree.uniform(),
            regrets=np.zeros(len(tree.chance)),
            sums=np.zeros(len(tree.chance)),
            own_reach=np.empty(tree.nodes),
            others_reach=np.empty(tree.nodes),
            values=np.empty(tree.nodes),
        )

    def run(self, iterations: int) -> None:
        """Make some more iterations."""
        tree, learned = self.tree.arrays, self._arrays
        for _ in range(whole(iterations, "iterations", at_least=0)):
            t = self.iterations + 1
            weight, factors = self.rule.weight(t), self.rule.factors(t)
            for player in range(self.tree.players):
                _descend(tree, player, weight, learned)
                _ascend(tree, player, learned)
                _match(tree, player, factors, learned)
            self.iterations = t

    def average(self) -> Policy:
        """Return the average policy, which converges; it is uniform where nothing was reached."""
        if not self.iterations:
            raise MascaradeError("no iteration has been made: there is no average yet")
        sums = self._arrays.sums
        totals = np.add.reduceat(sums, self.tree.start[:-1])[self.tree.state_of_option]
        reached = totals > 0
        return np.where(reached, sums / np.where(reached, totals, 1.0), self.tree.uniform())


@compiled
def _descend(tree: Arrays, player: int, weight: float, learned: _Learned) -> None:
    """Write how probably each node is reached, and add to the average policy.

    Args:
        tree: the game.
        player: whose turn it is to learn.
        weight: of this iteration in the average.
        learned: `own_reach`, `others_reach` and `sums` are written.
    """
    policy, sums = learned.policy, learned.sums
    own_reach, others_reach = learned.own_reach, learned.others_reach
    own_reach[0] = 1.0
    others_reach[0] = 1.0
    for node in range(len(tree.state)):
        state = tree.state[node]
        if state < 0:
            continue
        first, start = tree.first[node], tree.start[state]
        own = tree.owner[state] == player
        for option in range(tree.start[state + 1] - start):
            probability = policy[start + option]
            if own:
                own_reach[first + option] = own_reach[node] * probability
                others_reach[first + option] = others_reach[node]
                # By the player's own reach: the average is one of behaviour, in which a choice
                # counts as often as the player comes to it.
                sums[start + option] += weight * own_reach[node] * probability
            else:
                own_reach[first + option] = own_reach[node]
                others_reach[first + option] = others_reach[node] * probability


@compiled
def _ascend(tree: Arrays, player: int, learned: _Learned) -> None:
    """Write what each node is worth to a player into `values`, and add to the `regrets`."""
    policy, values, regrets = learned.policy, learned.values, learned.regrets
    # Children have higher numbers than their parent, so backwards they come first.
    for node in range(len(tree.state) - 1, -1, -1):
        state = tree.state[node]
        if state < 0:
            values[node] = tree.payoffs[~state, player]
            continue
        first, start = tree.first[node], tree.start[state]
        options = tree.start[state + 1] - start
        value = 0.0
        for option in range(options):
            value += policy[start + option] * values[first + option]
        values[node] = value
        if tree.owner[state] == player:
            # Counterfactual: weighted as if the player had wanted to come to this node.
            reach = learned.others_reach[node]
            for option in range(options):
                regrets[start + option] += reach * (values[first + option] - value)


@compiled
def _match(tree: Arrays, player: int, factors: tuple[float, float], learned: _Learned) -> None:
    """Write a player's next policy, in proportion to positive regrets, and discount the regrets.

    Args:
        tree: the game.
        player: whose policy is written.
        factors: of positive regrets, and of negative ones.
        learned: `policy` and `regrets` are written.
    """
    policy, regrets = learned.policy, learned.regrets
    keep_gains, keep_losses = factors
    for state in range(len(tree.owner)):
        if tree.owner[state] != player:
            continue
        begin, end = tree.start[state], tree.start[state + 1]
        total = 0.0
        for option in range(begin, end):
            gain = max(regrets[option], 0.0)
            total += gain
            policy[option] = gain
            regrets[option] *= keep_gains if gain > 0 else keep_losses
        for option in range(begin, end):
            # Where nothing is regretted, any policy will do: uniform is the usual one.
            policy[option] = policy[option] / total if total > 0 else 1.0 / (end - begin)
