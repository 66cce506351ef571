"""Folders of runs, and how to call the command `mascarade` from the working folder."""

import sys
from collections.abc import Sequence
from pathlib import Path

from mascarade_env._errors import MascaradeError


def new_folder(folder: Path, name: str) -> Path:
    """Make a new folder and return it. If the name exists, a number is added."""
    if Path(name).name != name:
        raise MascaradeError(
            f"--name must be a single folder name, not {name!r}; set the place with --folder"
        )
    number = 1
    while True:
        run = folder / (name if number == 1 else f"{name}-{number}")
        try:
            run.mkdir(parents=True)
        except OSError as error:
            if not run.exists():  # no permission, or a part of the path is a file
                raise MascaradeError(
                    f"cannot write {str(run)!r}: {error.strerror}; choose another --folder"
                ) from error
            number += 1
        else:
            return run


def clear_leftovers(run: Path) -> None:
    """Remove the unfinished files of a killed process. This process must have locked the folder."""
    for file in run.glob(".*-*"):
        if file.name[1:].partition("-")[0].isdigit():  # `making` writes to .PID-NAME
            file.unlink(missing_ok=True)


def python() -> str:
    """Return the command that starts this Python from the working folder."""
    return _from_here(Path(sys.executable)) or "python"


def mascarade() -> str:
    """Return the command that starts `mascarade` of this Python from the working folder."""
    return _from_here(Path(sys.executable).with_name("mascarade")) or "mascarade"


def _from_here(program: Path) -> str | None:
    """Return the relative path of a program, or None if it is not below the working folder."""
    try:
        return str(program.relative_to(Path.cwd()))
    except ValueError:
        return None


def value_of(words: Sequence[str], flag: str) -> str | None:
    """Return the value of a flag in a command line; None if the flag is missing."""
    for place, word in enumerate(words):
        if word == flag:
            return words[place + 1] if place + 1 < len(words) else None
        if word.startswith(f"{flag}="):
            return word.removeprefix(f"{flag}=")
    return None
