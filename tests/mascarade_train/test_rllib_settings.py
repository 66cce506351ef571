"""The settings of the RLlib script, which need no Ray."""

import importlib
import runpy
import sys
from dataclasses import replace
from typing import Any

import pytest

from mascarade_env import MascaradeError
from mascarade_train.rllib_settings import DEFAULT_MINUTES, Settings, checked


def test_time_is_filled_in_unless_decisions_are_counted() -> None:
    assert checked(Settings()).minutes == DEFAULT_MINUTES
    assert checked(Settings(steps=5)).minutes is None
    assert checked(Settings(steps=5, minutes=2)) == Settings(steps=5, minutes=2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"minutes": 0.0}, "--minutes is a number above 0"),
        ({"minutes": float("nan")}, "--minutes is a number above 0"),
        ({"steps": 0}, "--steps is 1 or more"),
        ({"seed": -1}, "--seed lies in"),
        ({"runners": -1}, "--runners is 0 or more"),
        ({"tables": 0}, "--tables is 1 or more"),
        ({"rollout": 100}, "--batch is a part of --rollout, 100"),
        ({"learning_rate": 0.0}, "--learning-rate is a number above 0"),
        ({"entropy": -1.0}, "--entropy is a number from 0 on"),
        ({"kl": float("inf")}, "--kl is a number from 0 on"),
        ({"kl_target": 0.0}, "--kl-target is a number above 0"),
        ({"checkpoint_every": 0.0}, "--checkpoint-every is a number above 0"),
        ({"evaluation": 1}, "--evaluation is 2 or more"),
        ({"name": "../elsewhere"}, "--name is the name of a folder"),
        ({"name": ""}, "--name is the name of a folder"),
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
    for module in ("mascarade_train.rllib", "mascarade_env.adapters.rllib"):
        monkeypatch.delitem(sys.modules, module, raising=False)
        with pytest.raises(ImportError, match=r"pip install -r train/.*/requirements-rllib\.txt"):
            importlib.import_module(module)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("mascarade_train.rllib", run_name="__main__")
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert err.startswith("mascarade_train.rllib needs Ray RLlib, in an environment of its own")
    assert err.count("\n") == 1
