"""How long a search may think: "500" simulations, or "100ms" of wall time for a decision."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from mascarade_env._errors import MascaradeError

_MOST = 10_000_000  # simulations of a decision; each has a number below rng.NO_EPISODE


@dataclass(frozen=True, slots=True)
class Budget:
    """What one decision may cost.

    Attributes:
        simulations: how many at most.
        milliseconds: how long at most, None for no such limit.
    """

    simulations: int
    milliseconds: int | None = None

    def chunks(self, size: int) -> Iterator[tuple[int, int]]:
        """Number of the first simulation and how many, until the budget is spent.

        Only time cuts the work into chunks, of `size`; the first is always granted.
        """
        if self.milliseconds is None:
            yield 0, self.simulations
            return
        end = time.perf_counter() + self.milliseconds / 1000
        for first in range(0, self.simulations, size):
            yield first, size
            if time.perf_counter() >= end:
                return


def parse_budget(words: str, default: int) -> Budget:
    """Return a budget from the name of an agent.

    Args:
        words: such as "500" or "100ms".
        default: simulations if there are no words.
    """
    digits = words.removesuffix("ms")
    fits = digits.isascii() and digits.isdigit() and 1 <= int(digits) <= _MOST
    if not words:
        return Budget(default)
    if not fits:
        raise MascaradeError(
            f"the budget of a search is a number of simulations such as 500, or of milliseconds "
            f"such as 100ms, from 1 to {_MOST}; not {words!r}"
        )
    return Budget(_MOST, int(digits)) if words.endswith("ms") else Budget(int(digits))


def parse_number(words: str, what: str) -> float:
    """Return a number of 0 or more from the name of an agent."""
    try:
        number = float(words)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e6:
        raise MascaradeError(f"{what} is a number of 0 or more, not {words!r}")
    return number
