"""Cycles: groups of agents in which each agent is significantly better than the next."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.ratings._intervals import Estimates
from mascarade_agents.ratings._significance import clearly


@dataclass(frozen=True, slots=True)
class Cycles:
    """The graph of significant differences between agents, and its components.

    Attributes:
        ahead: [A, A] at [a, b], whether a is significantly ahead of b, by `clearly` over all pairs.
        components: the strongly connected components of this graph, each as the sorted numbers of
            its agents. A component that is ahead of another comes before it.
    """

    ahead: NDArray[np.bool_]
    components: tuple[tuple[int, ...], ...]

    @property
    def found(self) -> tuple[tuple[int, ...], ...]:
        """The components with more than one agent; no ranking of the agents in one is right."""
        return tuple(component for component in self.components if len(component) > 1)


def cycles(pairs: Estimates) -> Cycles:
    """Return the cycles in a pairwise matrix; only its significant differences count."""
    number = len(pairs.value)
    # Each pair is in `upper` once, so `clearly` corrects for the number of pairs.
    rows, columns = np.triu_indices(number, 1)
    upper = Estimates(
        pairs.value[rows, columns],
        pairs.low[rows, columns],
        pairs.high[rows, columns],
        pairs.count[rows, columns],
    )
    sign = clearly(upper, 0.5)
    ahead = np.zeros((number, number), np.bool_)
    ahead[rows, columns], ahead[columns, rows] = sign > 0, sign < 0
    reach = ahead | np.eye(number, dtype=np.bool_)
    for middle in range(number):
        reach |= reach[:, middle, None] & reach[middle]
    components = {tuple(np.flatnonzero(line).tolist()) for line in reach & reach.T}
    # If a component is ahead of another one, it reaches more agents than the other.
    reached = reach.sum(axis=1).tolist()
    order = sorted(components, key=lambda component: (-reached[component[0]], component))
    return Cycles(ahead, tuple(order))
