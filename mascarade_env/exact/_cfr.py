"""Counterfactual regret minimisation on a tree: an approximate equilibrium from self-play.

Zinkevich et al. 2007 (CFR), Tammelin 2014 (CFR+), Brown and Sandholm 2019 (discounted CFR). One
iteration lets each player in turn sweep the whole tree. For two players the average policy comes
to an equilibrium; for more there is no such promise, so look at its NashConv.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

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


#: The algorithms by name.
RULES = MappingProxyType(
    {
        "cfr": Rule(lambda t: 1.0, lambda t: 1.0, lambda t: 1.0),
        "cfr+": Rule(lambda t: 1.0, lambda t: 0.0, float),
        "dcfr": Rule(lambda t: t**1.5 / (t**1.5 + 1), lambda t: 0.5, lambda t: float(t) ** 2),
    }
)


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
        self._policy = tree.uniform()
        self._regrets = np.zeros(len(tree.chance))
        self._sums = np.zeros(len(tree.chance))
        self._mine, self._others, self._values = np.empty((3, tree.nodes))

    def run(self, iterations: int) -> None:
        """Make some more iterations."""
        for _ in range(whole(iterations, "iterations", at_least=0)):
            t = self.iterations + 1
            for player in range(self.tree.players):
                arrays = self.tree.arrays
                _descend(
                    arrays, player, self.rule.weight(t), self._policy, self._sums,
                    self._mine, self._others,
                )  # fmt: skip
                _ascend(arrays, player, self._policy, self._others, self._values, self._regrets)
                _match(
                    arrays, player, self.rule.keep_gains(t), self.rule.keep_losses(t),
                    self._regrets, self._policy,
                )  # fmt: skip
            self.iterations = t

    def average(self) -> Policy:
        """The average policy, which comes to an equilibrium; what is never reached is uniform."""
        if not self.iterations:
            raise MascaradeError("no iteration has been made: there is no average yet")
        totals = np.add.reduceat(self._sums, self.tree.start[:-1])[self.tree.state_of_option]
        known = totals > 0
        return np.where(known, self._sums / np.where(known, totals, 1.0), self.tree.uniform())


@compiled
def _descend(
    t: Arrays,
    player: int,
    weight: float,
    policy: Policy,
    sums: Floats,
    mine: Floats,
    others: Floats,
) -> None:
    """How probably a player does what leads to each node, and how probably all others do.

    Args:
        t: the tree.
        player: whose turn it is to learn.
        weight: of this iteration in the average.
        policy: of all players.
        sums: of each option, for the average.
        mine: to be filled for each node.
        others: to be filled for each node, chance included.
    """
    mine[0] = 1.0
    others[0] = 1.0
    for node in range(len(t.state)):
        state = t.state[node]
        if state < 0:
            continue
        first, start = t.first[node], t.start[state]
        own = t.owner[state] == player
        for option in range(t.start[state + 1] - start):
            chance = policy[start + option]
            if own:
                mine[first + option] = mine[node] * chance
                others[first + option] = others[node]
                sums[start + option] += weight * mine[node] * chance
            else:
                mine[first + option] = mine[node]
                others[first + option] = others[node] * chance


@compiled
def _ascend(
    t: Arrays, player: int, policy: Policy, others: Floats, values: Floats, regrets: Floats
) -> None:
    """What each node is worth to a player, and what is regretted on it: `values` is filled."""
    for node in range(len(t.state) - 1, -1, -1):
        state = t.state[node]
        if state < 0:
            values[node] = t.payoffs[~state, player]
            continue
        first, start = t.first[node], t.start[state]
        options = t.start[state + 1] - start
        value = 0.0
        for option in range(options):
            value += policy[start + option] * values[first + option]
        values[node] = value
        if t.owner[state] == player:
            for option in range(options):
                regrets[start + option] += others[node] * (values[first + option] - value)


@compiled
def _match(
    t: Arrays,
    player: int,
    keep_gains: float,
    keep_losses: float,
    regrets: Floats,
    policy: Policy,
) -> None:
    """A player's next policy takes what is regretted not to have been taken, in proportion."""
    for state in range(len(t.owner)):
        if t.owner[state] != player:
            continue
        begin, end = t.start[state], t.start[state + 1]
        total = 0.0
        for option in range(begin, end):
            gain = max(regrets[option], 0.0)
            total += gain
            policy[option] = gain
            regrets[option] *= keep_gains if gain > 0 else keep_losses
        for option in range(begin, end):
            policy[option] = policy[option] / total if total > 0 else 1.0 / (end - begin)
