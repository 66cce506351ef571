"""The result files in train/results: measurements, each with its command and versions.

Each file is JSON. It is written completely or not at all, so measuring can be interrupted and
resumed. RESULTS.md is generated from these files. They are in the repository but not in the
package.
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

#: The folder for records of released networks: their training, scores and learning curves.
RELEASED = "released"

_DIGITS = 6


def digest(file: Path) -> str:
    """Return a short hash of a file's content: 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def write(name: str, record: Mapping[str, Any]) -> Path:
    """Write a record to the file with this name, and return the path.

    Numbers are rounded to six significant digits.
    """
    path = FOLDER / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    # One line for each part keeps files short and diffs readable.
    parts = (
        f"{json.dumps(key)}: {json.dumps(value, allow_nan=False)}"
        for key, value in rounded(record).items()
    )
    with making(path) as beside:
        beside.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")
    return path


def read(name: str) -> dict[str, Any] | None:
    """Return the record with this name; None if its file does not exist.

    Raises:
        MascaradeError: the file is damaged.
    """
    path = FOLDER / f"{name}.json"
    try:
        content = read_json(path)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise MascaradeError(
            f"{str(path)!r} is damaged ({error}): remove it and measure again"
        ) from error
    if not isinstance(content, dict):
        raise MascaradeError(f"{str(path)!r} is not a record: remove it and measure again")
    return content


def rounded(value: Any) -> Any:
    """Return a value in JSON types, with floats rounded to six significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, Mapping):
        return {str(key): rounded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return value
