"""Checkpoints of a learner: all data needed to resume. Loading one runs no code.

A checkpoint may come from anyone, so all its contents are checked. It holds no games and no
beliefs: these are replayed from seeds and decisions, and the rules check each decision. That is
safer than checking every field that the row of a game can hold. Weights, counters and random states
are accepted only if their shape, type and range are those that training writes.
"""

import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mascarade_env._errors import MascaradeError
from mascarade_env._files.arrays import check_unpacked
from mascarade_env._files.bounded import open_regular
from mascarade_env._files.strict_json import parse_json
from mascarade_env.exact._files import making

FORMAT = "mascarade_train.ppo checkpoint 2"

#: Limit on the size of all parts of a checkpoint, unpacked.
MOST_BYTES = 2**33

#: The name of the checkpoint in the folder of a run.
NAME = "checkpoint.pt"

#: Limit on the absolute value of a weight, and of Adam's moments.
LARGEST = 1e9

_COUNTED = 2**62  # limit on a counter

N = TypeVar("N", int, float)


def save(path: Path, state: Mapping[str, Any], form: str = FORMAT) -> None:
    """Write a checkpoint. After an error the file is as it was before.

    Args:
        path: the file.
        state: tensors, numbers, strings, and lists and dicts of these.
        form: the name and number of the format.
    """
    with making(path) as beside, beside.open("wb") as file:
        try:
            torch.save({"format": form, **state}, file)
        except RuntimeError as error:  # torch reports errors of the system as this type
            raise _refused(error) from error
        file.flush()
        os.fsync(file.fileno())


def _refused(error: BaseException) -> OSError:
    """Return the operating system's error that caused an error of torch."""
    cause = error.__cause__ or error.__context__
    if isinstance(cause, OSError):
        return cause
    return OSError(0, f"the disk may be full ({str(error).splitlines()[0]:.80})")


def load(path: Path, form: str = FORMAT) -> dict[str, Any]:
    """Read a checkpoint file, or the checkpoint in the folder of a run.

    Args:
        path: the file or the folder.
        form: the name and number of the expected format.

    Raises:
        MascaradeError: the file does not exist, is damaged, or has another format.
    """
    file = path / NAME if path.is_dir() else path
    if path.is_dir():
        _refuse_links(path)
    try:
        with open_regular(file) as opened:
            if not zipfile.is_zipfile(opened):
                raise MascaradeError(
                    f"{str(file)!r} is not a checkpoint, or is only the beginning of one: use "
                    "another file"
                )
            with zipfile.ZipFile(opened) as archive:
                check_unpacked(archive.infolist(), MOST_BYTES)
                # Uncompressed, the file cannot take more memory than it is long.
                if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()):
                    raise MascaradeError(
                        f"{str(file)!r} is compressed, but a checkpoint must not be compressed: "
                        "use another file"
                    )
                damaged = archive.testzip()
            if damaged is not None:
                raise MascaradeError(f"{str(file)!r} is damaged at {damaged!r}: use another file")
            opened.seek(0)
            content = torch.load(opened, map_location="cpu", weights_only=True)
    except OSError as error:
        raise MascaradeError(
            f"cannot read {str(file)!r}: {error.strerror or error}; check the path"
        ) from error
    except MascaradeError:
        raise
    except Exception as error:  # torch, zip and pickle raise many types for a foreign file
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise MascaradeError(
            f"{str(file)!r} is not a checkpoint of this command ({first}): use another file; no "
            "code in it was run"
        ) from error
    if not isinstance(content, dict) or content.get("format") != form:
        held = content.get("format") if isinstance(content, dict) else type(content).__name__
        remedy = "start a new search"
        if form == FORMAT:
            remedy = "start a new training from its policy with --start"
        raise MascaradeError(
            f"{str(file)!r} is not a checkpoint of this command: its format is {held!r:.60}, and "
            f"this command reads {form!r}; if another version of mascarade-env wrote it, {remedy}"
        )
    return content


def _refuse_links(run: Path) -> None:
    """Refuse a folder with symbolic links: resuming the run would write to their targets."""
    try:
        links = sorted(entry.name for entry in run.iterdir() if entry.is_symlink())
    except OSError as error:
        raise MascaradeError(
            f"cannot read {str(run)!r}: {error.strerror or error}; check its permissions"
        ) from error
    if links:
        raise MascaradeError(
            f"the folder {str(run)!r} has a link, {links[0]!r}, and a run would write to its "
            "target: replace it with a file, or remove it"
        )


@contextmanager
def reading() -> Iterator[None]:
    """Raise errors from missing or malformed parts of a checkpoint as `MascaradeError`."""
    try:
        yield
    except MascaradeError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        words = " ".join(repr(error).split())
        raise MascaradeError(
            f"parts of the checkpoint are missing or malformed ({words:.60}): use another "
            "checkpoint"
        ) from error


def as_array(stored: Any) -> NDArray[Any]:
    """Return a copy of a stored tensor as an array, of any shape and type.

    Raises:
        MascaradeError: the value is not a plain tensor, or has truth values other than 0 and 1.
    """
    if not _is_plain(stored):
        raise damaged("an array", stored)
    if stored.dtype == torch.bool and (stored.view(torch.uint8) > 1).any():
        raise damaged("an array of truth values", stored)
    array: NDArray[Any] = stored.numpy().copy()
    return array


def weights(stored: Any, own: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return stored weights, after checking that they fit a network with the weights `own`.

    Raises:
        MascaradeError: names, shapes or types differ, or a number is not finite or exceeds
            `LARGEST`.
    """
    if not isinstance(stored, dict) or stored.keys() != own.keys():
        raise _of_another("its layers")
    for name, tensor in own.items():
        weight = stored[name]
        if not _is_plain(weight) or (weight.shape, weight.dtype) != (tensor.shape, tensor.dtype):
            raise _of_another(name)
        if not (weight.abs() <= LARGEST).all():
            raise MascaradeError(
                f"the checkpoint is damaged: {name} has numbers that are not finite, or beyond "
                f"{LARGEST:g}; use another checkpoint"
            )
    return dict(stored)


def number(stored: Any, what: str, least: N, most: N) -> N:
    """Return a stored number, after checking its type and bounds.

    Args:
        stored: the value in the checkpoint.
        what: the name of the number in the error.
        least: the lower bound, of the required type.
        most: the upper bound.

    Raises:
        MascaradeError: the value has another type, or is not between the bounds.
    """
    kinds = (int,) if type(least) is int else (int, float)
    if type(stored) not in kinds or not least <= stored <= most:
        raise damaged(what, stored)
    return type(least)(stored)


def count(stored: Any, what: str) -> int:
    """Return a stored count, after checking that it is a whole number, 0 or more."""
    return number(stored, what, 0, _COUNTED)


def from_json(text: Any) -> Any:
    """Return the value of a stored JSON string."""
    if not isinstance(text, str):
        raise damaged("JSON", text)
    try:
        return parse_json(text.encode())
    except ValueError as error:
        raise damaged("JSON", text) from error


def random_state(text: Any) -> dict[str, Any]:
    """Return the state of an rng from JSON, after checking it for NumPy's default generator.

    Raises:
        MascaradeError: the state is not valid.
    """
    state = from_json(text)
    own = np.random.default_rng(0).bit_generator.state
    if not isinstance(state, dict) or state.keys() != own.keys():
        raise damaged("a random state", state)
    inner = state["state"]
    if not isinstance(inner, dict) or inner.keys() != own["state"].keys():
        raise damaged("a random state", state)
    bounds = ((inner["state"], 128), (inner["inc"], 128), (state["uinteger"], 32))
    fits = all(type(word) is int and 0 <= word < 2**bits for word, bits in bounds)
    if not fits or state["bit_generator"] != own["bit_generator"] or not inner["inc"] % 2:
        raise damaged("a random state", state)
    number(state["has_uint32"], "a random state", 0, 1)
    return dict(state)


def damaged(what: str, stored: Any) -> MascaradeError:
    """Return the error for an invalid value in a checkpoint."""
    words = " ".join(repr(stored).split())
    return MascaradeError(
        f"the checkpoint is damaged: {what} has an invalid value, {words:.60}; use another "
        "checkpoint"
    )


def _of_another(name: str) -> MascaradeError:
    return MascaradeError(
        f"the checkpoint is of another network ({name} differs): give the settings of its training"
    )


def _is_plain(stored: Any) -> bool:
    """Return whether a value is a tensor on the CPU whose numbers are contiguous in memory."""
    return (
        type(stored) is Tensor
        and stored.layout == torch.strided
        and stored.device.type == "cpu"
        and stored.is_contiguous()
        and not stored.is_quantized
        and not stored.is_conj()
        and not stored.is_neg()
    )
