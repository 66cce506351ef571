"""Digests of exact values, and sums of approximate ones."""

import hashlib
import json
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: A group: texts are exact, numbers approximate; see the package.
Entries: TypeAlias = "dict[str, Entries | str | float]"

_BYTES = 8  # size of a digest
_DIGITS = 7  # digits of a sum


class Digest:
    """A digest of values that are added one by one."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=_BYTES)

    def add(self, *values: object) -> None:
        """Add arrays, with their types and shapes, or JSON values."""
        for value in values:
            if isinstance(value, np.ndarray):
                self._add_array(value)
            else:
                self._hash.update(json.dumps(value, sort_keys=True).encode())

    def _add_array(self, array: NDArray[Any]) -> None:
        self._hash.update(f"{array.dtype.str}{array.shape}".encode())
        self._hash.update(np.ascontiguousarray(array).data)

    def __str__(self) -> str:
        return self._hash.hexdigest()


def digest(*values: object) -> str:
    """Return the digest of values."""
    found = Digest()
    found.add(*values)
    return str(found)


def sketch(numbers: NDArray[np.floating[Any]]) -> float:
    """Return the sum of all numbers, each times a fixed weight between -1 and 1.

    Noise in the last bits averages out. A change of one number by more than the tolerance changes
    the sum, unless its weight is nearly 0 or other changes cancel it.
    """
    weights = (np.arange(numbers.size, dtype=np.uint32) * np.uint32(2654435761)) / 2**31 - 1
    return float(f"{float(weights @ numbers.ravel().astype(np.float64)):.{_DIGITS}g}")
