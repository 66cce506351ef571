"""Read `.npz` files of numbers that may be damaged or harmful."""

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

#: The largest total size of the unpacked arrays of a file, in bytes.
MOST_BYTES = 2**30
_MOST_MEMBERS = 1000


def read_arrays(path: str | Path, most: int = MOST_BYTES) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file by name.

    Reading runs no code from the file, and needs no more memory than the numbers in the file.

    Args:
        path: the file.
        most: the largest total size of the unpacked arrays, in bytes.

    Raises:
        MascaradeError: the file is of another kind; the error says what to do.
        OSError: the file cannot be read.
        Exception: the file is damaged. zipfile, zlib and NumPy raise various types.
    """
    with open_regular(path) as file:
        if not zipfile.is_zipfile(file):
            raise ValueError("it is not a .npz file, or only the beginning of one")
        with zipfile.ZipFile(file) as archive:
            check_unpacked(archive.infolist(), most)
            return _all_of(archive)


def check_unpacked(members: Sequence[zipfile.ZipInfo], most: int) -> None:
    """Refuse members of a zip file that could unpack to more bytes than a limit.

    Raises:
        ValueError: the members could unpack to more bytes, or there are too many of them. The error
            names the limit.
    """
    if len(members) > _MOST_MEMBERS:
        raise ValueError(f"it has {len(members):,} members, but the limit is {_MOST_MEMBERS:,}")
    size = sum(member.file_size for member in members)
    if size > most:
        raise ValueError(f"it unpacks to {size:,} bytes, but the limit is {most:,}")
    for member in members:
        # For other methods, zipfile unpacks more bytes than the member declares.
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{member.filename:.60} has another compression; use deflate, or none")


def json_in(array: NDArray[Any]) -> Any:
    """Return the value of a JSON text that is stored as an array of bytes.

    Raises:
        ValueError: the array does not contain valid JSON; the error gives the reason.
    """
    if array.dtype != np.uint8 or array.ndim != 1:
        raise ValueError(
            f"its JSON must be an array of bytes (uint8, one dimension), not {array.dtype} of "
            f"shape {array.shape}"
        )
    if len(array) > MOST_TEXT:
        raise ValueError(f"its JSON has {len(array):,} bytes, but the limit is {MOST_TEXT:,}")
    return parse_json(array.tobytes())


def _all_of(archive: zipfile.ZipFile) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {}
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if name == info.filename:
            raise MascaradeError(_foreign(archive.namelist()))
        if name in arrays:
            raise ValueError(f"it has the array {name:.60} twice; names must differ")
        with archive.open(info) as member:
            arrays[name] = _array(io.BytesIO(member.read()), name)
    return arrays


def _foreign(names: list[str]) -> str:
    """Return a message: which kind of zip file this is, and what to do with it."""
    if "policy.pth" in names:
        return "it is a checkpoint of Stable-Baselines3: rename it to end in .zip"
    if any(name.endswith("data.pkl") for name in names):
        return "it was saved by torch: save the weights as NumPy arrays, as PolicyFile.save does"
    return f"it is a zip of other files, such as {min(names):.60}: choose another file"


def _array(data: IO[bytes], name: str) -> NDArray[Any]:
    version = npy.read_magic(data)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(
            f"{name:.60} has NumPy's format {version}; only (1, 0) and (2, 0) are allowed"
        )
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, by_columns, kind = read(data)
    numbers = data.read()
    if kind.hasobject or kind.itemsize == 0:
        raise ValueError(f"{name:.60} contains values of type {kind}, but must contain numbers")
    # Check the size before an array of this shape is made.
    if min(shape, default=0) < 0 or len(numbers) != math.prod(shape) * kind.itemsize:
        raise ValueError(
            f"{name:.60} has {len(numbers)} bytes, but an array of shape {shape} and type {kind} "
            f"needs {math.prod(shape) * kind.itemsize} bytes"
        )
    flat = np.frombuffer(numbers, kind)
    return flat.reshape(shape, order="F" if by_columns else "C")
