"""The budget of a search: "500" simulations or "100ms" of wall time for a decision."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from mascarade_env._errors import MascaradeError

_MOST = 10_000_000  # limit of simulations; their numbers must be below rng.NO_EPISODE


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of the search for one decision.

    Attributes:
        simulations: the largest number of simulations.
        milliseconds: the longest wall time; None if the time is not limited.
    """

    simulations: int
    milliseconds: int | None = None

    def chunks(self, size: int) -> Iterator[tuple[int, int]]:
        """Yield the first number and the count of each chunk of simulations in the budget.

        A budget of simulations is one chunk. A budget of time gives chunks of `size` simulations
        until the time is over, and always at least one chunk.
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
    """Return the budget in the name of an agent.

    Args:
        words: a text such as "500" or "100ms".
        default: the number of simulations if the text is empty.

    Raises:
        MascaradeError: the text is not a budget.
    """
    digits = words.removesuffix("ms")
    fits = digits.isascii() and digits.isdigit() and 1 <= int(digits) <= _MOST
    if not words:
        return Budget(default)
    if not fits:
        raise MascaradeError(
            f"the budget of a search must be a number of simulations such as 500, or of "
            f"milliseconds such as 100ms, from 1 to {_MOST}, and not {words!r}"
        )
    return Budget(_MOST, int(digits)) if words.endswith("ms") else Budget(int(digits))


def parse_number(words: str, what: str) -> float:
    """Return the number in the name of an agent: at least 0 and less than 1e6.

    Args:
        words: the text.
        what: the meaning of the number, for the error.

    Raises:
        MascaradeError: the text is not a number in this range.
    """
    try:
        number = float(words)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e6:
        raise MascaradeError(
            f"{what} must be at least 0 and less than 1e6, such as 0.3, and not {words!r}"
        )
    return number
