"""Running a solver and measuring its NashConv."""

import numpy as np
import pytest

from mascarade_env._errors import MascaradeError, UnknownNameError
from mascarade_env.exact import Solver, Tree, build, nash_conv
from mascarade_env.exact._solver_run import Point, approach
from tests.messages import facts


@pytest.fixture(scope="module")
def tree() -> Tree:
    return build("tiny-2").tree


def test_it_stops_after_the_iterations(tree: Tree) -> None:
    result = approach(tree, "dcfr", iterations=57)
    solver = Solver(tree, "dcfr")
    solver.run(57)
    np.testing.assert_array_equal(result.policy, solver.average())
    assert result.iterations == 57
    assert result.points[-1].nash_conv == result.gains.nash_conv
    assert result.gains.nash_conv == nash_conv(tree, result.policy).nash_conv


def test_points_come_at_growing_intervals(tree: Tree) -> None:
    points = approach(tree, iterations=200).points
    made = [point.iterations for point in points]
    assert made[:4] == [1, 2, 3, 4]
    assert made[-1] == 200
    steps = np.diff(made)
    assert (np.diff(steps[:-1]) >= 0).all()
    assert len(made) < 50
    seconds = [point.seconds for point in points]
    assert seconds == sorted(seconds)


def test_it_stops_at_the_target(tree: Tree) -> None:
    result = approach(tree, iterations=10_000, target=0.02)
    assert result.gains.nash_conv <= 0.02
    assert all(point.nash_conv > 0.02 for point in result.points[:-1])
    assert result.iterations < 200


def test_it_stops_when_asked_to(tree: Tree) -> None:
    seen: list[tuple[int, Point | None]] = []
    result = approach(
        tree,
        iterations=1000,
        progress=lambda made, last: seen.append((made, last)),
        stop=lambda: len(seen) == 29,  # true after the thirtieth iteration
    )
    assert result.iterations == 30
    assert [made for made, _ in seen] == list(range(1, 31))
    assert seen[-1][1] == result.points[-1]
    assert result.points[-1].iterations == 30


def test_wrong_arguments_are_refused(tree: Tree) -> None:
    with pytest.raises(UnknownNameError, match=facts("algorithm", "'cfr++'", "'cfr+'", "dcfr")):
        approach(tree, "cfr++", iterations=1)
    with pytest.raises(MascaradeError, match=facts("iterations", 1, 0)):
        approach(tree, iterations=0)
    for target in (-1.0, float("nan"), float("inf")):
        with pytest.raises(MascaradeError, match=facts("target", "NashConv", 0, target)):
            approach(tree, iterations=1, target=target)
