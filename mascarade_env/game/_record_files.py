"""Files of game records: JSON Lines, one game per line, gzipped if the name ends in `.gz`."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from mascarade_env._errors import MascaradeError, RecordError
from mascarade_env._files.bounded import lines
from mascarade_env._files.strict_json import parse_json
from mascarade_env.game._game import Game


def read_games(path: str | Path) -> Iterator[Game]:
    """Yield the games of a file of records, replaying and checking each.

    Raises:
        RecordError: a game cannot be read. The error names file, line, step and reason. `readable`
            is the number of games before it, all of which have been yielded.
    """
    line_number, read = 0, 0
    try:
        with _open(Path(path)) as file:
            line_number = 1  # number of the next line
            for line in lines(file):
                if line.strip():
                    yield Game.from_record(_parse(line))
                    read += 1
                line_number += 1
    except RecordError as error:
        raise _placed(error, path, line_number or None, read) from error.__cause__
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        damaged = RecordError(f"the gzip data is cut off or damaged: {error}")
        raise _placed(damaged, path, line_number, read) from error
    except OSError as error:
        unread = RecordError(f"cannot be read: {error.strerror}")
        raise _placed(unread, path, line_number or None, read) from error


def record_line(game: Game, *, trace: bool = False, beliefs: bool = False) -> str:
    """Return the record of a game as a line of a file; `Game.to_record` explains the options."""
    record = game.to_record(trace=trace, beliefs=beliefs)
    try:
        return json.dumps(record, separators=(",", ":"), allow_nan=False) + "\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise MascaradeError(f"the meta of the game cannot be written as JSON: {error}") from error


def write_games(
    path: str | Path, games: Iterable[Game], *, trace: bool = False, beliefs: bool = False
) -> int:
    """Write the records of games to a file, one by one, and return their number.

    Args:
        path: the file, replaced if it exists; gzipped if its name ends in `.gz`.
        games: the games.
        trace: as for `Game.to_record`.
        beliefs: as for `Game.to_record`.
    """
    count = 0
    with open_for_writing(path) as file:
        for game in games:
            file.write(record_line(game, trace=trace, beliefs=beliefs).encode())
            count += 1
    return count


def open_for_writing(path: str | Path) -> IO[bytes]:
    """Open a file for record lines, gzipped if its name ends in `.gz`.

    Equal records give equal bytes, because gzip's header contains no time and no name.
    """
    file = Path(path).open("wb")  # noqa: SIM115  the caller closes it
    if not _packed(path):
        return file
    packed = gzip.GzipFile("", "wb", fileobj=file, mtime=0)
    packed.myfileobj = file  # type: ignore[assignment]  # gzip closes this file
    return packed  # type: ignore[return-value]


def _packed(path: str | Path) -> bool:
    return Path(path).suffix.lower() == ".gz"


def _open(path: Path) -> IO[bytes]:
    try:
        return gzip.open(path, "rb") if _packed(path) else path.open("rb")  # type: ignore[return-value]
    except ValueError as error:  # the name has a null byte
        raise RecordError(f"cannot be read: {error}") from error


def _parse(line: bytes) -> object:
    try:
        return parse_json(line)
    except ValueError as error:
        cut = "" if line.endswith(b"\n") else "; the file may be cut off here"
        raise RecordError(f"{error}{cut}") from error


def _placed(error: RecordError, path: str | Path, line: int | None, readable: int) -> RecordError:
    error.file = str(path)
    error.line = line
    error.readable = readable
    return error
