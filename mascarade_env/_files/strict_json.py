"""Read JSON without repeated keys and NaN, which programs do not all read alike.

A byte order mark at the beginning is skipped.
"""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

from mascarade_env._files.bounded import MOST_TEXT, read_bytes

#: The most values of a text. A value needs much more memory than its text. The longest records,
#: with beliefs at every step, have about half of this number.
MOST_VALUES = 2**22


def read_json(path: str | Path) -> Any:
    """Return the value of a JSON file.

    Raises:
        OSError: it cannot be read, or is longer than the limit.
        ValueError: it is not JSON; the error says why.
    """
    return parse_json(read_bytes(path, MOST_TEXT))


def parse_json(data: bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: it is not JSON, or has too many values; the error says why.
    """
    if data.count(b",") >= MOST_VALUES:
        raise ValueError(f"more than {MOST_VALUES:,} values, which is the limit")
    try:
        return json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_constant=_refuse,
            parse_float=_float,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 text: {error}") from error
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error
    except ValueError as error:
        raise ValueError(f"not valid JSON: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        (repeated, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"duplicate key {repeated!r}")
    return value


def _float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not allowed; use a finite number or null")
