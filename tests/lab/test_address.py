"""One command changes the address of the repository everywhere."""

import subprocess
from pathlib import Path

import pytest

from lab.address import address
from mascarade_env import MascaradeError
from tests.messages import facts

OLD = "https://github.com/old/mascarade-env"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of four files, one of which has an address that only looks alike."""
    files = {
        "pyproject.toml": f'[project.urls]\nSource = "{OLD}"\nIssues = "{OLD}/issues"\n',
        "README.md": f"git clone {OLD} && cd mascarade-env\n{OLD}-fork and {OLD}.\n",
        "a.ipynb": "https://colab.research.google.com/github/old/mascarade-env/blob/main/a.ipynb",
        "code.py": f"# {OLD}\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    return tmp_path


def test_the_address_changes_everywhere(checkout: Path) -> None:
    address("https://github.com/new-owner/env2", checkout)
    new = "https://github.com/new-owner/env2"
    assert (checkout / "pyproject.toml").read_text().count(new) == 2
    assert (checkout / "README.md").read_text() == (
        f"git clone {new} && cd mascarade-env\n{OLD}-fork and {new}.\n"
    )
    assert "google.com/github/new-owner/env2/blob" in (checkout / "a.ipynb").read_text()
    assert OLD in (checkout / "code.py").read_text()  # code reads pyproject.toml
    address(OLD, checkout)
    assert f"clone {OLD} &&" in (checkout / "README.md").read_text()


@pytest.mark.parametrize(
    "wrong",
    [
        "github.com/a/b",
        "https://github.com/a",
        "https://example.org/a/b",
        "",
        "https://github.com/a/b.git",
    ],
)
def test_another_form_is_refused(wrong: str, checkout: Path) -> None:
    before = (checkout / "README.md").read_text()
    with pytest.raises(MascaradeError, match=facts("https://github.com/OWNER/NAME")):
        address(wrong, checkout)
    assert (checkout / "README.md").read_text() == before
