"""Where compiled code is kept between runs, and how a damaged or full folder is handled.

Numba's own cache on disk looks only at the file a function is in: it would miss an edit of a
helper in another file. So compiled code is kept in a folder whose name is a hash of all sources
that it can come from. An edit makes a new folder; old ones beside the sources are removed.

Each file is one compiled function: a SHA-256 digest, then the pickled code. A damaged file is
dropped and compiled again. Where nothing can be written, compiled code lives as long as the
process. A notice names the folder, once a process.
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

#: The packages that compile, each after those whose functions it may call.
PACKAGES = ("mascarade_env", "mascarade_agents", "mascarade_train")

REMIND = 3600  # seconds after which a process announces again that it compiles
WAIT = 60.0  # most seconds that one process waits for others that compile
POLL = 0.05  # seconds between two looks at what the other one has made

_DIGEST = hashlib.sha256().digest_size
_reported: set[Path] = set()
_announced: set[Path | None] = set()
_waited: dict[Path, float] = defaultdict(float)  # seconds, by folder


class Kept(caching._Cache):
    """The compiled code of one function on disk, in Numba's place for it.

    Args:
        function: the function.
        folder: where its code is kept.
        reduce: turns a result of the compiler into what can be pickled.
        rebuild: turns that back, for a target of the compiler.
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
        """The folder."""
        return str(self._folder)

    def enable(self) -> None:
        """Change nothing: a function that is not kept has no such cache."""

    def disable(self) -> None:
        """Change nothing."""

    def flush(self) -> None:
        """Change nothing: a changed source has another folder."""

    def holds(self, signature: Any, target: Any) -> bool:
        """Return whether there is a file for a signature."""
        return self._path(signature, target).exists()

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return what is kept for a signature, None if there is nothing of use."""
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
        except Exception as error:  # of another version of a library, for one
            reason = f"a file could not be used ({type(error).__name__})"
        report(self._folder, f"{reason} and is compiled again")
        with contextlib.suppress(OSError):
            path.unlink()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write a result to disk; report once, and continue, if that fails."""
        if result.library.has_dynamic_globals:  # addresses of this process
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
        of = (
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
        return self._folder / f"{code.co_name}-{hashlib.sha256(repr(of).encode()).hexdigest()[:24]}"


def report(folder: Path, what: str) -> None:
    """Print one line about a folder, once a process."""
    if folder not in _reported:
        _reported.add(folder)
        say(f"cache of compiled code {str(folder)!r}: {what}")


def say(words: str) -> None:
    """Print a line on stderr, if there is one that can be written."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):  # full, or closed
            print(f"mascarade_env: {words}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def turn(folder: Path, done: Callable[[], bool]) -> Iterator[None]:
    """Let one process at a time compile into a folder.

    Wait at most `WAIT` seconds in all, and only until `done` returns True: another process may
    compile just what is missing here.
    """
    begun = time.monotonic()
    with contextlib.ExitStack() as stack:
        while _waited[folder] + time.monotonic() - begun < WAIT:
            try:
                stack.enter_context(only_writer(folder))
                break
            except MascaradeError:  # another one has it
                if done():
                    break
                time.sleep(POLL)
        _waited[folder] += time.monotonic() - begun
        yield


def first_to_announce(folder: Path | None) -> bool:
    """Record that this process announces; return whether no other one did in the last hour.

    Args:
        folder: of the cache; None for none, where each process announces once.
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
    """Return where to keep the code of a function, None for one that is in no file."""
    file = Path(function.__code__.co_filename)
    if not file.is_file():
        return None
    package = function.__module__.partition(".")[0]
    sources = _folder_of(package) if package in PACKAGES else None
    return cache_folder(sources or file.parent, package)


@cache
def cache_folder(sources: Path, name: str) -> Path | None:
    """Return the folder for compiled code of a package, None if none can be written.

    Tried in turn: `NUMBA_CACHE_DIR`, beside the sources, the user's cache folder. Read-only
    installations therefore work.

    Args:
        sources: the folder of the package.
        name: of the package, or of any other module.
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
    """Return a short hash of all Python sources that functions of a package are compiled from.

    They are those of the package and of the packages whose functions it may call, sub-folders
    included. Of a module of another package, they are the files of its folder and all packages.
    """
    digest = hashlib.sha256()
    last = PACKAGES.index(name) if name in PACKAGES else len(PACKAGES)
    folders = [found for package in PACKAGES[:last] if (found := _folder_of(package))]
    files = {path for folder in folders for path in compiled_from(folder)}
    files.update(compiled_from(sources) if name in PACKAGES else sources.glob("[!.]*.py"))
    for path in sorted(files):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def compiled_from(package: Path) -> Iterator[Path]:
    """Yield the sources of a package that compiled code can come from.

    They are the files of the package itself, of sub-packages that compile, and of those from which
    these import, constants for one.
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
        left += [found.decode() for text in files.values() for found in imports.findall(text)]


def _folder_of(package: str) -> Path | None:
    found = importlib.util.find_spec(package)
    return Path(found.origin).parent if found and found.origin else None


def _set_by_user() -> Path | None:
    folder = os.environ.get("NUMBA_CACHE_DIR")
    try:
        return Path(folder).resolve() if folder else None
    except (OSError, RuntimeError):  # a loop of links, or relative to a folder that is gone
        return None


def _user_cache() -> Path | None:
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache").resolve() / "mascarade_env"
    except (OSError, RuntimeError):  # no home folder at all, for one
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
