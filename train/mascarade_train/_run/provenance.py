"""The provenance of a file: versions of packages, and the commit of the checkout."""

import platform
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def versions(*packages: str) -> dict[str, str]:
    """Return the versions of mascarade-env, of the named packages, and of Python."""
    return {name: version(name) for name in ("mascarade-env", *packages)} | {
        "python": platform.python_version()
    }


@cache
def commit() -> str | None:
    """Return the short commit hash of this checkout, with a + if its code has changes.

    Results may differ between commits of one version, so files record the commit. Return None if
    the package is not in a checkout, or if git is not installed.
    """
    if not (ROOT / ".git").exists():
        return None
    git = ("git", "-C", str(ROOT))
    try:
        words = (*git, "rev-parse", "--short", "HEAD")
        head = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
        # Only code counts: new result files in the checkout do not change results.
        code = (*git, "status", "--porcelain", "--", "*.py", "*.toml", "constraints.txt")
        changed = subprocess.run(code, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{head}+" if changed else head
