"""The settings of `mascarade rllib`, which need no Ray."""

import importlib
import sys
from dataclasses import replace
from typing import Any

import pytest

from mascarade_env import MascaradeError
from mascarade_env.cli import main
from mascarade_train._rllib.settings import DEFAULT_MINUTES, Settings, checked
from tests.messages import facts, states


def test_time_is_filled_in_unless_decisions_are_counted() -> None:
    assert checked(Settings()).minutes == DEFAULT_MINUTES
    assert checked(Settings(steps=5)).minutes is None
    assert checked(Settings(steps=5, minutes=2)) == Settings(steps=5, minutes=2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"minutes": 0.0}, facts("--minutes", 0, "0.0")),
        ({"minutes": float("nan")}, facts("--minutes", 0, "nan")),
        ({"steps": 0}, facts("--steps", 1, 0)),
        ({"seed": -1}, facts("--seed", "2**32-1", -1)),
        ({"runners": -1}, facts("--runners", 0, -1)),
        ({"tables": 0}, facts("--tables", 1, 0)),
        ({"rollout": 100}, facts("--batch", "--rollout", 100)),
        ({"learning_rate": 0.0}, facts("--learning-rate", 0, "0.0")),
        ({"entropy": -1.0}, facts("--entropy", 0, -1.0)),
        ({"kl": float("inf")}, facts("--kl", 0, "inf")),
        ({"kl_target": 0.0}, facts("--kl-target", 0, "0.0")),
        ({"checkpoint_every": 0.0}, facts("--checkpoint-every", 0, "0.0")),
        ({"evaluation": 1}, facts("--evaluation", 2, 1)),
        ({"name": "../elsewhere"}, facts("--name", "folder", "'../elsewhere'")),
        ({"name": ""}, facts("--name", "folder", "''")),
    ],
)
def test_what_is_wrong_is_told(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(MascaradeError, match=message):
        checked(replace(Settings(), **wrong))


def test_without_ray_its_requirements_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for name in [name for name in sys.modules if name.startswith("ray.")]:
        monkeypatch.delitem(sys.modules, name)
    for module in ("mascarade_train._rllib.training", "mascarade_env.adapters.rllib"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(
        ImportError, match=facts("pip install -r train/mascarade_train/requirements-rllib.txt")
    ):
        importlib.import_module("mascarade_env.adapters.rllib")
    assert main(["rllib"]) == 2
    err = capsys.readouterr().err
    assert states(err, "`mascarade rllib`", "Ray RLlib", "separate", "pip install -r")
    assert err.count("\n") == 1
