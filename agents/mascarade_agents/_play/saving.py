"""Where the record of a game is kept while it is played."""

import os
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Self

from mascarade_env._errors import MascaradeError
from mascarade_env._files.locks import only_writer
from mascarade_env.exact._files import making
from mascarade_env.game._game import Game
from mascarade_env.game._record_files import write_games


class Keeper:
    """Keeps one file up to date with a game: it always holds a whole record.

    Use it in a `with`: it holds the lock of the file, so that no other game is kept there.

    Args:
        path: the file.
        mine: whether the file may exist: it is the record of this very game.

    Raises:
        MascaradeError: there is such a file already, it cannot be written, or another run is
            writing it.
    """

    def __init__(self, path: Path, *, mine: bool = False) -> None:
        self.path = path
        with ExitStack() as stack:
            if not mine:
                _claim(path)
            stack.enter_context(only_writer(path))
            self._held = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._held.close()

    def move(self, path: Path) -> None:
        """Keep the game in another file, a new one, from now on.

        Raises:
            MascaradeError: as for the first file, which then stays the one.
        """
        with Keeper(path) as other:
            self._held, other._held = other._held, self._held
            self.path = path

    @classmethod
    def anywhere(cls, scenario: str) -> "Keeper":
        """Return a new file in this folder, named after the scenario and the time."""
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
        with making(self.path) as beside:
            write_games(beside, [game])
            with beside.open("rb+") as file:
                os.fsync(file.fileno())


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
        why = getattr(error, "strerror", None) or error
        raise MascaradeError(f"cannot write {str(path)!r}: {why}") from error
