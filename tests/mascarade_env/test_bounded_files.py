"""Files that would fill the memory are refused in good time, and the error names the limit."""

import json
import os
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from mascarade_env import Game, MascaradeError, RecordError, read_games
from mascarade_env._files import bounded as bounded_files
from mascarade_env._files.arrays import read_arrays
from mascarade_env._files.bounded import MOST_LINE, MOST_TEXT, open_regular, read_bytes
from mascarade_env._files.strict_json import MOST_VALUES, parse_json
from mascarade_env.exact import SavedPolicy, load_tree
from mascarade_env.game._record_files import write_games
from mascarade_env.game._scenarios import resolve
from tests.bombs import gzip_bomb, zip_bomb
from tests.messages import facts

_MEGABYTE = 2**20
_HUGE = 3 * 2**30


@contextmanager
def little_memory(most: int) -> Iterator[None]:
    """Fail if more memory than that is taken at any moment."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("load", [SavedPolicy.load, load_tree, read_arrays])
def test_arrays_that_unpack_to_more_than_the_limit(
    tmp_path: Path, load: Callable[[Path], object]
) -> None:
    path = tmp_path / "bomb.npz"
    zip_bomb(path, "keys.npy", _HUGE)
    assert path.stat().st_size < _HUGE / 500
    with (
        little_memory(50 * _MEGABYTE),
        pytest.raises(ValueError, match=facts("3,221,225,472 bytes", "1,073,741,824")),
    ):
        load(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_arrays_packed_so_that_no_size_is_kept_to(tmp_path: Path, method: int) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("keys.npy", bytes(64 * _MEGABYTE))
    data = path.read_bytes()
    assert len(data) < _MEGABYTE
    size = (64 * _MEGABYTE).to_bytes(4, "little")
    path.write_bytes(data.replace(size, (100).to_bytes(4, "little")))  # what it declares
    with (
        little_memory(10 * _MEGABYTE),
        pytest.raises(MascaradeError, match=facts("keys.npy", "deflate")),
    ):
        load_tree(path)


def test_a_file_of_too_many_arrays_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "many.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(1001):
            archive.writestr(f"{number}.npy", b"")
    with pytest.raises(MascaradeError, match=facts("1,001 members", "1,000")):
        SavedPolicy.load(path)


def test_the_head_of_arrays_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "head.npz"
    np.savez_compressed(path, head=np.full(MOST_TEXT + 1, 32, np.uint8))
    with pytest.raises(MascaradeError, match="the limit is 16,777,216"):
        SavedPolicy.load(path)


@pytest.mark.parametrize(
    ("unit", "why"),
    [
        (b" ", "the line has more than 67,108,864 bytes"),
        (b"\0", "the line has more than 67,108,864 bytes"),
        (b"\n", "more than 1,000 blank lines"),
        (b"\r\n", "more than 1,000 blank lines"),
    ],
)
def test_a_huge_packed_record_is_refused(tmp_path: Path, unit: bytes, why: str) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    game = Game("4A", seed=1)
    write_games(tmp_path / "one.jsonl", [game])
    gzip_bomb(path, unit, _HUGE, begin=(tmp_path / "one.jsonl").read_bytes())
    games = read_games(path)
    with little_memory(4 * MOST_LINE):
        assert next(games).history == game.history
        with pytest.raises(RecordError, match=why) as raised:
            next(games)
    assert raised.value.readable == 1


def test_a_device_without_an_end_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (Path("/dev/zero"), pipe):
        for load in (SavedPolicy.load, load_tree):
            with pytest.raises(MascaradeError, match=r"cannot read .* not a regular file"):
                load(path)
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(MascaradeError, match=r"cannot read .* not a regular file"):
        resolve(tmp_path / "pipe.json")
    with pytest.raises(RecordError, match=r"/dev/zero, line 1: cannot be read: .*more than"):
        list(read_games("/dev/zero"))


def test_a_scenario_file_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(_HUGE)  # takes no room on the disk
    with (
        little_memory(3 * MOST_TEXT),
        pytest.raises(MascaradeError, match=r"large\.json.* more than 16,777,216 bytes"),
    ):
        resolve(path)


def test_what_is_within_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert read_bytes(path, 5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes, which is the limit"):
        read_bytes(path, 4)
    path.write_bytes(b"ab\n\n\nabcd\nabc")
    with path.open("rb") as file:
        assert list(bounded_files.lines(file, 5)) == [b"ab\n", b"\n", b"\n", b"abcd\n", b"abc"]
    with path.open("rb") as file, pytest.raises(OSError, match="the line has more than 4 bytes"):
        list(bounded_files.lines(file, 4))


def test_a_name_that_no_file_has_is_an_oserror(tmp_path: Path) -> None:
    for name in ("a\0b", tmp_path, tmp_path / "none"):
        with pytest.raises(OSError), open_regular(name):  # noqa: PT011  each has a reason of its own
            pass


def test_repeated_keys_are_found_in_good_time() -> None:
    keys = [f'"{number}":0' for number in range(200_000)]
    with pytest.raises(ValueError, match=facts("key", "'199999'")):
        parse_json(f"{{{','.join([*keys, keys[-1]])}}}".encode())
    with pytest.raises(ValueError, match=f"{MOST_VALUES:,}"):
        parse_json(b"[" + b"{}," * MOST_VALUES + b"{}]")
    assert parse_json(f"{{{','.join(keys)}}}".encode()) == json.loads(f"{{{','.join(keys)}}}")
