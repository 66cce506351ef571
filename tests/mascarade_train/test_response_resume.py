"""Resumed searches for a best response: they equal uninterrupted ones."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from mascarade_env import MascaradeError
from mascarade_train._best_response.checkpoints import FORMAT, resumed
from mascarade_train._best_response.search import Hooks, Response, best_response
from mascarade_train._best_response.settings import ResponseSettings
from mascarade_train._run import checkpoints
from tests.mascarade_train.test_crafted_checkpoints import changed, leaves
from tests.messages import facts

QUICK = ResponseSettings(
    decisions=400, selection=10, evaluation=40, games=16, batch=64, layers=(8,), events=4, slots=4,
    warming=0.3, learning_rate=(0.01, 0.001), entropy=(0.02, 0.1),
)  # fmt: skip


def search(run: Path, **hooks: Any) -> Response:
    return best_response("random", "tiny-2", QUICK, run=run, hooks=Hooks(**hooks))


def all_of(response: Response) -> tuple[Any, ...]:
    """All results of a search that do not depend on time."""
    arrays = {name: array.tobytes() for name, array in response.policy.arrays.items()}
    return {k: v for k, v in response.to_dict().items() if k != "seconds"}, arrays


@pytest.mark.slow
def test_from_each_checkpoint_the_same_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Path] = []
    save = checkpoints.save

    def copied(path: Path, *given: Any) -> None:
        save(path, *given)
        if path.parent == tmp_path / "run":
            kept.append(tmp_path / str(len(kept)))
            shutil.copytree(path.parent, kept[-1])

    monkeypatch.setattr(checkpoints, "save", copied)
    (tmp_path / "run").mkdir()
    expected = all_of(search(tmp_path / "run"))
    without = best_response("random", "tiny-2", QUICK)
    assert all_of(without) == expected  # and checkpoints change nothing
    assert len(kept) > 10
    for run in kept:
        assert all_of(search(run)) == expected, run


def test_stopped_and_resumed_the_same_is_found(tmp_path: Path) -> None:
    expected = all_of(best_response("random", "tiny-2", QUICK))
    updates: list[bool] = []

    class EndedError(Exception):
        pass

    def ended() -> None:
        if updates and updates[-1]:
            raise EndedError

    def after(count: int) -> Response | None:
        """Resume a search for some updates, then stop it."""
        updates.clear()

        def stopped() -> bool:
            updates.append(len(updates) + 1 >= count)
            return updates[-1]

        try:
            return search(tmp_path, stopped=stopped, saved=ended)
        except EndedError:
            return None

    counts = iter(range(3, 100))
    found = None
    while found is None:
        found = after(next(counts))
    assert next(counts) > 5  # stopped and resumed more than once
    assert all_of(found) == expected


def test_a_run_that_was_stopped_is_measured_and_resumed(tmp_path: Path) -> None:
    early = search(tmp_path, stopped=lambda: True)
    assert not early.whole
    assert all_of(search(tmp_path)) == all_of(best_response("random", "tiny-2", QUICK))


@pytest.mark.parametrize(
    ("agent", "scenario", "settings", "what"),
    [
        ("honest", "tiny-2", QUICK, "agent random, not honest"),
        ("random", "small-2", QUICK, "scenario"),
        ("random", "tiny-2", replace(QUICK, decisions=500), "settings"),
    ],
)
def test_another_search_does_not_resume_it(
    tmp_path: Path, agent: str, scenario: str, settings: ResponseSettings, what: str
) -> None:
    search(tmp_path, stopped=lambda: True)
    before = (tmp_path / checkpoints.NAME).read_bytes()
    with pytest.raises(MascaradeError, match=facts(repr(str(tmp_path)), f"the {what}")):
        best_response(agent, scenario, settings, run=tmp_path)
    assert (tmp_path / checkpoints.NAME).read_bytes() == before


def test_settings_come_from_the_run(tmp_path: Path) -> None:
    search(tmp_path, stopped=lambda: True)
    assert resumed(tmp_path) == ("tiny-2", QUICK)
    saved = checkpoints.load(tmp_path, FORMAT)
    given = json.loads(saved["settings"])
    for changes in (
        {"games": "many"},
        {"games": 2**40},
        {"layers": [2**30]},
        {"layers": 5},
        {"entropy": [None]},
        {"seeds": 10**9},
        {"more": 1},
    ):
        text = json.dumps(given | changes)
        checkpoints.save(tmp_path / checkpoints.NAME, saved | {"settings": text}, FORMAT)
        with pytest.raises(MascaradeError) as refused:
            resumed(tmp_path)
        assert "\n" not in str(refused.value)


def test_a_setting_that_the_run_did_not_know_has_its_default(tmp_path: Path) -> None:
    s = replace(QUICK, learning_rate=(0.01,), entropy=(0.02,))
    best_response("random", "tiny-2", s, run=tmp_path, hooks=Hooks(stopped=lambda: True))
    saved = checkpoints.load(tmp_path, FORMAT)
    given = json.loads(saved["settings"])
    for name, default in (("trace", True), ("warming", False)):
        text = json.dumps({n: value for n, value in given.items() if n != name})
        checkpoints.save(tmp_path / checkpoints.NAME, saved | {"settings": text}, FORMAT)
        assert (resumed(tmp_path) == ("tiny-2", s)) == default
    with pytest.raises(MascaradeError, match="has the settings"):
        best_response("random", "tiny-2", s, run=tmp_path)


def test_each_part_of_its_checkpoint_is_checked(tmp_path: Path) -> None:
    """Its parts are checked like those of a training."""
    search(tmp_path, stopped=lambda: True)
    saved = checkpoints.load(tmp_path, FORMAT)
    tried = 0
    for at, value in leaves(saved):
        if at[0] in ("format", "settings", "scenario", "agent") or at[-1] == "share":
            continue
        instead: Any = None
        if isinstance(value, torch.Tensor) and value.ndim and tried % 3:
            instead = torch.full_like(value.view(torch.uint8), 0x7F).view(value.dtype)
        tried += 1
        checkpoints.save(tmp_path / checkpoints.NAME, changed(saved, at, instead), FORMAT)
        with pytest.raises(MascaradeError) as refused:
            search(tmp_path, stopped=lambda: True)
        assert "\n" not in str(refused.value), at
    assert tried > 50
