"""Where the record of a game is kept while it is played."""

import contextlib
import os
import time
from itertools import count
from pathlib import Path

from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.game import Game
from mascarade_env.core.record_files import write_games


class Keeper:
    """Keeps one file up to date with a game: it always holds a whole record.

    Args:
        path: the file.
        mine: whether the file may exist: it is the record of this very game.

    Raises:
        MascaradeError: there is such a file already, or it cannot be written.
    """

    def __init__(self, path: Path, *, mine: bool = False) -> None:
        if not mine:
            _claim(path)
        self.path = path
        self._file = path.resolve()  # a link stays a link

    @classmethod
    def anywhere(cls, scenario: str) -> "Keeper":
        """A new file in this folder, named after the scenario and the time."""
        plain = "".join(letter if letter.isalnum() else "-" for letter in scenario[:40])
        stem = f"mascarade-{plain}-{time.strftime('%Y%m%d-%H%M%S')}"
        names = (f"{stem}{'' if again == 1 else f'-{again}'}.jsonl" for again in count(1))
        path = next(path for path in map(Path, names) if not path.exists())
        return cls(path)

    def save(self, game: Game) -> None:
        """Put the game as it is now in place of what was there.

        Raises:
            MascaradeError: it cannot be written; what was there is still there.
        """
        part = self._file.with_name(f".{os.getpid()}-{self._file.name}")
        try:
            write_games(part, [game])
            with part.open("rb+") as file:
                os.fsync(file.fileno())
            part.replace(self._file)
        except OSError as error:
            raise _unwritten(self.path, error) from error
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)


def _claim(path: Path) -> None:
    """Make an empty file where there is none."""
    try:
        path.open("xb").close()
    except FileExistsError:
        raise MascaradeError(
            f"{path} exists already and is left as it is: choose another name, or go on with the "
            f"game in it by --resume"
        ) from None
    except (OSError, ValueError) as error:
        raise _unwritten(path, error) from error


def _unwritten(path: Path, error: OSError | ValueError) -> MascaradeError:
    why = error.strerror if isinstance(error, OSError) else str(error)
    return MascaradeError(f"cannot write {path}: {why}")
