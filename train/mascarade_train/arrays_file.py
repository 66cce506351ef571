"""Reads `.npz` files of numbers that may be damaged, or made to do harm."""

import io
import math
import zipfile
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from mascarade_env.core.errors import MascaradeError

#: Of all arrays of a file, unpacked. The networks of this package have a hundredth of it.
MOST_BYTES = 2**28


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file by name.

    Nothing in the file is run, and no more memory is taken than the file has numbers.

    Raises:
        MascaradeError: it is a file of something else, with what to do.
        Exception: it is damaged, with the reason; what is raised is up to zip, zlib and NumPy.
    """
    # NumPy leaves a file open that it cannot read.
    with path.open("rb") as file:
        if not zipfile.is_zipfile(file):
            raise ValueError("it is no .npz file, or only the beginning of one")
        with zipfile.ZipFile(file) as archive:
            return _all_of(archive)


def _all_of(archive: zipfile.ZipFile) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    left = MOST_BYTES
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if name == info.filename:
            raise MascaradeError(_foreign(archive.namelist()))
        if name in found:
            raise ValueError(f"{name:.60} stands there twice")
        left -= info.file_size
        if left < 0:
            raise ValueError(f"unpacked it would have more than {MOST_BYTES:,} bytes")
        with archive.open(info) as member:
            found[name] = _array(io.BytesIO(member.read()), name)
    return found


def _foreign(names: list[str]) -> str:
    """What a zip is that holds more than arrays, and what to do with it."""
    if "policy.pth" in names:
        return "it is a checkpoint of Stable-Baselines3: give it a name that ends in .zip"
    if any(name.endswith("data.pkl") for name in names):
        return "it was saved by torch: save the weights as arrays of NumPy, as PolicyFile.save does"
    return f"it is a zip of other files, such as {min(names):.60}: name another"


def _array(data: IO[bytes], name: str) -> NDArray[Any]:
    version = npy.read_magic(data)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"{name:.60} is an array of NumPy's format {version}")
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, by_columns, kind = read(data)
    numbers = data.read()
    if kind.hasobject or kind.itemsize == 0:
        raise ValueError(f"{name:.60} holds {kind}, not numbers")
    # Before anything is made of this shape.
    if min(shape, default=0) < 0 or len(numbers) != math.prod(shape) * kind.itemsize:
        raise ValueError(f"{name:.60} has {len(numbers)} bytes, not those of {shape} of {kind}")
    flat = np.frombuffer(numbers, kind)
    return flat.reshape(shape, order="F" if by_columns else "C")
