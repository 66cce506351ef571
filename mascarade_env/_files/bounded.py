"""Read files that may be damaged or harmful, up to a size limit.

All functions raise `OSError` with the reason in `strerror`. So a caller can report a file that is
too long and a missing file in the same way.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NoReturn

#: The largest size of a JSON file, or of JSON in another file, in bytes.
MOST_TEXT = 2**24
#: The largest size of a line of JSON, in bytes. With beliefs at every step, the record of a game
#: with 12 players and 1,000 decisions by each of them has 42 million bytes.
MOST_LINE = 2**26
#: The largest number of blank lines in a row.
MOST_BLANK = 1000


@contextlib.contextmanager
def open_regular(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file for reading; refuse a device or a pipe, which might have no end.

    Raises:
        OSError: there is no such file, or it is not a regular file.
    """
    try:
        # Open it without blocking, because a pipe without a writer would block for ever.
        number = os.open(path, os.O_RDONLY | sum(getattr(os, flag, 0) for flag in _FLAGS))
    except ValueError as error:  # the name has a null byte
        raise OSError(errno.EINVAL, str(error)) from error
    with os.fdopen(number, "rb") as file:
        kind = os.fstat(number).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(kind):
            raise OSError(errno.EINVAL, "it is a device or a pipe, not a regular file")
        yield file


_FLAGS = ("O_NONBLOCK", "O_BINARY")  # each is missing on some systems


def read_bytes(path: str | Path, most: int) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        OSError: the file cannot be read, or it has more than `most` bytes.
    """
    with open_regular(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        _too_long("it", most)
    return data


def lines(file: IO[bytes], most: int = MOST_LINE) -> Iterator[bytes]:
    """Yield the lines of a file, with their line ends.

    Blank lines are limited too, because a small packed file may contain billions of them.

    Raises:
        OSError: a line has more than `most` bytes, or there are more than `MOST_BLANK` blank lines
            in a row.
    """
    blank = 0
    while line := file.readline(most + 1):
        if len(line) > most:
            _too_long("the line", most)
        blank = 0 if line.strip() else blank + 1
        if blank > MOST_BLANK:
            raise OSError(
                errno.EFBIG, f"it has more than {MOST_BLANK:,} blank lines in a row, the limit"
            )
        yield line


def _too_long(what: str, most: int) -> NoReturn:
    raise OSError(errno.EFBIG, f"{what} has more than {most:,} bytes, which is the limit")
