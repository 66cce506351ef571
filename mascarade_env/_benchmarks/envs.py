"""Benchmarks of the public environments."""

import random
from functools import partial

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from mascarade_env._benchmarks import Benchmark, best_rate
from mascarade_env._benchmarks.aec_loop import play_aec
from mascarade_env.envs._aec import env as wrapped_env
from mascarade_env.envs._aec import raw_env

_TABLES = 1024
_STEPS = 100


def _aec(env: AECEnv[str, object, int]) -> float:
    """Measure PettingZoo's usual loop, which also measures the games of other packages."""
    env.reset(seed=0)
    return best_rate(partial(play_aec, env, 5_000, random.Random(0).random))


def _vector(track: str) -> float:
    """Measure steps with actions that NumPy samples from the masks, as in a user's policy."""
    tables = gymnasium.make_vec(
        "Mascarade-v0",
        num_envs=_TABLES,
        scenario="6A",
        track=track,
        autoreset_mode="SameStep",  # so that each step is a decision of every learner
    )
    _, infos = tables.reset(seed=0)
    rng = np.random.default_rng(0)
    mask = infos["action_mask"]

    def steps() -> int:
        nonlocal mask
        for _ in range(_STEPS):
            actions = (mask * rng.random(mask.shape, np.float32)).argmax(axis=1)
            mask = tables.step(actions)[4]["action_mask"]
        return _TABLES * _STEPS

    return best_rate(steps)


BENCHMARKS = (
    Benchmark(
        "aec-raw-6A",
        "decisions with raw_env() of PettingZoo's AEC API, observations of track both, 6A",
        "/s",
        lambda: _aec(raw_env("6A")),
        at_least=150e3,
    ),
    Benchmark(
        "aec-env-6A",
        "the same with env()",
        "/s",
        lambda: _aec(wrapped_env("6A")),
        at_least=60e3,
    ),
    Benchmark(
        "vector-6A",
        f"learner steps of the VectorEnv, {_TABLES} tables, random opponents, track both, 6A",
        "/s",
        lambda: _vector("both"),
        at_least=500e3,
    ),
    Benchmark(
        "vector-memory-6A",
        "the same with track memory",
        "/s",
        lambda: _vector("memory"),
    ),
)
