"""Reads `.npz` files of numbers that may be damaged, or made to do harm."""

import io
import math
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._files.bounded import MOST_TEXT, open_regular
from mascarade_env._files.strict_json import parse_json

#: Of all arrays of a file, unpacked.
MOST_BYTES = 2**30
_MOST_MEMBERS = 1000


def read_arrays(path: str | Path, most: int = MOST_BYTES) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file by name.

    Nothing in the file is run, and no more memory is taken than the file has numbers.

    Args:
        path: the file.
        most: bytes of all arrays, unpacked.

    Raises:
        MascaradeError: it is a file of something else, with what to do.
        OSError: it cannot be read.
        Exception: it is damaged, with the reason; what is raised is up to zip, zlib and NumPy.
    """
    with open_regular(path) as file:
        if not zipfile.is_zipfile(file):
            raise ValueError("it is no .npz file, or only the beginning of one")
        with zipfile.ZipFile(file) as archive:
            check_unpacked(archive.infolist(), most)
            return _all_of(archive)


def check_unpacked(members: Sequence[zipfile.ZipInfo], most: int) -> None:
    """Refuse members of a zip that could unpack to more bytes than a limit.

    Raises:
        ValueError: they could; the error names the limit.
    """
    if len(members) > _MOST_MEMBERS:
        raise ValueError(f"it has {len(members):,} members, and the limit is {_MOST_MEMBERS:,}")
    size = sum(member.file_size for member in members)
    if size > most:
        raise ValueError(f"unpacked it has {size:,} bytes, and the limit is {most:,}")
    for member in members:
        # zipfile unpacks the other kinds without regard to the size that a member declares.
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{member.filename:.60} is packed by another method than deflate")


def json_in(array: NDArray[Any]) -> Any:
    """Return the value of a JSON text that is kept as an array of bytes.

    Raises:
        ValueError: it is none, with the reason.
    """
    if array.dtype != np.uint8 or array.ndim != 1:
        raise ValueError(f"its JSON is an array of {array.dtype}, not a row of bytes")
    if len(array) > MOST_TEXT:
        raise ValueError(f"its JSON has {len(array):,} bytes, and the limit is {MOST_TEXT:,}")
    return parse_json(array.tobytes())


def _all_of(archive: zipfile.ZipFile) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if name == info.filename:
            raise MascaradeError(_foreign(archive.namelist()))
        if name in found:
            raise ValueError(f"{name:.60} is there twice")
        with archive.open(info) as member:
            found[name] = _array(io.BytesIO(member.read()), name)
    return found


def _foreign(names: list[str]) -> str:
    """Return what a zip is that holds more than arrays, and what to do with it."""
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
