"""What something was made with: versions of packages, and the state of the project's files."""

import platform
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def versions(*packages: str) -> dict[str, str]:
    """The versions of this package, of others, and of Python."""
    return {name: version(name) for name in ("mascarade-env", *packages)} | {
        "python": platform.python_version()
    }


@cache
def commit() -> str | None:
    """The commit of the checkout that this package lies in, with a + if code was changed since.

    None where there is no checkout, or no git. What a command makes may differ from one commit to
    the next, as the version of the package does not tell.
    """
    if not (ROOT / ".git").exists():
        return None
    git = ("git", "-C", str(ROOT))
    try:
        words = (*git, "rev-parse", "--short", "HEAD")
        found = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
        # What is measured is written into the checkout too, and changes nothing else.
        code = (*git, "status", "--porcelain", "--", "*.py", "*.toml", "constraints.txt")
        changed = subprocess.run(code, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{found}+" if changed else found
