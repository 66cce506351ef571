"""The bench lines of training count learned decisions."""

from collections.abc import Callable

import pytest

from mascarade_env._benchmarks import Benchmark
from mascarade_train import _benchmarks as benchmarks
from mascarade_train._ppo import Training


@pytest.mark.parametrize("line", benchmarks.BENCHMARKS, ids=lambda line: line.name)
def test_as_many_decisions_are_learned_from_as_are_counted(
    line: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned: list[int] = []
    update = Training.update

    def noted(self: Training) -> object:
        found = update(self)
        learned.append(len(found[0].action))
        return found

    def once(work: Callable[[], int]) -> float:
        return work()

    monkeypatch.setattr(Training, "update", noted)
    monkeypatch.setattr(benchmarks, "best_rate", once)
    assert line.measure() == sum(learned) > 10_000
