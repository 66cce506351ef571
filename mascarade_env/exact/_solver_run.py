"""Run a solver, and measure the NashConv of its policy during the run.

from mascarade_env.exact import approach, build

result = approach(build("tiny-2").tree, "cfr+", iterations=1000, target=0.001)
print(result.points[-1], result.gains.values)
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.exact._cfr import Solver
from mascarade_env.exact._sweeps import Gains, nash_conv
from mascarade_env.exact._tree import Policy, Tree

_SPACING = 1.1  # ratio between iterations at which NashConv is measured


class Point(NamedTuple):
    """A measurement of a solver.

    Attributes:
        iterations: number of iterations so far.
        seconds: time of these iterations, without the time to measure NashConv.
        nash_conv: NashConv of the average policy.
    """

    iterations: int
    seconds: float
    nash_conv: float


@dataclass(frozen=True, eq=False)
class Approach:
    """The result of a solver, and the measurements during its run.

    Attributes:
        algorithm: a name in `RULES`.
        points: the measurements, from the first iteration to the last.
        policy: the average policy at the last point.
        gains: the value of this policy for each player, and of a best response to it.
    """

    algorithm: str
    points: list[Point]
    policy: Policy
    gains: Gains

    @property
    def iterations(self) -> int:
        """The number of iterations."""
        return self.points[-1].iterations


def check_goal(iterations: int, target: float) -> None:
    """Raise an error if a goal is impossible. Call this before you build a tree."""
    if not (math.isfinite(target) and target >= 0):
        raise MascaradeError(f"target must be a NashConv of 0 or more, not {target}")
    whole(iterations, "iterations", at_least=1)


def approach(  # noqa: PLR0913  options by name
    tree: Tree,
    algorithm: str = "cfr+",
    *,
    iterations: int,
    target: float = 0.0,
    progress: Callable[[int, Point | None], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Approach:
    """Run a solver, and measure NashConv at growing intervals.

    Args:
        tree: the game.
        algorithm: a name in `RULES`.
        iterations: the largest number of iterations, 1 or more.
        target: the solver stops when NashConv is at most this number.
        progress: a function that is called after each iteration, with the number of iterations so
            far and the last point (None before the first point).
        stop: a function that is called after each iteration. The solver stops if it returns True.

    Raises:
        MascaradeError: the algorithm is unknown, `iterations` is below 1, or `target` is below 0.
    """
    check_goal(iterations, target)
    Solver(tree, algorithm).run(1)  # compiles; this time is not measured
    solver = Solver(tree, algorithm)
    points: list[Point] = []
    seconds, due = 0.0, 1
    while True:
        started = time.perf_counter()
        solver.run(1)
        seconds += time.perf_counter() - started
        last = solver.iterations == iterations or stop()
        if last or solver.iterations == due:
            policy = solver.average()
            gains = nash_conv(tree, policy)
            points.append(Point(solver.iterations, seconds, gains.nash_conv))
            due = math.ceil(due * _SPACING + 1e-9)
            last = last or gains.nash_conv <= target
        if progress is not None:
            progress(solver.iterations, points[-1] if points else None)
        if last:
            return Approach(algorithm, points, policy, gains)
