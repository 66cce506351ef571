"""Locks on outputs: at most one process at a time writes a file or a folder.

    with only_writer(Path("runs/6A")):
        ...  # write into it

The lock belongs to the operating system, which releases it when the process ends, however it ends.
A small file beside the output (`.NAME.lock`), or in it if it is a folder (`.lock`), carries the
lock and names the process. A clean end removes that file; one that a killed process left is taken
over. Locks are advisory: only programs that ask for one respect it.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mascarade_env._errors import MascaradeError

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # Windows hides the byte that is locked from all others: one behind the text

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


# What a lock reports when another process holds it. Other errors mean that there are no locks here.
_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_LONGEST = 20  # bytes of the number of a process

_held: set[int] = set()  # descriptors of the locks of this process


@contextmanager
def only_writer(output: str | Path) -> Iterator[None]:
    """Hold the lock of an output while the body runs.

    Where the file system has no locks, or no file can be made beside the output, the body runs
    without one.

    Args:
        output: a file, which need not exist yet but whose folder does; or a folder that exists.

    Raises:
        MascaradeError: another process, or another part of this one, holds the lock.
    """
    path = Path(os.path.realpath(output))  # one lock, whatever link leads there
    if path.exists() and not (path.is_file() or path.is_dir()):
        yield  # a terminal, a pipe
        return
    file = path / ".lock" if path.is_dir() else path.with_name(f".{path.name}.lock")
    descriptor = _locked(file, output)
    try:
        yield
    finally:
        if descriptor in _held:  # not in a forked child
            _release(descriptor, file)


def _locked(file: Path, output: str | Path) -> int | None:
    """Return the descriptor of the file, locked, or None where no lock can be had."""
    while True:
        try:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o666)
        except OSError:
            return None  # the output itself is refused where it is written, with the reason
        if not _is_lock(descriptor):
            os.close(descriptor)
            return None
        try:
            _lock(descriptor)
        except OSError as error:
            taken = error.errno in _TAKEN
            process = _process(descriptor) if taken else ""
            os.close(descriptor)
            if not taken:
                return None
            raise MascaradeError(
                f"another run is writing {str(output)!r}{process}: wait until it ends, or name "
                "another output"
            ) from error
        if _is_at(descriptor, file):
            break
        os.close(descriptor)  # its last holder has just removed it: take the new one
    _held.add(descriptor)
    with suppress(OSError):  # on a full disk the lock holds, without the name of its process
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
    return descriptor


def _is_lock(descriptor: int) -> bool:
    """Check that a file is one that this module makes: nothing else may be written to.

    A folder from elsewhere may hold a link, or another file, in the place of a lock.
    """
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1 or found.st_size > _LONGEST:
        return False
    text = os.read(descriptor, _LONGEST)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return not text or text.strip().isdigit()


def _release(descriptor: int, file: Path) -> None:
    _held.discard(descriptor)
    if sys.platform == "win32":  # which removes no file that is open
        os.close(descriptor)
        with suppress(OSError):
            file.unlink()
    else:  # closing first would let this remove a new holder's file
        with suppress(OSError):
            file.unlink()
        os.close(descriptor)


def _process(descriptor: int) -> str:
    """Name the process that holds a lock, if its file says so."""
    with suppress(OSError):
        number = os.read(descriptor, _LONGEST)
        if number.strip().isdigit():
            return f" (process {int(number)})"
    return ""


def _is_at(descriptor: int, file: Path) -> bool:
    """Check that an open file is the one that has the name."""
    try:
        return os.path.samestat(os.fstat(descriptor), file.lstat())
    except OSError:
        return False


def _close_inherited() -> None:
    """Close the locks of the parent in a forked child: else they would last as long as it."""
    while _held:
        os.close(_held.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_inherited)
