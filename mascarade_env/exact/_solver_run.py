"""The way of a solver to an equilibrium: how near it has come after how many iterations.

from mascarade_env.exact import approach, build

found = approach(build("tiny-2").tree, "cfr+", iterations=1000, target=0.001)
print(found.points[-1], found.gains.values)
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

_SPACING = 1.1  # iterations at which NashConv is measured, from one to the next


class Point(NamedTuple):
    """How near a solver is.

    Attributes:
        iterations: made so far.
        seconds: that they took; measuring NashConv is not in it.
        nash_conv: of the average policy.
    """

    iterations: int
    seconds: float
    nash_conv: float


@dataclass(frozen=True, eq=False)
class Approach:
    """What a solver has found, and how it came there.

    Attributes:
        algorithm: a name in `RULES`.
        points: from the first iteration to the last.
        policy: the average policy at the last point.
        gains: what each player gets by it, and could gain by leaving it.
    """

    algorithm: str
    points: list[Point]
    policy: Policy
    gains: Gains

    @property
    def iterations(self) -> int:
        """How many were made."""
        return self.points[-1].iterations


def check_goal(iterations: int, target: float) -> None:
    """Refuse a goal that no solver can come to; that is better known before a tree is built."""
    if not (math.isfinite(target) and target >= 0):
        raise MascaradeError(f"target is a NashConv of 0 or more, not {target}")
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
    """Make iterations, and measure NashConv now and then, at wider and wider intervals.

    Args:
        tree: the game.
        algorithm: a name in `RULES`.
        iterations: how many at most.
        target: the NashConv that is near enough to stop.
        progress: called after each iteration with the number made so far, and the last point.
        stop: called after each iteration; returns whether it is the last.

    Raises:
        MascaradeError: no such algorithm, no iterations, or a target below 0.
    """
    check_goal(iterations, target)
    Solver(tree, algorithm).run(1)  # compiles, which is no time of an iteration
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
