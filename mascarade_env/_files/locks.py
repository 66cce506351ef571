"""Locks on outputs: only one process at a time may write a file or a folder.

    with only_writer(Path("runs/6A")):
        ...  # write into it

The operating system holds the lock, and releases it when the process ends for any reason. The
locked file contains the number of the process. It is next to the output (`.NAME.lock`); if the
output is a folder, it is in this folder (`.lock`). A process removes the file at the end. If a
process is killed, its file remains, and the next process uses it. Locks are advisory: they stop
only programs that check them.
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

    _FAR = (
        1 << 30
    )  # other processes cannot read the locked byte on Windows, so lock one after the text

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


# The errors that mean that another process holds the lock. Other errors mean that the file system
# has no locks.
_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_LONGEST = 20  # largest length of a process number, in bytes

_held: set[int] = set()  # descriptors of the locks that this process holds


@contextmanager
def only_writer(output: str | Path) -> Iterator[None]:
    """Hold the lock of an output while the body runs.

    If the file system has no locks, or the lock file cannot be created, the body runs without a
    lock.

    Args:
        output: a file, whose folder must exist, or an existing folder.

    Raises:
        MascaradeError: another process, or another part of this one, holds the lock.
    """
    path = Path(os.path.realpath(output))  # all links to an output share its lock
    if path.exists() and not (path.is_file() or path.is_dir()):
        yield  # a terminal or a pipe needs no lock
        return
    file = path / ".lock" if path.is_dir() else path.with_name(f".{path.name}.lock")
    descriptor = _locked(file, output)
    try:
        yield
    finally:
        if descriptor in _held:  # not in a forked child
            _release(descriptor, file)


def _locked(file: Path, output: str | Path) -> int | None:
    """Return the descriptor of the locked file, or None if it cannot be locked."""
    while True:
        try:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o666)
        except OSError:
            return None  # writing the output will fail too, and give the reason
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
        os.close(descriptor)  # the last process has just removed this file: try the new one
    _held.add(descriptor)
    with suppress(OSError):  # if the disk is full, the lock works without the process number
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
    return descriptor


def _is_lock(descriptor: int) -> bool:
    """Return whether a file is a lock of this module, so that it may be overwritten.

    A folder that comes from another person may have a link or another file of this name.
    """
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1 or status.st_size > _LONGEST:
        return False
    text = os.read(descriptor, _LONGEST)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return not text or text.strip().isdigit()


def _release(descriptor: int, file: Path) -> None:
    _held.discard(descriptor)
    if sys.platform == "win32":  # Windows cannot remove an open file
        os.close(descriptor)
        with suppress(OSError):
            file.unlink()
    else:  # after closing, this could remove the file of another process
        with suppress(OSError):
            file.unlink()
        os.close(descriptor)


def _process(descriptor: int) -> str:
    """Return the number of the process that holds a lock, in words; "" if it is unknown."""
    with suppress(OSError):
        number = os.read(descriptor, _LONGEST)
        if number.strip().isdigit():
            return f" (process {int(number)})"
    return ""


def _is_at(descriptor: int, file: Path) -> bool:
    """Return whether the file of this name is still the file that is open."""
    try:
        return os.path.samestat(os.fstat(descriptor), file.lstat())
    except OSError:
        return False


def _close_inherited() -> None:
    """Close the locks of the parent in a forked child, which would otherwise hold them too."""
    while _held:
        os.close(_held.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_inherited)
