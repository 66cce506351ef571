"""Compare two trees of fingerprints."""

from collections.abc import Iterator
from typing import TypeAlias

from tests.fingerprints.digests import Entries

#: The largest difference of a number from the file; see the package.
TOLERANCE = 1e-4

_Entry: TypeAlias = "Entries | str | float | None"


def differences(before: _Entry, now: _Entry, path: str) -> Iterator[str]:
    """Yield each entry that differs, by its path.

    Args:
        before: the entry of the file, None if it has none.
        now: the entry of the code, None if it has none.
        path: the path of both.
    """
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted(before.keys() | now.keys()):
            yield from differences(before.get(name), now.get(name), f"{path}/{name}")
    elif before is None or now is None:
        yield f"{path} is {'new' if before is None else 'missing'}"
    elif isinstance(before, float) and isinstance(now, float):
        if not abs(before - now) <= TOLERANCE:
            yield f"{path} differs: {before} before, {now} now"
    elif before != now:
        yield f"{path} differs"
