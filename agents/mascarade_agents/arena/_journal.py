"""The file of an arena: a line with the plan, then a line for each finished chunk.

Lines are only appended, so a run that is stopped keeps all finished chunks. When the run is
resumed, an incomplete last line is removed. Each line ends with a checksum of the rest of the line,
which detects other damage.
"""

import contextlib
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Self, get_args

from mascarade_agents._results import NOBODY
from mascarade_agents.arena._faults import Kind
from mascarade_agents.arena._plan import Plan
from mascarade_agents.arena._play import Played
from mascarade_agents.behaviour import Tally
from mascarade_env._errors import MascaradeError
from mascarade_env._files.bounded import lines, open_regular
from mascarade_env._files.locks import only_writer
from mascarade_env._files.strict_json import parse_json
from mascarade_env.game._actions import MAX_ACTIONS

_FORMAT = {"format": "mascarade-arena-games", "version": 3}
_CHECKSUM = "crc32"


class Journal:
    """The open file of an arena; use it in a `with` block.

    Args:
        path: the file.
        plan: the plan of the arena.
        resume: whether to continue the arena in the file, if the file exists.

    Attributes:
        done: the chunks that were in the file when it was opened.

    Raises:
        MascaradeError: the file exists and `resume` is false, it is damaged, or it belongs to
            another run.
    """

    def __init__(self, path: Path, plan: Plan, *, resume: bool) -> None:
        self.done: list[Played] = []
        self._path = path
        self._header = _line({**_FORMAT, **plan.header()})
        with contextlib.ExitStack() as stack:
            stack.enter_context(only_writer(path))
            self._file: IO[bytes] = stack.enter_context(self._opened(plan, resume))
            self._held = stack.pop_all()

    def _opened(self, plan: Plan, resume: bool) -> IO[bytes]:
        """Open the file, with the position for writing after its complete lines."""
        path = self._path
        if not resume and path.exists() and (path.is_dir() or path.stat().st_size):
            raise MascaradeError(
                f"{path} exists already: resume its run, or name another file"
                if path.is_file()
                else f"{path} is not a file: name a file for the results"
            )
        whole = 0  # bytes of complete lines
        if resume and path.exists():
            self.done, whole = _read(path, plan, self._header)
        with _named(path):
            file = path.open("r+b" if path.exists() else "w+b")
            if path.is_file():  # not a device
                file.truncate(whole)
                file.seek(whole)
        return file

    def add(self, played: Played) -> None:
        """Append a finished chunk, and wait until it is on the disk."""
        # The header is written with the first chunk: a run that cannot begin leaves an empty file.
        header = b"" if self._file.tell() else self._header
        with _named(self._path):
            self._file.write(header + _line(played.to_dict()))
            self._file.flush()
            os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(OSError):  # `add` has written all chunks, or raised an error
            self._held.close()


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Raise an error that names the file if it cannot be written."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise MascaradeError(f"cannot write {str(path)!r}: {why}") from error


def _line(data: dict[str, Any]) -> bytes:
    return _json({**data, _CHECKSUM: zlib.crc32(_json(data))}) + b"\n"


def _json(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode()


def _read(path: Path, plan: Plan, header: bytes) -> tuple[list[Played], int]:
    """Return the chunks of a file, and the position where its complete lines end."""
    done: dict[int, Played] = {}
    end = 0
    try:
        with open_regular(path) as file:
            for number, line in enumerate(lines(file), 1):
                if number == 1 and header.startswith(line):  # complete or not
                    end = len(line) if line == header else 0
                elif number == 1:
                    if not line.endswith(b"\n"):
                        raise _foreign(path)
                    _check_header(path, line[:-1], plan)
                    end = len(line)
                elif line.endswith(b"\n"):
                    played = _chunk(path, line[:-1], number, plan)
                    done[played.chunk] = played
                    end += len(line)
    except OSError as error:
        raise MascaradeError(f"cannot read {path}: {error.strerror}") from error
    return [done[chunk] for chunk in sorted(done)], end


def _check_header(path: Path, line: bytes, plan: Plan) -> None:
    try:
        stored = parse_json(line)
    except ValueError:
        stored = None
    if not isinstance(stored, dict) or stored.get("format") != _FORMAT["format"]:
        raise _foreign(path)
    planned = json.loads(_json({**_FORMAT, **plan.header()}))
    if stored.get("version") == _FORMAT["version"]:  # other versions may have no checksum
        stored = _whole(path, line, 1)
    differ = [
        f"{key} is {stored.get(key)!r} in the file and {planned.get(key)!r} in this run"
        for key in {**planned, **stored}
        if key != _CHECKSUM and stored.get(key) != planned.get(key)
    ]
    if differ:
        raise MascaradeError(
            f"{path} belongs to another run: {'; '.join(differ)}; repeat the command of that run, "
            "or name another file"
        )


def _chunk(path: Path, line: bytes, number: int, plan: Plan) -> Played:
    stored = _whole(path, line, number)
    try:
        played = Played.from_dict(stored)
        sound = _is_of(plan, played)
    except (TypeError, KeyError, ValueError, AttributeError):
        sound = False
    if not sound:
        raise _damaged(path, number)
    return played


def _is_of(plan: Plan, played: Any) -> bool:
    """Return whether a chunk can be a result of this plan.

    A checksum detects accidents but not forged data, so each field is checked.

    Args:
        plan: the plan of the arena.
        played: a `Played` whose fields may have any type.
    """
    if not _ints([played.chunk], 0, len(plan.chunks) - 1):
        return False
    games = plan.chunks[played.chunk].tolist()
    players = plan.scenario.players
    measured = {str(game) for game in games if game < plan.measured}
    Tally.from_sums(played.sums)  # raises an error if it cannot be read
    return (
        len(played.winners) == len(played.forfeits) == len(played.decisions) == len(games)
        and _ints(played.winners, 0, 2**players - 1)
        and _ints(played.forfeits, NOBODY, players - 1)
        and _ints(played.decisions, 0, plan.cap)
        and _ints([played.broken_off], 0, len(games))
        and all(
            _ints([agent], 0, len(plan.agents) - 1)
            and kind in get_args(Kind)
            and _ints([count], 1, len(games))
            and isinstance(message, str)
            for agent, kind, count, message in played.faults
        )
        and played.measured.keys() == measured
        and all(
            isinstance(taken, list) and len(taken) <= plan.cap and _ints(taken, 0, MAX_ACTIONS - 1)
            for taken in played.measured.values()
        )
        and played.sums.keys() <= set(plan.agents)
    )


def _ints(numbers: list[Any], low: int, high: int) -> bool:
    return all(type(number) is int and low <= number <= high for number in numbers)


def _whole(path: Path, line: bytes, number: int) -> dict[str, Any]:
    """Return the data of a line; raise an error if its checksum is wrong."""
    try:
        stored: dict[str, Any] = parse_json(line)
        del stored[_CHECKSUM]
        as_written = _line(stored) == line + b"\n"
    except (TypeError, KeyError, ValueError):
        as_written = False
    if not as_written:
        raise _damaged(path, number)
    return stored


def _foreign(path: Path) -> MascaradeError:
    return MascaradeError(f"{path} is not a file of arena results: name another file")


def _damaged(path: Path, number: int) -> MascaradeError:
    return MascaradeError(
        f"{path}, line {number} is damaged: remove it and all lines after it, then resume"
    )
