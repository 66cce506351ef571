"""Keeps the record of a game in a file while the game is played."""

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
    """A file that always holds the whole record of a game.

    Use it in a `with` block: it holds the lock of the file, so that no other game is kept there.

    Args:
        path: the file.
        mine: whether the file may exist already, because it is the record of this game.

    Raises:
        MascaradeError: the file exists already, cannot be written, or is locked by another run.
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
        """Keep the game in another, new file from now on.

        Raises:
            MascaradeError: as for the first file; the game is then still kept in the old one.
        """
        with Keeper(path) as other:
            self._held, other._held = other._held, self._held
            self.path = path

    @classmethod
    def anywhere(cls, scenario: str) -> "Keeper":
        """Return a keeper of a new file in this folder, named after the scenario and the time."""
        plain = "".join(letter if letter.isalnum() else "-" for letter in scenario[:40])
        return cls.beside(Path(f"mascarade-{plain}-{time.strftime('%Y%m%d-%H%M%S')}.jsonl"))

    @classmethod
    def beside(cls, path: Path) -> "Keeper":
        """Return a keeper of a new file; if `path` exists, a number is added to its name."""
        stem, dot, suffixes = path.name.partition(".")
        names = (f"{stem}{'' if again == 1 else f'-{again}'}{dot}{suffixes}" for again in count(1))
        return cls(next(new for new in map(path.with_name, names) if not new.exists()))

    def save(self, game: Game) -> None:
        """Write the game as it is now, in place of its older record.

        Raises:
            MascaradeError: the file cannot be written; it still holds the older record.
        """
        with making(self.path) as beside:
            write_games(beside, [game])
            with beside.open("rb+") as file:
                os.fsync(file.fileno())


def _claim(path: Path) -> None:
    """Make an empty file; refuse one that exists."""
    try:
        path.open("xb").close()
    except FileExistsError:
        raise MascaradeError(
            f"{path} exists already and is not changed: choose another name, or resume the game "
            f"in it by --resume"
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise MascaradeError(f"cannot write {str(path)!r}: {why}") from error
