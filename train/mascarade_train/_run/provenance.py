"""What a file was made with: versions of packages, and the state of the checkout."""

import platform
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def versions(*packages: str) -> dict[str, str]:
    """Return the versions of this package, of others, and of Python."""
    return {name: version(name) for name in ("mascarade-env", *packages)} | {
        "python": platform.python_version()
    }


@cache
def commit() -> str | None:
    """Return the commit of the checkout that this package is in, with a + if code has changed.

    None where there is no checkout, or no git. Results may differ between commits of one version.
    """
    if not (ROOT / ".git").exists():
        return None
    git = ("git", "-C", str(ROOT))
    try:
        words = (*git, "rev-parse", "--short", "HEAD")
        found = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
        # Results are files of the checkout too; they change nothing else.
        code = (*git, "status", "--porcelain", "--", "*.py", "*.toml", "constraints.txt")
        changed = subprocess.run(code, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{found}+" if changed else found
