import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mascarade_train._run import provenance


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    provenance.commit.cache_clear()
    yield
    provenance.commit.cache_clear()


def test_versions_are_those_installed() -> None:
    found = provenance.versions("numpy")
    assert list(found) == ["mascarade-env", "numpy", "python"]
    assert all(re.match(r"\d+\.\d+", version) for version in found.values())


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    told = subprocess.run(
        ("git", *who, "-C", str(folder), *words), capture_output=True, text=True, check=True
    )
    return told.stdout.strip()


def test_the_commit_is_told_and_whether_files_were_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "code.py"
    file.write_text("one")
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    assert provenance.commit() is None
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    provenance.commit.cache_clear()
    found = provenance.commit()
    assert found is not None
    assert len(found) >= 7
    assert git(tmp_path, "rev-parse", "HEAD").startswith(found)
    (tmp_path / "measured.json").write_text("{}")
    provenance.commit.cache_clear()
    assert provenance.commit() == found  # no code
    file.write_text("two")
    provenance.commit.cache_clear()
    assert provenance.commit() == f"{found}+"
    git(tmp_path, "commit", "-qam", "two")
    (tmp_path / "new.py").write_text("more")
    provenance.commit.cache_clear()
    assert (provenance.commit() or "").endswith("+")


def test_without_git_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any, **__: Any) -> None:
        raise FileNotFoundError("git")

    monkeypatch.setattr(subprocess, "run", none)
    assert provenance.commit() is None
