"""The files in train/results: what was measured, by which command, with which versions.

Each is JSON, written whole or not at all, so that measuring can be broken off and gone on with.
RESULTS.md is made of them. They are of a checkout of the project, not of what pip installs.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mascarade_env._errors import MascaradeError
from mascarade_env._files.strict_json import read_json
from mascarade_env.exact._files import making

FOLDER = Path(__file__).parents[1] / "results"

#: Of released networks: how they were trained, how they fare, and their learning curves.
RELEASED = "released"

_DIGITS = 6


def digest(file: Path) -> str:
    """What tells the content of a file from another."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def write(name: str, record: Mapping[str, Any]) -> Path:
    """Write a record to the file of its name, with numbers rounded to six digits."""
    path = FOLDER / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    # One line for each part: short files, and changes that can be read.
    parts = (
        f"{json.dumps(key)}: {json.dumps(value, allow_nan=False)}"
        for key, value in rounded(record).items()
    )
    with making(path) as beside:
        beside.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")
    return path


def read(name: str) -> dict[str, Any] | None:
    """The record of a name; None if there is none.

    Raises:
        MascaradeError: its file is damaged.
    """
    path = FOLDER / f"{name}.json"
    try:
        found = read_json(path)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise MascaradeError(
            f"{str(path)!r} is damaged ({error}): remove it, and measure anew"
        ) from error
    if not isinstance(found, dict):
        raise MascaradeError(f"{str(path)!r} is no record: remove it, and measure anew")
    return found


def rounded(value: Any) -> Any:
    """A value as JSON has it, numbers with fractions rounded to six digits."""
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, Mapping):
        return {str(key): rounded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return value
