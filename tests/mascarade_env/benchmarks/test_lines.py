"""Benchmarks count the work that they time."""

import random
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import mascarade_env._benchmarks
from mascarade_env import Batch
from mascarade_env._benchmarks import ROUNDS, best_rate, core, envs, knowledge
from mascarade_env._benchmarks.aec_loop import play_aec
from mascarade_env.envs._aec import env
from mascarade_env.envs._vector import MascaradeVectorEnv


def test_the_best_rate_is_that_of_the_fastest_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test replaces the clock by one that only the work moves; the first call warms up."""
    now, left = 0.0, [0.001, *[4.0] * (ROUNDS - 2), 2.0, 8.0]

    def work() -> int:
        nonlocal now
        now += left.pop(0)
        return 100

    clock = SimpleNamespace(process_time=lambda: now)
    monkeypatch.setattr(mascarade_env._benchmarks, "time", clock)
    assert best_rate(work) == 50
    assert not left


@pytest.mark.parametrize(
    ("module", "name", "stepped"),
    [
        (core, "batch-6A", Batch),
        (knowledge, "memory-6A", Batch),
        (knowledge, "both-6A-outside", Batch),
        (envs, "vector-6A", MascaradeVectorEnv),
        (envs, "vector-memory-6A", MascaradeVectorEnv),
    ],
)
def test_a_benchmark_takes_the_steps_that_it_counts(
    module: ModuleType, name: str, stepped: type[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    step, made = stepped.step, 0

    def noted(self: Any, *args: Any, **options: Any) -> Any:
        nonlocal made
        made += len(self) if isinstance(self, Batch) else self.num_envs
        return step(self, *args, **options)

    def counted(work: Callable[[], int]) -> float:
        nonlocal made
        made = 0  # do not count the steps before
        assert work() == made
        return 1.0

    monkeypatch.setattr(stepped, "step", noted)
    monkeypatch.setattr(module, "best_rate", counted)
    (line,) = (line for line in module.BENCHMARKS if line.name == name)
    assert line.measure() == 1
    assert made


def test_the_loop_counts_decisions_and_ends_games() -> None:
    game = env("4A")
    game.reset(seed=0)
    random_number = random.Random(0).random
    asked = 0

    def chance() -> float:
        nonlocal asked
        asked += 1
        return random_number()

    for wanted in (1, 500):
        before = asked
        made = play_aec(game, wanted, chance)
        assert made == asked - before  # without the last, empty steps
        assert made >= wanted
        assert not game.agents  # all agents have taken their last step
