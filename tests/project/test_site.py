"""The documentation site holds every page and every public name, and builds without warnings."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from lab.pages.versions import PUBLIC_MODULES

ROOT = Path(__file__).parents[2]
SITE = ROOT / "train/lab/site"
# What GitHub asks people who open an issue.
NOT_ON_THE_SITE = {".github/PULL_REQUEST_TEMPLATE", "train/lab/site/contents"}


def listed() -> list[str]:
    """Return the pages of contents.md, without their endings."""
    text = (SITE / "contents.md").read_text("utf-8")
    return re.findall(r"^(?:[\w ]+<)?([\w./-]+)>?$", text, re.MULTILINE)


def test_the_site_lists_every_page_once() -> None:
    files = subprocess.run(
        ["git", "ls-files", "*.md", "*.ipynb"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    pages = {file.rpartition(".")[0] for file in files} - NOT_ON_THE_SITE - {"README"}
    names = [name for name in listed() if not name.startswith("train/lab/site/api/")]
    assert len(names) == len(set(names))
    assert set(names) == pages


def test_every_public_module_has_a_page() -> None:
    names = [Path(name).name for name in listed() if name.startswith("train/lab/site/api/")]
    assert names == list(PUBLIC_MODULES)
    for module in PUBLIC_MODULES:
        text = (SITE / f"api/{module}.rst").read_text("utf-8")
        assert text == f"{module}\n{'=' * len(module)}\n\n.. automodule:: {module}\n"


@pytest.mark.slow
def test_the_site_builds_without_warnings(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q"),
            *("-c", SITE, "-d", tmp_path / "doctrees", "-b", "html", ROOT, tmp_path / "site"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    site = tmp_path / "site"
    first = (site / "index.html").read_text("utf-8")
    for name in listed():
        page = (site / f"{name}.html").read_text("utf-8")
        # Everything comes with the site, so that readers send no requests to other servers.
        assert not re.findall(r'(?:src="|<link[^>]*href=")(https?://[^"]*)"', page)
        assert f'href="{name}.html"' in first
    reference = (site / "train/lab/site/api/mascarade_env.html").read_text("utf-8")
    for name in ("Game", "Batch", "AgentView", "SelfPlay"):
        assert f'id="mascarade_env.{name}"' in reference
