"""Folders of runs."""

from pathlib import Path

import pytest

from mascarade_env import MascaradeError
from mascarade_train._run.folders import clear_leftovers, new_folder
from tests.messages import facts


def test_a_run_never_goes_into_a_folder_that_is_there(tmp_path: Path) -> None:
    found = [new_folder(tmp_path / "runs", "mine").name for _ in range(3)]
    assert found == ["mine", "mine-2", "mine-3"]


def test_what_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(
        MascaradeError, match=facts("write", tmp_path / "file" / "mine", "Not a directory")
    ):
        new_folder(tmp_path / "file", "mine")
    with pytest.raises(MascaradeError, match=facts("--name", "folder", "'a/b'")):
        new_folder(tmp_path, "a/b")


def test_what_a_killed_process_was_writing_is_removed(tmp_path: Path) -> None:
    kept = [".lock", "checkpoint.pt", "events.out.tfevents.1.vm.17", ".hidden.txt"]
    for name in (*kept, ".4711-checkpoint.pt", ".12-policy.npz"):
        (tmp_path / name).touch()
    clear_leftovers(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)
