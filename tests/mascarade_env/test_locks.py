"""Locks on outputs: one process at a time writes them."""

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mascarade_env import MascaradeError
from mascarade_env._files import locks
from mascarade_env._files.locks import only_writer

_HOLD = """
import sys
from mascarade_env._files.locks import only_writer
with only_writer(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("words", ["precious", "", "4711\n"])
def test_a_link_in_the_place_of_a_lock_is_not_followed(tmp_path: Path, words: str) -> None:
    """A folder from elsewhere may hold one."""
    victim, output = tmp_path / "victim", tmp_path / "game.jsonl"
    victim.write_text(words)
    lock = tmp_path / ".game.jsonl.lock"
    lock.symlink_to(victim)
    with only_writer(output):
        pass
    assert lock.is_symlink()
    lock.unlink()
    lock.hardlink_to(victim)
    with only_writer(output):
        pass
    assert victim.read_text() == words


def test_a_file_that_is_no_lock_is_kept(tmp_path: Path) -> None:
    lock = tmp_path / ".game.jsonl.lock"
    lock.write_text("a diary")
    with only_writer(tmp_path / "game.jsonl"):
        pass
    assert lock.read_text() == "a diary"


@contextmanager
def another_process(output: Path) -> Iterator["subprocess.Popen[str]"]:
    """Run a process that holds the lock until its input ends."""
    words = [sys.executable, "-c", _HOLD, str(output)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def outputs(folder: Path) -> list[Path]:
    (folder / "run").mkdir()
    (folder / "there.jsonl").write_text("")
    return [folder / "run", folder / "there.jsonl", folder / "new.jsonl"]


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_second_process_is_refused_with_the_number_of_the_first(
    tmp_path: Path, which: int
) -> None:
    output = outputs(tmp_path)[which]
    with another_process(output) as process:
        with pytest.raises(MascaradeError) as refused, only_writer(output):
            pytest.fail("two processes hold the lock")
        words = str(refused.value)
        assert repr(str(output)) in words
        assert f"process {process.pid})" in words
        assert "\n" not in words


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_killed_process_leaves_nothing_that_blocks(tmp_path: Path, which: int) -> None:
    output = outputs(tmp_path)[which]
    with another_process(output) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with only_writer(output):
        pass


def test_a_clean_end_leaves_no_file(tmp_path: Path) -> None:
    for output in outputs(tmp_path):
        there = sorted(tmp_path.rglob("*"))
        with only_writer(output):
            assert sorted(tmp_path.rglob("*")) != there
        with pytest.raises(KeyboardInterrupt), only_writer(output):
            raise KeyboardInterrupt
        assert sorted(tmp_path.rglob("*")) == there


def test_one_process_takes_a_lock_once_and_again_after_it(tmp_path: Path) -> None:
    with (
        only_writer(tmp_path),
        only_writer(tmp_path / "other"),
        pytest.raises(MascaradeError, match=f"process {os.getpid()}"),
        only_writer(tmp_path),
    ):
        pytest.fail("the lock was given twice")
    with only_writer(tmp_path):
        pass


def test_a_link_to_the_output_has_its_lock(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link"
    link.symlink_to(tmp_path / "games.jsonl")
    with (
        only_writer(tmp_path / "games.jsonl"),
        pytest.raises(MascaradeError, match=r"link"),
        only_writer(link),
    ):
        pytest.fail("the lock was given twice")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_does_not_keep_the_lock(tmp_path: Path) -> None:
    forked = multiprocessing.get_context("fork")
    begun, over = forked.Event(), forked.Event()

    def child() -> None:
        begun.set()
        over.wait(60)

    with only_writer(tmp_path):
        process = forked.Process(target=child)
        process.start()
        assert begun.wait(60)
    with only_writer(tmp_path):  # though the child lives
        assert process.is_alive()
    over.set()
    process.join()


def test_a_lock_released_during_a_request_is_taken_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = locks._lock
    gone: list[int] = []

    def late(descriptor: int) -> None:
        if not gone:  # the holder removes its file between the opening and the locking
            gone.append(descriptor)
            (tmp_path / ".lock").unlink()
        lock(descriptor)

    monkeypatch.setattr(locks, "_lock", late)
    with only_writer(tmp_path):
        assert (tmp_path / ".lock").exists()
        with pytest.raises(MascaradeError), only_writer(tmp_path):
            pytest.fail("two hold the lock, of two files of one name")


def test_the_body_runs_on_a_file_system_without_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(descriptor: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(locks, "_lock", none)
    with only_writer(tmp_path), only_writer(tmp_path):
        done = True
    assert done


def test_where_no_lock_file_can_be_made_the_body_runs(tmp_path: Path) -> None:
    with only_writer(tmp_path / "missing" / "games.jsonl"):
        assert not (tmp_path / "missing").exists()
    with only_writer(Path(os.devnull)):
        assert not Path(os.devnull).with_name(".null.lock").exists()
