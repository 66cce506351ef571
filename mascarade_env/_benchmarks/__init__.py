"""The benchmarks of `mascarade bench`; each is one line of its table.

Each package lists its benchmarks in an entry point of the group `mascarade.benchmarks`, which names
a sequence of `Benchmark`. BENCHMARKS.md has measured figures.

measuring.py: run benchmarks one after the other
machine.py: describe the machine and the packages
busy.py: notice other work of the machine during the measurement
core.py: benchmarks of the rules, `Game`, `Batch` and the start of a program
knowledge.py: benchmarks of observations and beliefs
batches.py: benchmarks of many games, threads, and memory
envs.py: benchmarks of the environments
aec_loop.py: the loop of all AEC benchmarks; it imports no other file of this project
exact.py: benchmarks of solved games

This package may import all of `mascarade_env` except `cli`, which prints the table.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One line of the table.

    Attributes:
        name: the name for `--only`.
        about: the quantity that it measures, in words.
        unit: the unit of the figure.
        measure: a function that returns the figure, the best of several rounds.
        at_least: the target as a lower limit; None if there is none.
        at_most: the target as an upper limit; None if there is none.
    """

    name: str
    about: str
    unit: str
    measure: Callable[[], float]
    at_least: float | None = None
    at_most: float | None = None

    def reached(self, figure: float) -> bool | None:
        """Return whether a figure meets the target; None without a target."""
        if self.at_least is not None:
            return figure >= self.at_least
        return None if self.at_most is None else figure <= self.at_most


def best_rate(work: Callable[[], int]) -> float:
    """Return the best rate of several rounds, after one round to warm up.

    Args:
        work: a function that does some work, and returns the number of operations.

    Returns:
        Operations per second of CPU time.
    """
    work()
    best = 0.0
    for _ in range(ROUNDS):
        begun = time.process_time()
        done = work()
        best = max(best, done / (time.process_time() - begun))
    return best
