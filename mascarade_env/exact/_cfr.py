"""Counterfactual regret minimisation on a tree: approximate an equilibrium by self-play.

The algorithms are CFR (Zinkevich et al. 2007), CFR+ (Tammelin 2014) and discounted CFR (Brown and
Sandholm 2019). In each iteration, every player in turn sweeps the whole tree. For two players the
average policy converges to an equilibrium. For more players it may not converge, so measure its
NashConv.
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
    """How an algorithm discounts old regrets and weights iterations.

    Each attribute is a function of the iteration t, which counts from 1.

    Attributes:
        keep_gains: factor of positive regrets after iteration t.
        keep_losses: factor of negative regrets after iteration t.
        weight: weight of iteration t in the average policy.
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
    """The arrays of a solver. The docstring of each sweep names the arrays that it writes."""

    policy: Policy  # [S] the policy of the next iteration
    regrets: Floats  # [S] the regret of not having taken each option
    sums: Floats  # [S] the average policy before normalisation
    own_reach: Floats  # [N] the learning player's part of the probability to reach a node
    others_reach: Floats  # [N] the part of all others, chance nodes included
    values: Floats  # [N] the value of a node for the learning player


class Solver:
    """A solver that approximates an equilibrium, iteration by iteration.

    Args:
        tree: the game.
        algorithm: a name in `RULES`.

    Attributes:
        iterations: the number of iterations so far.
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
        """Run this number of further iterations."""
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
        """Return the average policy over all iterations.

        It is uniform in information states that no iteration has reached.
        """
        if not self.iterations:
            raise MascaradeError("there is no average policy yet: call run(iterations) first")
        sums = self._arrays.sums
        totals = np.add.reduceat(sums, self.tree.start[:-1])[self.tree.state_of_option]
        reached = totals > 0
        return np.where(reached, sums / np.where(reached, totals, 1.0), self.tree.uniform())


@compiled
def _descend(tree: Arrays, player: int, weight: float, learned: _Learned) -> None:
    """Write the probability of reaching each node, and add to the average policy.

    Args:
        tree: the game.
        player: the player who learns.
        weight: the weight of this iteration in the average policy.
        learned: the sweep writes `own_reach`, `others_reach` and `sums`.
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
                # Weighted by the player's own reach: this averages behaviour strategies.
                sums[start + option] += weight * own_reach[node] * probability
            else:
                own_reach[first + option] = own_reach[node]
                others_reach[first + option] = others_reach[node] * probability


@compiled
def _ascend(tree: Arrays, player: int, learned: _Learned) -> None:
    """Write the value of each node for a player into `values`, and add to `regrets`."""
    policy, values, regrets = learned.policy, learned.values, learned.regrets
    # Children have higher numbers than their parent, so go backwards.
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
            # Counterfactual: the player's own part of the reach is left out.
            reach = learned.others_reach[node]
            for option in range(options):
                regrets[start + option] += reach * (values[first + option] - value)


@compiled
def _match(tree: Arrays, player: int, factors: tuple[float, float], learned: _Learned) -> None:
    """Write a player's next policy, in proportion to positive regrets, and discount the regrets.

    Args:
        tree: the game.
        player: the player whose policy is written.
        factors: the factors of positive and of negative regrets.
        learned: the sweep writes `policy` and `regrets`.
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
            # Without positive regrets any policy is allowed; uniform is the usual choice.
            policy[option] = policy[option] / total if total > 0 else 1.0 / (end - begin)
