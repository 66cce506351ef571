"""The one door to Numba: `compiled` turns a scalar function into machine code.

Numba keeps compiled code on disk, but looks only at the file a function stands in: an edited
helper in another file would go unnoticed. So the cache lives in a folder named after a hash of the
sources it can come from; an edit anywhere makes a new folder, and old ones beside the sources go.

Nothing is compiled at import. When a first call has to compile for long, a line on stderr says so.
With `NUMBA_DISABLE_JIT=1` the same functions run as plain Python.
"""

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

import numba
import numba.core.options
from numba.core import event, types

P = ParamSpec("P")
R = TypeVar("R")

SETTINGS: Any = numba.config  # Numba makes its attributes at run time
CORE = Path(__file__).parent
# Division by zero follows NumPy, not Python: the kernels never divide by zero, and the check would
# cost time. Nor do they make arrays, so they do without Numba's runtime, which would count
# references to each array that is passed on or sliced: half the time of a step of a batch.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
if hasattr(numba.core.options.DefaultOptions, "_nrt"):  # not documented, so it may go
    _OPTIONS["_nrt"] = False
_type_of: Any = numba.typeof  # has no annotations
PATIENCE = 0.5  # seconds of compiling that need no word


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a scalar function with Numba, cached on disk where a folder can be written."""
    return _jitted(function, inline="never")


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """The same for a function that takes many arrays and is called for every game of a batch.

    Its code is put where it is called: passing an array means passing eight numbers.
    """
    return _jitted(function, inline="always")


def sealed(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that gets arguments of the same types all its life, arrays' layout included.

    The first call decides the types. Later ones go straight to the machine code: looking at the
    types of many structured arrays again takes ten times as long as passing them. Nothing is
    checked any more, so call it only with arrays that were made here.
    """
    if SETTINGS.DISABLE_JIT:
        return function
    jitted: Any = compiled(function)
    entry: Callable[..., R] | None = None

    def call(*arguments: Any) -> R:
        nonlocal entry
        if entry is None:
            entry = jitted.compile(tuple(map(_type_of, arguments)))
        assert entry is not None
        return entry(*arguments)

    return call  # type: ignore[return-value]  # a kernel has no keywords


def _jitted(function: Callable[P, R], inline: Literal["never", "always"]) -> Callable[P, R]:
    if SETTINGS.DISABLE_JIT:
        return function
    file = Path(function.__code__.co_filename)
    folder = cache_folder(file.parent if file.is_file() else CORE)
    before = SETTINGS.CACHE_DIR
    # Numba reads the folder while it decorates, so other packages keep their own setting.
    SETTINGS.CACHE_DIR = str(folder or "")
    try:
        jitted: Callable[P, R] = numba.njit(cache=folder is not None, inline=inline, **_OPTIONS)(
            function
        )
        _forget_literals(jitted)
        return jitted
    finally:
        SETTINGS.CACHE_DIR = before


def _forget_literals(jitted: Any) -> None:
    """Let calls with different literal numbers share one compilation.

    Numba would compile `tell(log, ..., 3)` and `tell(log, ..., 4)` anew, each with all that calls
    it; without this the first compilation takes twice as long, for the same speed.
    """
    template = jitted.get_call_template

    def without_literals(args: Any, keywords: Any) -> Any:
        plain: Any = types.unliteral  # has no annotations
        return template(tuple(map(plain, args)), keywords)

    jitted.get_call_template = without_literals


@cache
def cache_folder(sources: Path) -> Path | None:
    """The folder for compiled code of functions in a source folder, None if none can be written.

    Tried in turn: `NUMBA_CACHE_DIR`, beside the sources, the user's cache folder. Read-only
    installations therefore work; without any folder each process compiles anew.
    """
    name = f"mascarade-{sources_hash(sources)}"
    beside = sources / "__pycache__"
    for parent in (_told_by_user(), beside, _user_cache()):
        if parent and _writable(parent / name):
            if parent == beside:
                _drop_stale(beside, keep=name)
            return parent / name
    return None


def sources_hash(sources: Path) -> str:
    """A short hash of every Python source in a folder and in this one."""
    digest = hashlib.sha256()
    paths = {path for folder in (CORE, sources) for path in folder.glob("[!.]*.py")}
    for path in sorted(paths):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _told_by_user() -> Path | None:
    told = os.environ.get("NUMBA_CACHE_DIR")
    return Path(told).resolve() if told else None


def _user_cache() -> Path | None:
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache").resolve() / "mascarade_env"
    except RuntimeError:  # no home folder at all
        return None


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(65536))
        return True
    except OSError:
        return False


def _drop_stale(parent: Path, keep: str) -> None:
    for old in parent.glob("mascarade-*"):
        if old.name != keep:
            shutil.rmtree(old, ignore_errors=True)


class _Announcer(event.Listener):
    """Says that a compilation goes on: a first call that is silent for long looks like a hang.

    Numba tells it of every compilation in the process, of other packages too, so it must not fail.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.begun = 0.0
        self.timer: threading.Timer | None = None
        self.told = False

    def on_start(self, event: Any) -> None:
        if not _ours(event):
            return
        self.depth += 1
        if self.depth > 1:
            return
        self.begun = time.perf_counter()
        self.timer = threading.Timer(PATIENCE, self._tell)
        self.timer.daemon = True
        with contextlib.suppress(RuntimeError):  # no more threads: then without a word
            self.timer.start()

    def on_end(self, event: Any) -> None:
        if not _ours(event):
            return
        self.depth -= 1
        if self.depth or self.timer is None:
            return
        self.timer.cancel()
        seconds = time.perf_counter() - self.begun
        if seconds > PATIENCE:
            _say(f"compiled in {seconds:.1f} s")

    def _tell(self) -> None:
        if not self.told:
            self.told = True
            _say("compiling for this machine, once (20 to 30 s in all) ...")


def _say(words: str) -> None:
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):  # full, or closed
            print(f"mascarade_env: {words}", file=sys.stderr, flush=True)


def _ours(event: Any) -> bool:
    function = getattr(event.data.get("dispatcher"), "py_func", None)
    package = str(getattr(function, "__module__", "")).partition(".")[0]
    return package in ("mascarade_env", "mascarade_agents", "mascarade_train")


if not SETTINGS.DISABLE_JIT:
    event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]
