"""The speed of the public environments."""

import random
from functools import partial

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from mascarade_env._benchmarks import Benchmark, best_rate
from mascarade_env._benchmarks.aec_loop import play_aec
from mascarade_env.envs._aec import env, raw_env

_TABLES = 1024
_STEPS = 100


def _aec(made: AECEnv[str, object, int]) -> float:
    """Return the loop is the one that PettingZoo's own games are measured with."""
    made.reset(seed=0)
    return best_rate(partial(play_aec, made, 5_000, random.Random(0).random))


def _vector(track: str) -> float:
    """Return the learners pick by NumPy from the masks, as users' policies do."""
    made = gymnasium.make_vec(
        "Mascarade-v0",
        num_envs=_TABLES,
        scenario="6A",
        track=track,
        autoreset_mode="SameStep",  # so that each step is a decision of every learner
    )
    _, infos = made.reset(seed=0)
    chance = np.random.default_rng(0)
    mask = infos["action_mask"]

    def steps() -> int:
        nonlocal mask
        for _ in range(_STEPS):
            picked = (mask * chance.random(mask.shape, np.float32)).argmax(axis=1)
            mask = made.step(picked)[4]["action_mask"]
        return _TABLES * _STEPS

    return best_rate(steps)


BENCHMARKS = (
    Benchmark(
        "aec-raw-6A",
        "decisions through raw_env() of PettingZoo's AEC API, observations of track both, 6A",
        "/s",
        lambda: _aec(raw_env("6A")),
        at_least=150e3,
    ),
    Benchmark(
        "aec-env-6A",
        "the same through env()",
        "/s",
        lambda: _aec(env("6A")),
        at_least=60e3,
    ),
    Benchmark(
        "vector-6A",
        f"learner steps of the VectorEnv, {_TABLES} tables, random opponents inside, both, 6A",
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
