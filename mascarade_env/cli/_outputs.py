"""Check the files that a command will write: each must be writable, and none may be an input.

`writing` also locks the files, so that only one command at a time writes them.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from mascarade_env._errors import MascaradeError
from mascarade_env._files.locks import only_writer
from mascarade_env.exact._files import check_place

#: The files in the folder of a run from which agents are read.
_POLICIES = ("*.npz", "*.zip")


@contextlib.contextmanager
def writing(
    outputs: Mapping[str, str | Path | None], read: Iterable[str | Path | None] = ()
) -> Iterator[None]:
    """Check the files that the body writes, make their folders, and lock the files.

    At the end, remove the folders that were made here and are still empty.

    Args:
        outputs: as for `check_outputs`.
        read: as for `check_outputs`.

    Raises:
        MascaradeError: a file is not writable, is also an input, or another command writes it.
    """
    check_outputs(outputs, read)
    with contextlib.ExitStack() as stack:
        for path in (Path(path) for path in outputs.values() if path is not None):
            stack.callback(_remove_empty, _missing(path))
            make_folder(path)
            stack.enter_context(only_writer(path))
        yield


def check_outputs(
    outputs: Mapping[str, str | Path | None], read: Iterable[str | Path | None] = ()
) -> None:
    """Raise an error if an output is not writable, or would overwrite an input or another output.

    Commands call this before their work.

    Args:
        outputs: the path of each output, by its name in errors; None for no output.
        read: the names of inputs: files, scenarios, or agents. The name of an agent may contain a
            file, as in net:policy.npz.
    """
    files = [file for name in read if name is not None for file in _files_in(str(name))]
    written: dict[str, Path] = {}
    for label, path in ((label, Path(path)) for label, path in outputs.items() if path is not None):
        for file in files:
            if _same(path, file):
                raise MascaradeError(
                    f"{label} would overwrite {str(file)!r}, which is read as an input: "
                    "name another file"
                )
        for other, file in written.items():
            if _same(path, file):
                raise MascaradeError(
                    f"{label} would overwrite {str(file)!r}, the output of {other}: "
                    "name another file"
                )
        written[label] = path
        _check_writable(path)


def make_folder(path: str | Path) -> None:
    """Make the folder of a file if the folder does not exist."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MascaradeError(f"cannot write {str(path)!r}: {error.strerror}") from error
    except ValueError as error:  # no file can have this name
        raise MascaradeError(f"cannot write {str(path)!r}: {error}") from error


def _files_in(name: str) -> Iterator[Path]:
    """Yield the existing files that a name can mean: the whole name, or a part of it after ":"."""
    parts = {name, *name.split(":"), name.partition(":")[2]}
    for path in map(Path, sorted(parts - {""})):
        with contextlib.suppress(OSError, ValueError):  # some names cannot be names of files
            if path.is_file():
                yield path
            elif path.is_dir():
                for pattern in _POLICIES:
                    yield from sorted(path.glob(pattern))


def _check_writable(path: Path) -> None:
    """Check that a file can be made. Afterwards, no new file or folder is left."""
    missing = _missing(path)
    try:
        make_folder(path)
        check_place(path)
    finally:
        _remove_empty(missing)


def _missing(path: Path) -> list[Path]:
    """Return the folders that must be made for a file, the innermost folder first."""
    with contextlib.suppress(ValueError):  # no file can have this name
        return [folder for folder in path.parents if not os.path.lexists(folder)]
    return []


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them does not exist yet
        return os.path.realpath(one) == os.path.realpath(other)
    except ValueError:  # no file can have this name; writing it raises the error
        return False
