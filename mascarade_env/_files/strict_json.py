"""JSON as two readers can agree on it: no repeated keys, no NaN; a byte order mark is skipped."""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

from mascarade_env._files.bounded import MOST_TEXT, read_bytes

#: Values of a text, which take far more memory than their letters. The longest records, with
#: beliefs at every step, have about half of that.
MOST_VALUES = 2**22


def read_json(path: str | Path) -> Any:
    """Return the value of a JSON file.

    Raises:
        OSError: it cannot be read, or is longer than the limit.
        ValueError: it is no JSON text, with the reason.
    """
    return parse_json(read_bytes(path, MOST_TEXT))


def parse_json(data: bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: it is none, with the reason.
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
        raise ValueError("nested too deeply") from error
    except ValueError as error:
        raise ValueError(f"not JSON that every reader takes: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {twice!r} comes twice")
    return found


def _float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
