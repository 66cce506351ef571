"""What `mascarade bench` measures.

A benchmark is one line of its table. Packages list theirs in an entry point of the group
`mascarade.benchmarks`, whose object is a sequence of `Benchmark`.

measuring.py: measure lines one after the other
machine.py: describe the machine and the packages
busy.py: whether the machine does other work meanwhile
core.py: lines about the rules, `Game`, `Batch` and starting up
knowledge.py: lines about observations and beliefs
batches.py: lines about many games, threads, and memory
envs.py: lines about the environments
aec_loop.py: the loop of PettingZoo's lines, which imports nothing of ours
exact.py: lines about solved games

It may import all of `mascarade_env` but `cli`, which shows the table.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One line of the table.

    Attributes:
        name: for `--only`.
        about: what is measured.
        unit: of the figure.
        measure: returns the figure, the best of several rounds.
        at_least: the figure to reach from below, if any.
        at_most: the figure to stay under, if any.
    """

    name: str
    about: str
    unit: str
    measure: Callable[[], float]
    at_least: float | None = None
    at_most: float | None = None

    def reached(self, figure: float) -> bool | None:
        """Whether a figure meets the target; None without a target."""
        if self.at_least is not None:
            return figure >= self.at_least
        return None if self.at_most is None else figure <= self.at_most


def best_rate(work: Callable[[], int]) -> float:
    """Things done per CPU-second: the best of several rounds, after one to warm up."""
    work()
    best = 0.0
    for _ in range(ROUNDS):
        begun = time.process_time()
        done = work()
        best = max(best, done / (time.process_time() - begun))
    return best
