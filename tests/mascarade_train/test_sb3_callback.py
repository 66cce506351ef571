"""The callback between updates, called without training."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from mascarade_env import Pool, Positions, Schema
from mascarade_env.adapters.sb3 import MascaradeVecEnv
from mascarade_train._run.display import Display, Figures
from mascarade_train._run.display import Shown as Line
from mascarade_train._sb3.callback import TrainingCallback


class Shown(Display):
    """A display that keeps all figures."""

    def __init__(self) -> None:
        super().__init__(None)
        self.figures: list[Figures] = []

    def show(self, figures: Line) -> None:
        assert isinstance(figures, Figures)
        self.figures.append(figures)


class Noted(Pool):
    """A pool that records the members that join after the first."""

    def __init__(self) -> None:
        self.joined: list[Any] = []
        super().__init__()
        self.joined.clear()

    def add(self, policy: Any) -> None:
        super().add(policy)
        self.joined.append(policy)


def callback(
    tmp_path: Path, scenario: str = "4A", *, every: int = 2
) -> tuple[TrainingCallback, Noted, Shown]:
    pool, shown = Noted(), Shown()
    made = TrainingCallback(
        Schema(scenario, "belief"),
        pool,
        tmp_path / "policy.zip",
        shown,
        [],
        snapshot_every=every,
        minutes=None,
        steps=1000,
    )
    return made, pool, shown


@pytest.fixture
def model() -> MaskablePPO:
    torch.set_num_threads(1)
    env = MascaradeVecEnv(2, "4A", track="belief", seed=0)
    model = MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [4]}, seed=0, device="cpu")
    model.set_logger(Logger(None, []))
    return model


def test_the_pool_grows_by_a_snapshot_every_few_updates(tmp_path: Path, model: MaskablePPO) -> None:
    made, pool, shown = callback(tmp_path, every=2)
    made.init_callback(model)
    for _ in range(8):  # ends of rollouts; the first comes before any update
        made.on_rollout_end()
    assert [figures.pool for figures in shown.figures] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert len({id(policy) for policy in pool.joined}) == 3


def test_a_snapshot_is_of_the_network_of_its_time(tmp_path: Path, model: MaskablePPO) -> None:
    made, pool, _ = callback(tmp_path, every=1)
    made.init_callback(model)
    bias = dict(model.policy.named_parameters())["action_net.bias"].data
    for update in range(5):
        bias[:] = 0
        bias[update] = 100
        made.on_rollout_end()
    arrays = np.zeros((3, 283), np.float32), np.ones((3, 26), np.int8)
    shown, rng = Positions(*arrays, Schema("4A", "belief")), np.random.default_rng(0)
    taken = [set(policy.act_batch(shown, rng).tolist()) for policy in pool.joined]
    assert taken == [{1}, {2}, {3}, {4}]


@pytest.mark.parametrize(
    ("scenario", "returns", "share"),
    [
        ("4A", [1.0, -1 / 3], 1 / 2),  # a win and a defeat
        ("4A", [1 / 3], 1 / 2),  # a win with another
        ("4A", [-1 / 3, -1 / 3], 0),
        ("8A", [1.0, 0.0, -1 / 7], (1 + 1 / 8) / 3),  # a void game is shared by all
        ("8A", [], None),
    ],
)
def test_the_win_share_shown_is_that_of_the_latest_games(
    tmp_path: Path, scenario: str, returns: list[float], share: float | None
) -> None:
    made, _, shown = callback(tmp_path, scenario)
    logger = Logger(None, [])
    model: Any = SimpleNamespace(ep_info_buffer=[{"r": gain} for gain in returns], logger=logger)
    made.model = model
    made.num_timesteps = 250
    made.on_rollout_end()
    (figures,) = shown.figures
    assert figures.win_share == (None if share is None else pytest.approx(share))
    assert logger.name_to_value.get("rollout/win_share") == figures.win_share
    assert (figures.steps, figures.done) == (250, 0.25)
