"""Folders of runs, and how to call this command from the working folder."""

import sys
from collections.abc import Sequence
from pathlib import Path

from mascarade_env._errors import MascaradeError


def new_folder(folder: Path, name: str) -> Path:
    """Make a folder of this name, with a number added if it exists, and return it."""
    if Path(name).name != name:
        raise MascaradeError(
            f"--name must be the name of a single folder, which is made in --folder, not {name!r}"
        )
    number = 1
    while True:
        run = folder / (name if number == 1 else f"{name}-{number}")
        try:
            run.mkdir(parents=True)
        except OSError as error:
            if not run.exists():  # it cannot be made, or a part of its path is a file
                raise MascaradeError(f"cannot write {str(run)!r}: {error.strerror}") from error
            number += 1
        else:
            return run


def clear_leftovers(run: Path) -> None:
    """Remove files that a killed process left unfinished in a folder that this process locks."""
    for file in run.glob(".*-*"):
        if file.name[1:].partition("-")[0].isdigit():  # `making` writes to .PID-NAME
            file.unlink(missing_ok=True)


def python() -> str:
    """Return how to call this Python from the working folder."""
    return _from_here(Path(sys.executable)) or "python"


def mascarade() -> str:
    """Return how to call the command `mascarade` of this Python from the working folder."""
    return _from_here(Path(sys.executable).with_name("mascarade")) or "mascarade"


def _from_here(program: Path) -> str | None:
    """Return the relative path of a program, if it is below the working folder."""
    try:
        return str(program.relative_to(Path.cwd()))
    except ValueError:
        return None


def value_of(words: Sequence[str], flag: str) -> str | None:
    """Return what follows a flag among the words of a command, None if it is not there."""
    for place, word in enumerate(words):
        if word == flag:
            return words[place + 1] if place + 1 < len(words) else None
        if word.startswith(f"{flag}="):
            return word.removeprefix(f"{flag}=")
    return None
