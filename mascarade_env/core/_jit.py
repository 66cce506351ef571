"""The one door to Numba: `compiled` turns a scalar function into machine code.

Numba keeps compiled code on disk, but looks only at the file a function stands in: an edited
helper in another file would go unnoticed. So the cache lives in a folder named after a hash of all
sources of this package's core; an edit anywhere makes a new folder, and old ones beside it go.

Nothing is compiled at import. When a first call has to compile, one line on stderr says so.
With `NUMBA_DISABLE_JIT=1` the same functions run as plain Python.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core import event

P = ParamSpec("P")
R = TypeVar("R")

SETTINGS: Any = numba.config  # Numba makes its attributes at run time
CORE = Path(__file__).parent
PREFIX = "mascarade-"


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a scalar function with Numba, cached on disk where a folder can be written.

    Division by zero follows NumPy, not Python (`error_model="numpy"`): the kernels never divide by
    zero, and the check would cost time.
    """
    if SETTINGS.DISABLE_JIT:
        return function
    folder = cache_folder()
    before = SETTINGS.CACHE_DIR
    # Numba reads the folder while it decorates, so other packages keep their own setting.
    SETTINGS.CACHE_DIR = str(folder or "")
    try:
        jitted: Callable[P, R] = numba.njit(
            cache=folder is not None, nogil=True, error_model="numpy"
        )(function)
        return jitted
    finally:
        SETTINGS.CACHE_DIR = before


@cache
def cache_folder() -> Path | None:
    """The folder for compiled code of exactly these sources, or None if none can be written.

    Tried in turn: `NUMBA_CACHE_DIR`, beside the sources, the user's cache folder, the temporary
    folder. Read-only installations and machines without a home therefore work, at worst compiling
    anew in each process.
    """
    name = PREFIX + sources_hash()
    beside = CORE / "__pycache__"
    for parent in (os.environ.get("NUMBA_CACHE_DIR"), beside, _user_cache(), _temporary()):
        if parent and _writable(Path(parent) / name):
            if Path(parent) == beside:
                _drop_stale(beside, keep=name)
            return Path(parent) / name
    return None


def sources_hash() -> str:
    """A short hash of every Python source in this folder."""
    digest = hashlib.sha256()
    for path in sorted(CORE.glob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _user_cache() -> Path | None:
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(base) if base else Path.home() / ".cache"
    except RuntimeError:  # no home folder at all
        return None


def _temporary() -> Path:
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"numba-{owner}"


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _drop_stale(parent: Path, keep: str) -> None:
    for old in parent.glob(PREFIX + "*"):
        if old.name != keep:
            shutil.rmtree(old, ignore_errors=True)


class _Announcer(event.Listener):
    """Says that a compilation goes on: a first call that is silent for long looks like a hang."""

    def __init__(self) -> None:
        self.depth = 0
        self.begun = 0.0
        self.spent = 0.0
        self.told = False

    def on_start(self, event: Any) -> None:
        if not _ours(event):
            return
        if self.depth == 0:
            self.begun = time.perf_counter()
            if not self.told:
                self.told = True
                print(
                    "mascarade_env: compiling the rules for this machine (once, about 20 s) ...",
                    file=sys.stderr,
                    flush=True,
                )
        self.depth += 1

    def on_end(self, event: Any) -> None:
        if not _ours(event):
            return
        self.depth -= 1
        if self.depth == 0:
            seconds = time.perf_counter() - self.begun
            self.spent += seconds
            if seconds > 1:
                print(f"mascarade_env: compiled in {seconds:.1f} s", file=sys.stderr, flush=True)


def _ours(event: Any) -> bool:
    module: str = event.data["dispatcher"].py_func.__module__
    return module.startswith("mascarade_")


if not SETTINGS.DISABLE_JIT:
    event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]
