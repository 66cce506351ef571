"""Writes the record of a game to a file while the game is played."""

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
    """A file with the record of a game, from its beginning to the last decision.

    Use it in a `with` block. In the block the file is locked, so that no other process writes to
    it.

    Args:
        path: the file.
        mine: true if the file is the record of this game; otherwise it must not exist yet.

    Raises:
        MascaradeError: the file exists and `mine` is false, it cannot be written, or another
            process has locked it.
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
        """Write the record to another, new file from now on.

        Raises:
            MascaradeError: the file exists, cannot be written, or is locked; the old file stays in
                use.
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
        """Return a keeper of a new file at `path`, with a number in its name if `path` exists."""
        stem, dot, suffixes = path.name.partition(".")
        names = (f"{stem}{'' if again == 1 else f'-{again}'}{dot}{suffixes}" for again in count(1))
        return cls(next(new for new in map(path.with_name, names) if not new.exists()))

    def save(self, game: Game) -> None:
        """Write the record of the game, and replace the older one.

        Raises:
            MascaradeError: the file cannot be written; the older record stays in it.
        """
        with making(self.path) as beside:
            write_games(beside, [game])
            with beside.open("rb+") as file:
                os.fsync(file.fileno())


def _claim(path: Path) -> None:
    """Make an empty file; raise an error if it exists."""
    try:
        path.open("xb").close()
    except FileExistsError:
        raise MascaradeError(
            f"{path} exists already, and was not changed: choose another name, or resume its game "
            f"with --resume"
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise MascaradeError(f"cannot write {str(path)!r}: {why}") from error
