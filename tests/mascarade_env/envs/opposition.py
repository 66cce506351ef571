"""Environments with one learner, opponents that play or fail, and helpers to compare them."""

import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mascarade_env import Pool, Scenario, scenarios
from tests.messages import facts

NAMES = list(scenarios())
MASKS = scenarios()["4A"].masks
SHORT = Scenario("short", 4, MASKS, turn_limit=6)  # all games are void
RICHEST = Scenario("richest", 4, MASKS, turn_limit=8, at_limit="richest", strict=False)


def lowest(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
    return np.asarray(mask.argmax(axis=1))


def varied(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return legal actions that depend on the observation, row by row."""
    weights = np.modf(np.abs(observation.sum(axis=1, dtype=np.float64)) * 7.31)[0]
    ranked = np.cumsum(mask, axis=1)
    wanted = 1 + np.floor(weights * ranked[:, -1])
    return np.asarray((ranked == wanted[:, None]).argmax(axis=1))


OPPONENTS: dict[str, Any] = {
    "random": "random",
    "policy": varied,
    "pool": Pool([varied, "random", lowest], newest=0.3),
}


def single(scenario: Any = "4A", **options: Any) -> Any:
    """Return an environment in Gymnasium's wrappers."""
    return gymnasium.make("Mascarade-v0", scenario=scenario, **options)


def vector(scenario: Any = "4A", num_envs: int = 4, **options: Any) -> Any:
    return gymnasium.make_vec("Mascarade-v0", num_envs=num_envs, scenario=scenario, **options)


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and bool(np.array_equal(one, other))
    return type(one) is type(other) and bool(one == other)


def course(env: Any, steps: int, seed: int = 0, *, illegal: float = 0.0) -> list[Any]:
    """Return the results of some steps, with resets at the end of games."""
    chance = np.random.default_rng(seed)
    told = []
    for _ in range(steps):
        mask = env.unwrapped.action_masks()
        wanted = ~mask if chance.random() < illegal else mask
        told.append(env.step(int(chance.choice(np.flatnonzero(wanted)))))
        if told[-1][2] or told[-1][3]:
            told.append(env.reset())
    return told


def picks(masks: NDArray[Any], chance: np.random.Generator, illegal: float = 0.0) -> Any:
    """Return a legal action for each row, sometimes an illegal one."""
    wanted = np.where(chance.random(len(masks))[:, None] < illegal, masks == 0, masks != 0)
    wanted |= ~wanted.any(axis=1)[:, None]  # all are legal when the game is over
    return (chance.random(masks.shape) * wanted).argmax(axis=1)


def arrays(told: Any) -> list[NDArray[Any]]:
    """Return all numeric arrays in a result."""
    if isinstance(told, dict):
        return arrays(tuple(told.values()))
    if isinstance(told, tuple) or (isinstance(told, np.ndarray) and told.dtype == object):
        return [array for each in told for array in arrays(each)]
    return [] if told is None else [told]


def broken(answer: Callable[[NDArray[np.int8]], Any], good_for: int) -> Callable[..., Any]:
    left = [good_for]

    def policy(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> Any:
        left[0] -= 1
        return answer(mask) if left[0] == -1 else mask.argmax(axis=1)

    return policy


BROKEN: dict[str, tuple[Callable[[NDArray[np.int8]], Any], str]] = {
    "raises": (lambda mask: 1 // 0, "division"),
    "exits": (lambda mask: sys.exit("tired"), "tired"),
    "illegal": (lambda mask: mask.argmin(axis=1), facts("action", "phase", "legal")),
    "negative": (lambda mask: np.full(len(mask), -1), facts("action id", -1, 25)),
    "far": (lambda mask: np.full(len(mask), 10**6), facts("action id", 10**6, 25)),
    "too far": (lambda mask: np.full(len(mask), 2**64 - 1, np.uint64), facts("action id", 25)),
    "floats": (lambda mask: np.ones(len(mask)), facts("policy", "one action id", "shape")),
    "scalar": (lambda mask: 1, facts("policy", "one action id", "shape")),
    "too many": (lambda mask: [1] * (len(mask) + 1), facts("policy", "one action id", "shape")),
    "none": (lambda mask: None, facts("policy", "one action id", "shape")),
    "ragged": (lambda mask: [[1], [1, 2]], facts("policy", "one action id", "shape")),
    "table": (lambda mask: mask, facts("policy", "one action id", "shape")),
}
