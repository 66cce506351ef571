"""The share of SB3's time in the environment, with a clock that only the test moves."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from sb3_contrib import MaskablePPO

from lab.bench import sb3_share as module
from lab.bench.sb3_share import sb3_share
from mascarade_env.adapters.sb3 import MascaradeVecEnv

STEP, MASKS, RESET, LEARN, THINK = 1.0, 0.1, 10.0, 100.0, 7.0


class Clock:
    """A clock that moves only when a method with a cost is called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: self.now))

    def costs(self, owner: Any, name: str, seconds: float) -> list[tuple[Any, ...]]:
        """Give a method a cost in seconds; return the list of its later arguments."""
        method, calls = getattr(owner, name), []

        def slow(*args: Any, **options: Any) -> Any:
            calls.append(args)
            self.now += seconds
            return method(*args, **options)

        self._monkeypatch.setattr(owner, name, slow)
        return calls


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr(module, "DECISIONS", 5)
    monkeypatch.setattr(module, "UPDATES", 3)
    made = Clock(monkeypatch)
    made.costs(MascaradeVecEnv, "step_wait", STEP)
    made.costs(MascaradeVecEnv, "env_method", MASKS)
    made.costs(MascaradeVecEnv, "reset", RESET)
    made.costs(MaskablePPO, "train", LEARN)
    return made


def test_all_methods_of_the_environment_are_timed(clock: Clock) -> None:
    inside = RESET + 15 * (STEP + MASKS)  # 3 updates of 5 decisions, the masks once for each
    assert sb3_share("4A", games=2) == pytest.approx(inside / (inside + 3 * LEARN))


def test_the_time_of_networks_is_counted_too(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = clock.costs(MaskablePPO, "predict", THINK)
    learn, before = MaskablePPO.learn, []

    def noted(model: MaskablePPO, steps: int) -> MaskablePPO:
        before.append(len(asked))
        return learn(model, steps)

    monkeypatch.setattr(MaskablePPO, "learn", noted)
    found = sb3_share("4A", games=6, networks=True)
    timed = asked[before[1] :]  # without the first call, which warms up
    assert sum(len(observation) for _, observation in timed) > 2 * 15 * 6  # for three opponents
    assert max(len(observation) for _, observation in timed) == 6  # all tables at once
    inside = RESET + 15 * (STEP + MASKS) + len(timed) * THINK
    assert found == pytest.approx(inside / (inside + 3 * LEARN))


def test_the_number_of_threads_is_restored() -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        assert 0 < sb3_share("4A", games=2) < 1
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
