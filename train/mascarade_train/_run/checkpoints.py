"""Checkpoints of a learner: all that it takes to resume, in a file that runs no code.

A checkpoint may come from anywhere, so what is in it is data to check. It holds no game and no
belief: they are replayed from seeds and decisions, which the rules check one by one, as that is
simpler to trust than checks of all that a row of a game may hold. Weights, counters and random
states are taken only if their shape, type and range are those that training writes.
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

#: Of all parts of a checkpoint, unpacked.
MOST_BYTES = 2**33

#: The checkpoint in the folder of a run.
NAME = "checkpoint.pt"

#: No weight of a training that can be resumed is larger, nor what Adam remembers of one.
LARGEST = 1e9

_COUNTED = 2**62  # no counter is larger

N = TypeVar("N", int, float)


def save(path: Path, state: Mapping[str, Any], form: str = FORMAT) -> None:
    """Write a checkpoint. An error leaves the file as it was before.

    Args:
        path: where.
        state: tensors, numbers, strings, and lists and dicts of these.
        form: the name and number of its format.
    """
    with making(path) as beside, beside.open("wb") as file:
        try:
            torch.save({"format": form, **state}, file)
        except RuntimeError as error:  # as which torch reports what the system has refused
            raise _refused(error) from error
        file.flush()
        os.fsync(file.fileno())


def _refused(error: BaseException) -> OSError:
    """Return the error of the system behind an error of torch."""
    cause = error.__cause__ or error.__context__
    if isinstance(cause, OSError):
        return cause
    return OSError(0, f"the disk may be full ({str(error).splitlines()[0]:.80})")


def load(path: Path, form: str = FORMAT) -> dict[str, Any]:
    """Read a checkpoint of a format, or the one in the folder of a run.

    Raises:
        MascaradeError: there is none, or it is damaged or something else.
    """
    file = path / NAME if path.is_dir() else path
    if path.is_dir():
        _refuse_links(path)
    try:
        with open_regular(file) as opened:
            if not zipfile.is_zipfile(opened):
                raise MascaradeError(
                    f"{str(file)!r} is no checkpoint, or only the beginning of one: take another"
                )
            with zipfile.ZipFile(opened) as archive:
                check_unpacked(archive.infolist(), MOST_BYTES)
                # So reading a checkpoint takes no more memory than the file is long.
                if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()):
                    raise MascaradeError(
                        f"{str(file)!r} is compressed, and a checkpoint must not be: take another"
                    )
                damaged = archive.testzip()
            if damaged is not None:
                raise MascaradeError(f"{str(file)!r} is damaged, at {damaged!r}: take another")
            opened.seek(0)
            found = torch.load(opened, map_location="cpu", weights_only=True)
    except OSError as error:
        raise MascaradeError(f"cannot read {str(file)!r}: {error.strerror or error}") from error
    except MascaradeError:
        raise
    except Exception as error:  # what a foreign file raises is up to torch, zip and pickle
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise MascaradeError(
            f"{str(file)!r} is no checkpoint of this learner; nothing of it was run ({first})"
        ) from error
    if not isinstance(found, dict) or found.get("format") != form:
        held = found.get("format") if isinstance(found, dict) else type(found).__name__
        remedy = "begin a new search"
        if form == FORMAT:
            remedy = "begin a new training with its policy by --start"
        raise MascaradeError(
            f"{str(file)!r} is no checkpoint of this learner: its format is {held!r:.60}, and "
            f"this command reads {form!r}; if another version of mascarade-env wrote it, {remedy}"
        )
    return found


def _refuse_links(run: Path) -> None:
    """Refuse the folder of a run with links: resuming it would write wherever they lead."""
    try:
        links = sorted(entry.name for entry in run.iterdir() if entry.is_symlink())
    except OSError as error:
        raise MascaradeError(f"cannot read {str(run)!r}: {error.strerror or error}") from error
    if links:
        raise MascaradeError(
            f"the folder {str(run)!r} has a link, {links[0]!r}, through which a run would write "
            "elsewhere: replace it by a file, or remove it"
        )


@contextmanager
def reading() -> Iterator[None]:
    """Report a part that a checkpoint lacks, or that has another form, as a MascaradeError."""
    try:
        yield
    except MascaradeError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        words = " ".join(repr(error).split())
        raise MascaradeError(
            f"the checkpoint lacks parts that a run writes: take another ({words:.60})"
        ) from error


def as_array(found: Any) -> NDArray[Any]:
    """Return a copy of a stored tensor as an array, of whatever shape and type it has."""
    if not _is_plain(found):
        raise damaged("an array", found)
    if found.dtype == torch.bool and (found.view(torch.uint8) > 1).any():
        raise damaged("an array of truth values", found)
    array: NDArray[Any] = found.numpy().copy()
    return array


def weights(found: Any, own: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return stored weights, if they can take the place of these.

    Raises:
        MascaradeError: their names, shapes or types are others, or numbers are not finite or huge.
    """
    if not isinstance(found, dict) or found.keys() != own.keys():
        raise _of_another("its layers")
    for name, tensor in own.items():
        given = found[name]
        if not _is_plain(given) or (given.shape, given.dtype) != (tensor.shape, tensor.dtype):
            raise _of_another(name)
        if not (given.abs() <= LARGEST).all():
            raise MascaradeError(
                f"the checkpoint is damaged: {name} has numbers that are not finite, or beyond "
                f"{LARGEST:g}; take another"
            )
    return dict(found)


def number(found: Any, what: str, least: N, most: N) -> N:
    """Return a stored number, if it is of the type of its bounds and between them."""
    kinds = (int,) if type(least) is int else (int, float)
    if type(found) not in kinds or not least <= found <= most:
        raise damaged(what, found)
    return type(least)(found)


def count(found: Any, what: str) -> int:
    """Return a stored count, if it is one."""
    return number(found, what, 0, _COUNTED)


def from_json(text: Any) -> Any:
    """Return what is stored as JSON."""
    if not isinstance(text, str):
        raise damaged("JSON", text)
    try:
        return parse_json(text.encode())
    except ValueError as error:
        raise damaged("JSON", text) from error


def random_state(text: Any) -> dict[str, Any]:
    """Return the state of a generator from JSON, if it is one of NumPy's default generator."""
    found = from_json(text)
    own = np.random.default_rng(0).bit_generator.state
    if not isinstance(found, dict) or found.keys() != own.keys():
        raise damaged("a random state", found)
    inner = found["state"]
    if not isinstance(inner, dict) or inner.keys() != own["state"].keys():
        raise damaged("a random state", found)
    bounds = ((inner["state"], 128), (inner["inc"], 128), (found["uinteger"], 32))
    fits = all(type(word) is int and 0 <= word < 2**bits for word, bits in bounds)
    if not fits or found["bit_generator"] != own["bit_generator"] or not inner["inc"] % 2:
        raise damaged("a random state", found)
    number(found["has_uint32"], "a random state", 0, 1)
    return dict(found)


def damaged(what: str, found: Any) -> MascaradeError:
    """Return the error for a part of a checkpoint that training does not write."""
    words = " ".join(repr(found).split())
    return MascaradeError(f"the checkpoint is damaged: {what} cannot be {words:.60}; take another")


def _of_another(name: str) -> MascaradeError:
    return MascaradeError(
        f"the checkpoint is of another network; leave its settings as they were ({name} differs)"
    )


def _is_plain(found: Any) -> bool:
    """Return whether something is a tensor with all its numbers in memory, one after another."""
    return (
        type(found) is Tensor
        and found.layout == torch.strided
        and found.device.type == "cpu"
        and found.is_contiguous()
        and not found.is_quantized
        and not found.is_conj()
        and not found.is_neg()
    )
