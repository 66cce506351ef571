"""Set the address of the repository, in pyproject.toml and in every file that repeats it."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Annotated

import tyro

from lab.paths import ROOT
from mascarade_env import MascaradeError

_FILES = ("*.md", "*.ipynb", "*.cff", "*.yml", "pyproject.toml")


def address(url: Annotated[str, tyro.conf.Positional], root: Path = ROOT) -> None:
    """Set the address of the repository in install lines, badges, citations and links.

    The address is set in pyproject.toml, and other files repeat it. This command changes all of
    them.

    Example: python -m lab address https://github.com/you/mascarade-env

    Args:
        url: the new address, `https://github.com/OWNER/NAME`.
        root: the checkout to change.
    """
    new = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)/?", url)
    if new is None or new[1].endswith(".git"):
        raise MascaradeError(f"the address must be https://github.com/OWNER/NAME, not {url}")
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    old = project["urls"]["Source"].removeprefix("https://github.com/")
    # Links to Colab contain the same owner and name as links to GitHub.
    pattern = re.compile(rf"((?://|google\.com/)github(?:\.com)?/){re.escape(old)}(?![\w-])")
    for name in _tracked(root):
        path = root / name
        text = path.read_text("utf-8")
        changed, count = pattern.subn(rf"\g<1>{new[1]}", text)
        if count:
            path.write_text(changed, "utf-8")
            print(f"{name}: {count}")


def _tracked(root: Path) -> list[str]:
    """Return the tracked files that may repeat the address."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *_FILES], cwd=root, capture_output=True, text=True, check=True
    )
    return listed.stdout.rstrip("\0").split("\0")
