"""Check files before a command writes them: each can be written, and none is an input.

One command at a time writes a file: `writing` holds its lock.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from mascarade_env._errors import MascaradeError
from mascarade_env._files.locks import only_writer
from mascarade_env.exact._files import check_place

#: What a run's folder holds that agents are read from.
_POLICIES = ("*.npz", "*.zip")


@contextlib.contextmanager
def writing(
    outputs: Mapping[str, str | Path | None], read: Iterable[str | Path | None] = ()
) -> Iterator[None]:
    """Hold files for the body to write: check them, make their folders, and lock them.

    Folders made here in which nothing was written are removed at the end.

    Args:
        outputs: as for `check_outputs`.
        read: as for `check_outputs`.

    Raises:
        MascaradeError: a file cannot be written, is read too, or another run is writing it.
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
    """Refuse files before the work is done: no place to write, or the place of another.

    Args:
        outputs: what shall be written, by what it is called; None for what shall not.
        read: names of what is read: of files, of scenarios, or of agents, some of which are made of
            files, as net:policy.npz.
    """
    files = [file for name in read if name is not None for file in _files_in(str(name))]
    written: dict[str, Path] = {}
    for what, path in ((what, Path(path)) for what, path in outputs.items() if path is not None):
        for file in files:
            if _same(path, file):
                raise MascaradeError(
                    f"{what} would overwrite {str(file)!r}, which is read: name another file"
                )
        for other, file in written.items():
            if _same(path, file):
                raise MascaradeError(
                    f"{what} would overwrite {str(file)!r}, the file of {other}: name another file"
                )
        written[what] = path
        _check_writable(path)


def make_folder(path: str | Path) -> None:
    """The folder of a file that is to be written."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MascaradeError(f"cannot write {str(path)!r}: {error.strerror}") from error
    except ValueError as error:  # a name that no file can have
        raise MascaradeError(f"cannot write {str(path)!r}: {error}") from error


def _files_in(name: str) -> Iterator[Path]:
    """Yield the files that a name may mean, the whole of it or what its colons part."""
    parts = {name, *name.split(":"), name.partition(":")[2]}
    for path in map(Path, sorted(parts - {""})):
        with contextlib.suppress(OSError, ValueError):  # what is no name of a file means none
            if path.is_file():
                yield path
            elif path.is_dir():
                for pattern in _POLICIES:
                    yield from sorted(path.glob(pattern))


def _check_writable(path: Path) -> None:
    """Check that a file can be made; nothing is left of the trial, not even a folder."""
    missing = _missing(path)
    try:
        make_folder(path)
        check_place(path)
    finally:
        _remove_empty(missing)


def _missing(path: Path) -> list[Path]:
    """Return the folders that must be made for a file, the innermost first."""
    with contextlib.suppress(ValueError):  # of a name that no file can have
        return [folder for folder in path.parents if not os.path.lexists(folder)]
    return []


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there yet
        return os.path.realpath(one) == os.path.realpath(other)
    except ValueError:  # a name that no file can have is refused where it is written
        return False
