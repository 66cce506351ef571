"""Benchmarks of large batches: the effect of more games and of threads, and the memory of a game.

Each step of a large batch reads more memory than fits into the processor's caches. On a shared
machine speeds can change by half within minutes. So these benchmarks measure the two batches that
they compare alternately.
"""

import time
from collections.abc import Iterator
from functools import partial

from mascarade_env._benchmarks import ROUNDS, Benchmark, best_rate
from mascarade_env.game._batch import Batch
from mascarade_env.observation._blocks import Track

FEW, MANY = 512, 4096
_CASES: tuple[tuple[Track, str], ...] = (
    ("memory", "6A"),
    ("belief", "6A"),
    ("both", "6A"),
    ("both", "12B"),
)
_BYTES = {"memory": 3 * 1024, "both": 6 * 1024}
_STEPS = 40 * MANY  # decisions in each measurement


def steady(scenario: str, track: Track, size: int, threads: int = 1) -> Batch:
    """Return a batch whose games are at different positions, after 150 random steps."""
    batch = Batch(scenario, size, seed=0, track=track, threads=threads)
    for _ in range(150):
        batch.step(batch.random_actions())
    return batch


def play(batch: Batch) -> int:
    """Play random steps, and return the number of decisions."""
    steps = _STEPS // len(batch)
    for _ in range(steps):
        batch.step(batch.random_actions())
    return steps * len(batch)


def _rate(scenario: str, track: Track) -> float:
    return best_rate(partial(play, steady(scenario, track, FEW)))


def _best_of_both(one: Batch, other: Batch, clock: str) -> tuple[float, float]:
    """Return the best rates of two batches, measured alternately."""
    now = time.process_time if clock == "cpu" else time.perf_counter
    best = [0.0, 0.0]
    for _ in range(2 * ROUNDS):
        for number, batch in enumerate((one, other)):
            begun = now()
            done = play(batch)
            best[number] = max(best[number], done / (now() - begun))
    return best[0], best[1]


def _ratio(scenario: str, track: Track) -> float:
    """Return the speed with many games divided by the speed with few games."""
    few, many = steady(scenario, track, FEW), steady(scenario, track, MANY)
    of_few, of_many = _best_of_both(few, many, "cpu")
    return of_many / of_few


def _scaling(scenario: str, track: Track) -> float:
    """Return the speed of two threads divided by the speed of one thread, in wall time."""
    one, two = (steady(scenario, track, MANY, threads) for threads in (1, 2))
    of_one, of_two = _best_of_both(one, two, "wall")
    return of_two / of_one


def _bytes(scenario: str, track: Track) -> float:
    """Return the memory per game that steps use, in bytes, without reserved memory for worlds."""
    batch = steady(scenario, track, MANY)
    return (batch.nbytes - batch.free_bytes) / len(batch)


def _lines(track: Track, scenario: str) -> Iterator[Benchmark]:
    name = f"{track}-{scenario}"
    case = (scenario, track)
    yield Benchmark(
        f"{name}-{FEW}",
        f"steps of {FEW} games with observations of track {track}, {scenario}",
        "/s",
        partial(_rate, *case),
    )
    yield Benchmark(
        f"{name}-ratio",
        f"the same: speed with {MANY:,} games divided by that with {FEW}",
        "",
        partial(_ratio, *case),
        at_least=0.85,
    )
    yield Benchmark(
        f"{name}-threads",
        f"the same: speed of {MANY:,} games with two threads divided by that with one",
        "x",
        partial(_scaling, *case),
        at_least=1.8,
    )
    yield Benchmark(
        f"{name}-bytes",
        "the same: memory that steps use for each game",
        "bytes",
        partial(_bytes, *case),
        at_most=_BYTES.get(track) if scenario == "6A" else None,
    )


BENCHMARKS = tuple(line for case in _CASES for line in _lines(*case))
