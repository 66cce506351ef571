"""Benchmarks of observations and beliefs, and of the share of beliefs that are not exact."""

from functools import partial

import numpy as np

from mascarade_env._benchmarks import Benchmark, best_rate
from mascarade_env._benchmarks.batches import MANY, play, steady
from mascarade_env.game._batch import Batch
from mascarade_env.game._game import Game
from mascarade_env.game._scenarios import scenarios
from mascarade_env.observation._blocks import Track


def _compiled_actions(scenario: str, track: Track) -> float:
    """Measure steps with random actions from compiled code."""
    return best_rate(partial(play, steady(scenario, track, MANY)))


def _numpy_actions(scenario: str, track: Track) -> float:
    """Measure steps with random actions that NumPy samples from the mask."""
    batch = steady(scenario, track, MANY)
    rng = np.random.default_rng(0)
    ids = batch.num_actions

    def work() -> int:
        for _ in range(40):
            counts = batch.mask.sum(axis=1)
            nth = counts.cumsum() - counts + (rng.random(len(batch)) * counts).astype(np.int64)
            batch.step(np.flatnonzero(batch.mask)[nth] % ids)
        return 40 * len(batch)

    return best_rate(work)


def _belief_microseconds() -> float:
    """Measure the belief of one player after each decision, without the time to play."""

    def walk(with_belief: bool) -> int:
        decisions = 0
        for seed in range(50):
            game = Game("6A", seed=seed)
            while not game.over:
                game.play_randomly(1)
                if with_belief:
                    game.belief(0)
                decisions += 1
        return decisions

    return 1e6 / best_rate(lambda: walk(True)) - 1e6 / best_rate(lambda: walk(False))


def _bytes_a_game(scenario: str) -> float:
    """Return the memory of a batch per game, with beliefs and observations, in bytes."""
    batch = steady(scenario, "both", MANY)
    return batch.nbytes / len(batch)


def _share_inexact(scenario: str) -> float:
    """Return the share of steps after which a belief is not exact.

    These are the beliefs of the acting player and of the onlooker.
    """
    batch = Batch(scenario, 512, seed=0, track="belief")
    rows = np.arange(len(batch))
    inexact, steps = 0, 600
    for _ in range(steps):
        batch.step(batch.random_actions())
        exact = batch.exact
        inexact += int((~(exact[rows, batch.player] & exact[:, -1])).sum())
    return inexact / (steps * len(batch))


def _speed(name: str, about: str, scenario: str, track: Track, least: float) -> list[Benchmark]:
    return [
        Benchmark(
            f"{name}-{scenario}",
            f"steps of {MANY:,} games with {about}, {scenario}, random actions by compiled code",
            "/s",
            partial(_compiled_actions, scenario, track),
            at_least=least,
        ),
        Benchmark(
            f"{name}-{scenario}-outside",
            "the same, random actions by NumPy from the mask",
            "/s",
            partial(_numpy_actions, scenario, track),
            at_least=least,
        ),
    ]


BENCHMARKS = (
    *_speed("memory", "observations of track memory", "6A", "memory", 6e6),
    *_speed("both", "observations of track both", "6A", "both", 3e6),
    *_speed("both", "observations of track both", "12B", "both", 1e6),
    Benchmark(
        "belief",
        "Game.belief() after a decision, 6A",
        "us",
        _belief_microseconds,
        at_most=10,
    ),
    Benchmark(
        "belief-memory",
        "memory of a game in a batch, track both, 6A",
        "bytes",
        partial(_bytes_a_game, "6A"),
        at_most=16384,
    ),
    *(
        Benchmark(
            f"inexact-{name}",
            f"share of steps with a belief that is not exact, {name}",
            "",
            partial(_share_inexact, name),
        )
        for name, scenario in scenarios().items()
        if scenario.strict
    ),
)
