"""Agents that the settings in a checkpoint name: no code is run unless the user types its name."""

import json
from pathlib import Path
from typing import Any

import pytest

from mascarade_env import MascaradeError
from mascarade_env.cli import main
from mascarade_train._run import checkpoints, start
from mascarade_train._run.resume import settings_of
from mascarade_train._settings import Settings, as_json
from tests.mascarade_train.small_runs import small, training

CODE = """
import pathlib
pathlib.Path("ran").touch()
from mascarade_agents._ladder.random import RandomAgent as Mine
"""


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("evil.py").write_text(CODE)


def run_with(**settings: Any) -> Path:
    """The folder of a run whose checkpoint has these settings."""
    run = Path("runs/given")
    if not run.exists():
        run.mkdir(parents=True)
        training(run).save()
    saved = checkpoints.load(run)
    given = json.dumps({**as_json(small()), **settings})
    checkpoints.save(run / checkpoints.NAME, {**saved, "settings": given})
    return run


@pytest.mark.parametrize(
    ("settings", "flag"),
    [
        ({"rungs": ["stopper", "evil.py:Mine"]}, "--rungs"),
        ({"teacher": "evil.py:Mine"}, "--teacher"),
        ({"league": 0.5, "league_agents": ["evil.py:Mine"]}, "--league-agents"),
    ],
)
def test_a_checkpoint_runs_no_code(
    settings: dict[str, Any],
    flag: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = run_with(**settings)
    assert main(["train", "--resume", str(run)]) == 2
    error = capsys.readouterr().err
    assert f"{str(run)!r} names the agent 'evil.py:Mine', which is refused" in error
    assert f"name it on the command line, by {flag}" in error
    assert not Path("ran").exists()

    started: list[Settings] = []
    monkeypatch.setattr(start, "start", started.append)
    for words in (
        (flag, "evil.py:Mine"),
        (flag.replace("-", "_").replace("__", "--", 1), "honest"),
    ):
        assert main(["train", "--resume", str(run), *words]) == 0
        assert getattr(started.pop(), flag[2:].replace("-", "_")) in (words[1], (words[1],))


def test_weights_of_the_run_are_read_and_no_others() -> None:
    for name in ("net:runs/given", "net:runs/given/policy.npz", "stopper"):
        assert settings_of(run_with(rungs=[name])).rungs == (name,)
    for name in (
        "net:runs/other",
        "net:runs/given/../other",
        f"net:{Path('runs/given').resolve()}",
    ):
        with pytest.raises(MascaradeError, match=r"not in the folder 'runs/given'"):
            settings_of(run_with(teacher=name))


@pytest.mark.parametrize(
    "settings", [{"rungs": [7]}, {"league_agents": [None]}, {"scenario": [4]}, {"layers": ["8"]}]
)
def test_items_of_other_kinds_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(MascaradeError, match="cannot be resumed: --"):
        settings_of(run_with(**settings))
