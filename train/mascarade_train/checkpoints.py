"""Checkpoints of a learner: all that it takes to go on, in a file from which no code is run."""

import hashlib
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import DTypeLike, NDArray

from mascarade_env.core.arrays_file import check_unpacked
from mascarade_env.core.bounded_files import open_regular
from mascarade_env.core.errors import MascaradeError
from mascarade_env.exact.files import making

FORMAT = "mascarade_train.ppo checkpoint 1"

#: Of all parts of a checkpoint, unpacked.
MOST_BYTES = 2**33

#: The checkpoint in the folder of a run.
NAME = "checkpoint.pt"


def save(path: Path, state: Mapping[str, Any]) -> None:
    """Write a checkpoint, which is there whole or as it was before.

    Args:
        path: where.
        state: tensors, numbers, words, and lists and dicts of these.
    """
    with making(path) as beside, beside.open("wb") as file:
        torch.save({"format": FORMAT, **state}, file)
        file.flush()
        os.fsync(file.fileno())


def load(path: Path) -> dict[str, Any]:
    """Read a checkpoint, or the one in the folder of a run.

    Raises:
        MascaradeError: there is none, or it is damaged or something else.
    """
    file = path / NAME if path.is_dir() else path
    try:
        with open_regular(file) as opened:
            if not zipfile.is_zipfile(opened):
                raise MascaradeError(
                    f"{str(file)!r} is no checkpoint, or only the beginning of one: take another"
                )
            with zipfile.ZipFile(opened) as archive:
                check_unpacked(archive.infolist(), MOST_BYTES)
                damaged = archive.testzip()
            if damaged is not None:
                raise MascaradeError(f"{str(file)!r} is damaged, at {damaged!r}: take another")
            opened.seek(0)
            found = torch.load(opened, weights_only=True)
    except OSError as error:
        raise MascaradeError(f"cannot read {str(file)!r}: {error.strerror or error}") from error
    except MascaradeError:
        raise
    except Exception as error:  # what a foreign file raises is up to torch, zip and pickle
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise MascaradeError(
            f"{str(file)!r} is no checkpoint of this learner; nothing of it was run ({first})"
        ) from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        told = found.get("format") if isinstance(found, dict) else type(found).__name__
        raise MascaradeError(
            f"{str(file)!r} is no checkpoint of this learner: its format is {told!r:.60}, and "
            f"{FORMAT!r} is read here"
        )
    return found


def as_bytes(array: NDArray[Any]) -> dict[str, Any]:
    """An array of any type as what a checkpoint may hold."""
    data = np.ascontiguousarray(array).tobytes()
    return {
        "shape": list(array.shape),
        "type": _name(array.dtype),
        "data": torch.frombuffer(bytearray(data or b"\0"), dtype=torch.uint8),
    }


def as_array(saved: Mapping[str, Any], kind: DTypeLike) -> NDArray[Any]:
    """The array again, if it is of this type."""
    wanted = np.dtype(kind)
    if saved["type"] != _name(wanted):
        raise MascaradeError(
            "the games of this checkpoint are of another version of mascarade-env: play its "
            "policy, or train anew"
        )
    shape = tuple(saved["shape"])
    size = int(np.prod(shape)) * wanted.itemsize
    return np.frombuffer(saved["data"].numpy().tobytes()[:size], wanted).reshape(shape).copy()


def _name(kind: np.dtype[Any]) -> str:
    """A type of numbers in a word; structured ones have long names."""
    return hashlib.sha256(repr(kind).encode()).hexdigest()[:16]
