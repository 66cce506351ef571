"""Benchmarks of solved games: the time to build a tree, for its NashConv, and to solve it."""

import subprocess
import sys
import time
from collections.abc import Callable

from mascarade_env._benchmarks import ROUNDS, Benchmark
from mascarade_env._errors import MascaradeError
from mascarade_env.exact import approach, build, nash_conv

_TARGET = 0.001  # NashConv
_ITERATIONS = 100_000  # an upper limit; far fewer are needed
_MEMORY = """
import resource
from mascarade_env.exact import build
build("medium-4")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the shortest wall time of some work in several rounds, after a round to warm up."""
    work()
    return min(_once(work) for _ in range(rounds))


def _once(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _nash_conv(name: str) -> float:
    tree = build(name).tree
    policy = tree.uniform()
    return _seconds(lambda: nash_conv(tree, policy))


def _build() -> float:
    return _seconds(lambda: build("medium-4"), rounds=2)


def _memory() -> float:
    """Return the peak memory of a process that only builds the tree, in gigabytes."""
    process = subprocess.run(
        [sys.executable, "-c", _MEMORY], capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise MascaradeError(
            "the benchmark could not build the tree of medium-4 in another process, which ended "
            f"with: {process.stderr.strip()[-200:]}"
        )
    unit = 1 if sys.platform == "darwin" else 1024
    return int(process.stdout) * unit / 1e9


def _solve() -> float:
    tree = build("small-2").tree
    approach(tree, iterations=1)  # compiles
    return _once(lambda: approach(tree, iterations=_ITERATIONS, target=_TARGET))


def _openspiel() -> float:
    # Needs the extra openspiel; takes half a minute.
    from open_spiel.python import policy  # noqa: PLC0415
    from open_spiel.python.algorithms import exploitability  # noqa: PLC0415

    from mascarade_env.adapters.openspiel import load_game  # noqa: PLC0415

    game = load_game("small-2")
    return _once(lambda: exploitability.nash_conv(game, policy.UniformRandomPolicy(game)))


BENCHMARKS = (
    Benchmark(
        "nashconv-small-2",
        "NashConv of uniform play, 245 k nodes, without building the tree",
        "s",
        lambda: _nash_conv("small-2"),
        at_most=0.05,
    ),
    Benchmark(
        "nashconv-small-2-openspiel",
        "the same by OpenSpiel's `exploitability.nash_conv` with our adapter, one round",
        "s",
        _openspiel,
    ),
    Benchmark(
        "nashconv-medium-4",
        "NashConv of uniform play of four players, 2.4 M nodes, without building the tree",
        "s",
        lambda: _nash_conv("medium-4"),
        at_most=2.0,
    ),
    Benchmark(
        "tree-medium-4",
        "building that tree",
        "s",
        _build,
        at_most=60.0,
    ),
    Benchmark(
        "tree-medium-4-memory",
        "peak memory of a process that builds it",
        "GB",
        _memory,
        at_most=4.0,
    ),
    Benchmark(
        "solve-small-2",
        f"CFR+ on small-2 from the start to a NashConv of {_TARGET}, one round",
        "s",
        _solve,
        at_most=300.0,
    ),
)
