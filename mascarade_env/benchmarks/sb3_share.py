"""How much of Stable-Baselines3's time goes into the environment."""

import time
from typing import Any

DECISIONS = 64  # at each table, between two updates
UPDATES = 8


def sb3_share(scenario: str = "6A", games: int = 128) -> float:
    """The share of `MaskablePPO.learn` spent in `MascaradeVecEnv`, with random opponents inside.

    PPO learns from each decision four times, with a network of 2 x 64: the least work that is
    usual, so that the share is as large as it gets. One thread.
    """
    # The adapter first: it tells which extra is missing.
    from mascarade_env.adapters.sb3 import MascaradeVecEnv  # noqa: PLC0415, I001
    import torch  # noqa: PLC0415
    from sb3_contrib import MaskablePPO  # noqa: PLC0415
    from stable_baselines3.common.logger import Logger  # noqa: PLC0415

    class Timed(MascaradeVecEnv):
        """Counts the seconds spent in what SB3 calls."""

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

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        env = Timed(games, scenario, seed=0)
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
