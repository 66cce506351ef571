"""Read JSON, but refuse repeated keys and NaN, which programs read in different ways.

A byte order mark at the beginning is skipped.
"""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

from mascarade_env._files.bounded import MOST_TEXT, read_bytes

#: The largest number of values in a text. In memory a value needs much more space than its text.
#: The longest records, with beliefs at every step, have about half of this number of values.
MOST_VALUES = 2**22


def read_json(path: str | Path) -> Any:
    """Return the value of a JSON file.

    Raises:
        OSError: the file cannot be read, or is longer than the limit.
        ValueError: the file is not valid JSON; the error gives the reason.
    """
    return parse_json(read_bytes(path, MOST_TEXT))


def parse_json(data: bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: the text is not valid JSON, or has too many values; the error gives the reason.
    """
    if data.count(b",") >= MOST_VALUES:
        raise ValueError(f"the JSON has more values than the limit of {MOST_VALUES:,}")
    try:
        return json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_constant=_refuse,
            parse_float=_float,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 text: {error}") from error
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error
    except ValueError as error:
        raise ValueError(f"it is not valid JSON: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        (repeated, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"duplicate key {repeated!r} in an object")
    return value


def _float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not allowed; use a finite number or null")
