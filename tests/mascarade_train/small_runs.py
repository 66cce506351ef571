"""Settings with which training takes a moment, and artificial harvests."""

from pathlib import Path
from typing import Any

import numpy as np
import torch

from mascarade_env import Schema
from mascarade_train._policy_file import action_count
from mascarade_train._ppo import Training
from mascarade_train._rollouts import Harvest
from mascarade_train._settings import Settings
from tests.mascarade_train.random_nets import positions

#: Every option of the learner at once, in games of several scenarios.
EVERYTHING: dict[str, Any] = {
    "scenario": ("4A", "6A"),
    "padded": True,
    "magnet": 0.1,
    "average": 0.5,
    "slots": 5,
    "league": 0.6,
    "league_every": 100,
    "league_keep": 2,
    "league_agents": ("stopper",),
    "teacher": "stopper",
    "teaching": 0.6,
}


def small(**changes: Any) -> Settings:
    """Settings with small numbers of games, steps and weights."""
    given: dict[str, Any] = {
        "scenario": ("4A",),
        "decisions": 600,
        "games": 8,
        "steps": 16,
        "epochs": 2,
        "minibatches": 2,
        "layers": (16,),
        "events": 3,
        "embedding": 2,
        "evaluate_every": 10**9,
        "evaluation": 4,
        "rungs": (),
    }
    return Settings(**given | changes)


def training(run: Path, **changes: Any) -> Training:
    """A training with small settings, in one process."""
    return Training(small(**changes), run)


def made_up(schema: Schema, count: int, seed: int = 0) -> Harvest:
    """A harvest of real positions with random decisions and outcomes."""
    chance = np.random.default_rng(seed)
    seen, legal = positions(schema)
    observation, mask = seen[:count], legal[:count]
    players = schema.scenario.players
    chances = chance.random(mask.shape) * mask + 1e-9 * mask
    chances /= chances.sum(axis=1, keepdims=True)
    log_probs = np.log(chances, out=np.full(mask.shape, -1e9), where=mask > 0)
    wins = np.zeros((count, schema.seats), np.float32)
    wins[:, :players] = chance.dirichlet(np.ones(players), count)
    full = Schema(schema.scenario, "full", padded=schema.padded)
    assert mask.shape[1] == action_count(schema)
    states = np.zeros((count, full.size), np.float32)
    full.views(states)["occupied"][:, :players] = 1
    return Harvest(
        observation=observation,
        mask=mask,
        action=(chance.random(mask.shape) * mask).argmax(axis=1),
        log_probs=log_probs.astype(np.float32),
        advantage=chance.normal(size=count).astype(np.float32),
        wins=wins,
        held=chance.integers(len(schema.masks), size=count).astype(np.int8),
        full=states,
        teacher_probs=np.zeros((count, 0), np.float32),
    )


class After:
    """Interrupts that arrive when `len` is called for the n-th time."""

    def __init__(self, times: int) -> None:
        self._left = times

    def __len__(self) -> int:
        self._left -= 1
        return int(self._left <= 0)


def different(one: Any, two: Any, at: str = "") -> list[str]:
    """The parts in which two checkpoints differ, without times."""
    if isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys():
        pairs = [(name, one[name], two[name]) for name in one if name != "seconds"]
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        pairs = [(str(place), *both) for place, both in enumerate(zip(one, two, strict=True))]
    elif isinstance(one, torch.Tensor) and isinstance(two, torch.Tensor):
        return [] if one.dtype == two.dtype and torch.equal(one, two) else [at]
    else:
        return [] if type(one) is type(two) and one == two else [at]
    return [found for name, a, b in pairs for found in different(a, b, f"{at}/{name}")]
