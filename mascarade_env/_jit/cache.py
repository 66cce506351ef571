"""The cache of compiled code on disk, and how a damaged or full folder is handled.

Numba's own cache checks only the file of a function. It would not notice a change of a helper in
another file. So this cache is a folder whose name is a hash of all sources that the code can come
from. After a change of a source there is a new folder, and old folders next to the sources are
removed.

Each file is one compiled function: a SHA-256 digest, then the pickled code. A damaged file is
removed, and its function is compiled again. If no folder is writable, each process compiles again.
A notice names the folder, once in each process.
"""

import contextlib
import hashlib
import importlib.util
import os
import pickle
import re
import secrets
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, serialize

from mascarade_env._errors import MascaradeError
from mascarade_env._files.locks import only_writer

#: The packages with compiled functions. A package may call functions of the packages before it.
PACKAGES = ("mascarade_env", "mascarade_agents", "mascarade_train")

REMIND = 3600  # seconds after a notice until a process prints the next one
WAIT = 60.0  # longest time in seconds that a process waits while others compile
POLL = 0.05  # seconds between two checks whether the other process is done

_DIGEST = hashlib.sha256().digest_size
_reported: set[Path] = set()
_announced: set[Path | None] = set()
_waited: dict[Path, float] = defaultdict(float)  # seconds, by folder


class Kept(caching._Cache):
    """The stored code of one function, in place of Numba's cache.

    Args:
        function: the function.
        folder: the folder of the cache.
        reduce: returns a result of the compiler as a tuple that can be pickled.
        rebuild: returns the result for this tuple and a target of the compiler.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        folder: Path,
        reduce: Callable[[Any], Any],
        rebuild: Callable[[Any, Any], Any],
    ) -> None:
        self._function = function
        self._folder = folder
        self._reduce = reduce
        self._rebuild = rebuild

    @property
    def cache_path(self) -> str:
        """The folder of the cache."""
        return str(self._folder)

    def enable(self) -> None:
        """Do nothing: Numba calls this to turn a cache on, and this cache is always on."""

    def disable(self) -> None:
        """Do nothing."""

    def flush(self) -> None:
        """Do nothing: changed sources have another folder."""

    def holds(self, signature: Any, target: Any) -> bool:
        """Return whether there is a file for a signature."""
        return self._path(signature, target).exists()

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the stored code for a signature; None if there is none, or it does not work."""
        target.refresh()
        path = self._path(signature, target)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        try:
            if hashlib.sha256(data[_DIGEST:]).digest() == data[:_DIGEST]:
                return self._rebuild(target, pickle.loads(data[_DIGEST:]))
            reason = "a file was damaged"
        except Exception as error:  # for example, another version of a library wrote it
            reason = f"a file could not be used ({type(error).__name__})"
        report(self._folder, f"{reason}; its function is compiled again")
        with contextlib.suppress(OSError):
            path.unlink()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write a result to disk; if that fails, report it once and continue."""
        if result.library.has_dynamic_globals:  # these are memory addresses of this process
            return
        data = serialize.dumps(self._reduce(result))
        path = self._path(signature, result.target_context)
        unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            try:
                with unfinished.open("xb") as file:
                    file.write(hashlib.sha256(data).digest())
                    file.write(data)
                unfinished.replace(path)
            finally:
                unfinished.unlink(missing_ok=True)
        except OSError as error:
            report(self._folder, f"compiled code is not kept: {error.strerror or error}")

    def _path(self, signature: Any, target: Any) -> Path:
        code = self._function.__code__
        cells = tuple(cell.cell_contents for cell in self._function.__closure__ or ())
        identity = (
            self._function.__module__,
            self._function.__qualname__,
            code.co_firstlineno,
            serialize.dumps(cells) if cells else b"",
            str(signature),
            target.codegen().magic_tuple(),
            sys.implementation.cache_tag,
            numba.__version__,
            str(getattr(numba.config, "BOUNDSCHECK", None)),
            self._reduce.__qualname__,
        )
        return (
            self._folder
            / f"{code.co_name}-{hashlib.sha256(repr(identity).encode()).hexdigest()[:24]}"
        )


def report(folder: Path, what: str) -> None:
    """Print one line about a folder, once in each process."""
    if folder not in _reported:
        _reported.add(folder)
        say(f"cache of compiled code {str(folder)!r}: {what}")


def say(words: str) -> None:
    """Print a line on stderr, if stderr can be written to."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):  # full, or closed
            print(f"mascarade_env: {words}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def turn(folder: Path, done: Callable[[], bool]) -> Iterator[None]:
    """Let one process at a time compile into a folder.

    Stop waiting when `done` returns True, because another process may have compiled the same
    function. Wait for `WAIT` seconds at most in total, then compile at the same time as the other
    process.
    """
    begun = time.monotonic()
    with contextlib.ExitStack() as stack:
        while _waited[folder] + time.monotonic() - begun < WAIT:
            try:
                stack.enter_context(only_writer(folder))
                break
            except MascaradeError:  # another process has the lock
                if done():
                    break
                time.sleep(POLL)
        _waited[folder] += time.monotonic() - begun
        yield


def first_to_announce(folder: Path | None) -> bool:
    """Return whether this process should announce that it compiles, and record that it does.

    A process announces it once at most, and only if no other process has done so in the last hour.

    Args:
        folder: the folder of the cache; None if there is no cache, so that other processes do not
            matter.
    """
    if folder in _announced:
        return False
    _announced.add(folder)
    if folder is None:
        return True
    file = folder / ".announced"
    try:
        with contextlib.suppress(FileNotFoundError):
            if time.time() - file.stat().st_mtime < REMIND:
                return False
            file.unlink()
        file.open("x").close()
    except FileExistsError:  # another process was faster
        return False
    except OSError:
        return True
    return True


def folder_for(function: Callable[..., Any]) -> Path | None:
    """Return the folder for the code of a function; None if the function is not in a file."""
    file = Path(function.__code__.co_filename)
    if not file.is_file():
        return None
    package = function.__module__.partition(".")[0]
    sources = _folder_of(package) if package in PACKAGES else None
    return cache_folder(sources or file.parent, package)


@cache
def cache_folder(sources: Path, name: str) -> Path | None:
    """Return the folder for the compiled code of a package; None if no folder is writable.

    It is in the first writable folder of these: `NUMBA_CACHE_DIR`, the folder of the sources, the
    user's cache folder. So read-only installations work too.

    Args:
        sources: the folder of the package.
        name: the name of the package, or of another module.
    """
    folder = f"mascarade-{sources_hash(sources, name)}"
    beside = sources / "__pycache__"
    for parent in (_set_by_user(), beside, _user_cache()):
        if parent and _writable(parent / folder):
            if parent == beside:
                _drop_stale(beside, keep=folder)
            return parent / folder
    return None


def sources_hash(sources: Path, name: str) -> str:
    """Return a short hash of all Python sources from which functions of a package are compiled.

    These are the sources of the package and of the packages whose functions it may call, with their
    sub-folders. For a module of another package, the sources are the files of its folder and of all
    `PACKAGES`.
    """
    digest = hashlib.sha256()
    last = PACKAGES.index(name) if name in PACKAGES else len(PACKAGES)
    folders = [folder for package in PACKAGES[:last] if (folder := _folder_of(package))]
    files = {path for folder in folders for path in compiled_from(folder)}
    files.update(compiled_from(sources) if name in PACKAGES else sources.glob("[!.]*.py"))
    for path in sorted(files):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def compiled_from(package: Path) -> Iterator[Path]:
    """Yield the sources of a package that compiled code can come from.

    These are the files of the package itself, of sub-packages with compiled functions, and of the
    sub-packages that these import from: constants are part of compiled code.
    """
    yield from package.glob("[!.]*.py")
    texts = {
        child.name: {path: path.read_bytes() for path in child.rglob("[!.]*.py")}
        for child in package.iterdir()
        if child.is_dir()
    }
    left = [
        name
        for name, files in texts.items()
        if name == "_jit" or any(b"_jit import" in text for text in files.values())
    ]
    imports = re.compile(rb"^from %s\.(\w+)" % package.name.encode(), re.MULTILINE)
    while left:
        files = texts.pop(left.pop(), {})
        yield from files
        left += [name.decode() for text in files.values() for name in imports.findall(text)]


def _folder_of(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


def _set_by_user() -> Path | None:
    folder = os.environ.get("NUMBA_CACHE_DIR")
    try:
        return Path(folder).resolve() if folder else None
    except (OSError, RuntimeError):  # a loop of links, or relative to a folder that was removed
        return None


def _user_cache() -> Path | None:
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache").resolve() / "mascarade_env"
    except (OSError, RuntimeError):  # for example, there is no home folder
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
