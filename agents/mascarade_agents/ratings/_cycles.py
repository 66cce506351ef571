"""Cycles: agents each of which is clearly beaten by another of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.ratings._intervals import Estimates
from mascarade_agents.ratings._significance import clearly


@dataclass(frozen=True, slots=True)
class Cycles:
    """The strict majority graph.

    Attributes:
        ahead: [A, A] whether a is clearly ahead of b, by `clearly` for all pairs together.
        components: the strongly connected components, each as the sorted numbers of its agents;
            one that is ahead of another comes before it.
    """

    ahead: NDArray[np.bool_]
    components: tuple[tuple[int, ...], ...]

    @property
    def found(self) -> tuple[tuple[int, ...], ...]:
        """The components of more than one agent: no order of these is right."""
        return tuple(component for component in self.components if len(component) > 1)


def cycles(pairs: Estimates) -> Cycles:
    """Find the cycles of a pairwise matrix, by its clear differences alone."""
    number = len(pairs.value)
    # Each pair once: that b is behind a is no other finding than that a is ahead of b.
    rows, columns = np.triu_indices(number, 1)
    upper = Estimates(
        pairs.value[rows, columns],
        pairs.low[rows, columns],
        pairs.high[rows, columns],
        pairs.count[rows, columns],
    )
    clear = clearly(upper, 0.5)
    ahead = np.zeros((number, number), np.bool_)
    ahead[rows, columns], ahead[columns, rows] = clear > 0, clear < 0
    reach = ahead | np.eye(number, dtype=np.bool_)
    for middle in range(number):
        reach |= reach[:, middle, None] & reach[middle]
    components = {tuple(np.flatnonzero(line).tolist()) for line in reach & reach.T}
    # A component reaches itself and all that those it is ahead of reach.
    reached = reach.sum(axis=1).tolist()
    order = sorted(components, key=lambda component: (-reached[component[0]], component))
    return Cycles(ahead, tuple(order))
