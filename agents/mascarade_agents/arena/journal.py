"""The file of an arena: one line that says what is played, then one for each chunk that is done.

Lines are only ever added, so whatever ends a run leaves all that was finished before. A last line
that was cut off is dropped when the run is resumed. Each line ends with a checksum of the rest of
it, so that no other damage goes unnoticed.
"""

import json
import os
import zlib
from pathlib import Path
from typing import IO, Any, Self

from mascarade_agents.arena.plan import Plan
from mascarade_agents.arena.play import Played
from mascarade_env.core.errors import MascaradeError

_FORMAT = {"format": "mascarade-arena-games", "version": 3}
_CHECKSUM = "crc32"


class Journal:
    """The open file; use it in a `with`.

    Args:
        path: the file.
        plan: what is played.
        resume: go on with a file that exists.

    Attributes:
        done: the chunks that were in the file.

    Raises:
        MascaradeError: the file exists and is not to be resumed, or is of another run.
    """

    def __init__(self, path: Path, plan: Plan, *, resume: bool) -> None:
        if not resume and path.exists() and (path.is_dir() or path.stat().st_size):
            raise MascaradeError(
                f"{path} exists already: resume that run, or name another file"
                if path.is_file()
                else f"{path} is no file: name one for the results"
            )
        self.done: list[Played] = []
        self._header = _line({**_FORMAT, **plan.header()})
        whole = 0  # bytes of whole lines
        if resume and path.exists():
            self.done, whole = _read(path, plan, self._header)
        self._file: IO[bytes] = path.open("r+b" if path.exists() else "w+b")
        self._file.truncate(whole)
        self._file.seek(whole)

    def add(self, played: Played) -> None:
        """Note a chunk that is done; it is on the disk when this returns."""
        # The header comes with the first chunk: a run that could not begin leaves an empty file.
        header = b"" if self._file.tell() else self._header
        self._file.write(header + _line(played.to_dict()))
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


def _line(data: dict[str, Any]) -> bytes:
    return _json({**data, _CHECKSUM: zlib.crc32(_json(data))}) + b"\n"


def _json(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode()


def _read(path: Path, plan: Plan, header: bytes) -> tuple[list[Played], int]:
    """The chunks of a file, and where its whole lines end."""
    data = path.read_bytes()
    if header.startswith(data):  # empty, or cut off in its first line
        return [], len(data) if data == header else 0
    end = data.rfind(b"\n") + 1
    if not end:
        raise MascaradeError(f"{path} is no file of an arena's results")
    first, *lines = data[:end].split(b"\n")[:-1]
    _check_header(path, first, plan)
    done = {}
    for number, line in enumerate(lines, 2):
        played = _chunk(path, line, number, plan)
        done[played.chunk] = played
    return [done[chunk] for chunk in sorted(done)], end


def _check_header(path: Path, line: bytes, plan: Plan) -> None:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("format") != _FORMAT["format"]:
        raise MascaradeError(f"{path} is no file of an arena's results")
    wanted = json.loads(_json({**_FORMAT, **plan.header()}))
    if found.get("version") == _FORMAT["version"]:  # those of others may have no checksum
        found = _whole(path, line, 1)
    differ = [
        f"{key} is {found.get(key)!r} there and {value!r} here"
        for key, value in wanted.items()
        if found.get(key) != value
    ]
    if differ:
        raise MascaradeError(f"{path} is of another run: {'; '.join(differ)}")


def _chunk(path: Path, line: bytes, number: int, plan: Plan) -> Played:
    found = _whole(path, line, number)
    try:
        played = Played.from_dict(found)
        games = len(plan.chunks[played.chunk])
        lengths = {len(played.winners), len(played.forfeits), len(played.decisions)}
        if played.chunk < 0 or lengths != {games}:
            raise ValueError
    except (TypeError, KeyError, IndexError, ValueError):
        raise _damaged(path, number) from None
    return played


def _whole(path: Path, line: bytes, number: int) -> dict[str, Any]:
    """What stands in a line, if all of it is as it was written."""
    try:
        found: dict[str, Any] = json.loads(line)
        del found[_CHECKSUM]
        as_written = _line(found) == line + b"\n"
    except (TypeError, KeyError, ValueError):
        as_written = False
    if not as_written:
        raise _damaged(path, number)
    return found


def _damaged(path: Path, number: int) -> MascaradeError:
    return MascaradeError(
        f"{path}, line {number} is damaged: remove it and all lines after it, then resume"
    )
