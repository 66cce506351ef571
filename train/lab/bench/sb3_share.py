"""Measure the share of Stable-Baselines3's time that the environment takes."""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._benchmarks import Benchmark

DECISIONS = 64  # at each table, between two updates
UPDATES = 8


def sb3_share(scenario: str = "6A", games: int = 128, *, networks: bool = False) -> float:
    """Return the share of the time of `MaskablePPO.learn` that `MascaradeVecEnv` takes.

    PPO learns from each decision four times on one thread. Its network has two hidden layers of 64
    units. Other cases differ: the share is larger with more opponents, and smaller if learning
    takes longer.

    Args:
        scenario: the scenario.
        games: number of tables.
        networks: True if the learner's network decides for all opponents too, in batches of many
            tables. This time counts as time of the environment. False for random opponents.
    """
    # Imported here, so that the benchmarks before this one run without these packages.
    import torch  # noqa: PLC0415
    from sb3_contrib import MaskablePPO  # noqa: PLC0415
    from stable_baselines3.common.logger import Logger  # noqa: PLC0415

    from mascarade_env.adapters.sb3 import MascaradeVecEnv  # noqa: PLC0415

    class Timed(MascaradeVecEnv):
        """An environment that measures the time in the methods that SB3 calls."""

        spent = 0.0

        def reset(self) -> Any:
            return self._timed(super().reset)

        def step_wait(self) -> Any:
            return self._timed(super().step_wait)

        def env_method(self, *args: Any, **kwargs: Any) -> Any:
            return self._timed(super().env_method, *args, **kwargs)

        def _timed(self, work: Any, *args: Any, **kwargs: Any) -> Any:
            begun = time.perf_counter()
            done = work(*args, **kwargs)
            self.spent += time.perf_counter() - begun
            return done

    def learner(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
        actions: NDArray[np.int64] = model.predict(observation, action_masks=mask)[0]
        return actions

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        env = Timed(games, scenario, opponents=learner if networks else "random", seed=0)
        model = MaskablePPO(
            "MlpPolicy", env, n_steps=DECISIONS, batch_size=1024, n_epochs=4, seed=0, device="cpu"
        )
        model.set_logger(Logger(None, []))  # the default one makes a folder
        model.learn(games * DECISIONS)  # to warm up
        env.spent = 0.0
        begun = time.perf_counter()
        model.learn(games * DECISIONS * UPDATES)
        return env.spent / (time.perf_counter() - begun)
    finally:
        torch.set_num_threads(threads)


BENCHMARKS = (
    Benchmark(
        "sb3-share-6A",
        "share of MaskablePPO's time that MascaradeVecEnv takes, 128 tables, random opponents, 6A",
        "",
        sb3_share,
        at_most=0.10,
    ),
    Benchmark(
        "sb3-share-networks-6A",
        "the same with the learner's own network as all opponents, their time included",
        "",
        lambda: sb3_share(networks=True),
    ),
)
