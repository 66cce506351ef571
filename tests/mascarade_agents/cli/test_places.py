"""Commands and the files that they read and write: an error is one line and destroys nothing."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mascarade_agents._play.session import new_game
from mascarade_env import Game, _jit, read_games
from mascarade_env._files.locks import only_writer
from mascarade_env.cli import _progress as progress
from mascarade_env.cli import main
from mascarade_env.game._record_files import write_games
from mascarade_env.game._scenarios import resolve
from tests.waiting import LONG

_ARENA = ["arena", "--agents", "random,honest", "--scenario", "4A", "--games", "4", "--workers"]
_ARENA += ["0", "--measured", "4"]
_SOLVE = ["solve", "--scenario", "tiny-2", "--iterations", "1"]

# The arguments of each command, the last of which takes the file; and the suffix of its file.
OUTPUTS = {
    "record": (["record", "--scenario", "4A", "--games", "20", "-o"], ".jsonl"),
    "record packed": (["record", "--scenario", "4A", "--games", "20", "-o"], ".jsonl.gz"),
    "arena output": ([*_ARENA, "--output"], ".jsonl"),
    "arena records": ([*_ARENA, "--records"], ".jsonl"),
    "arena json": ([*_ARENA, "--json"], ".json"),
    "arena html": ([*_ARENA, "--html"], ".html"),
    "tree": (["tree", "--scenario", "tiny-2", "--out"], ".npz"),
    "solve": ([*_SOLVE, "--out"], ".npz"),
    "solve plot": ([*_SOLVE, "--plot"], ".svg"),
    "replay html": (["replay", "game.jsonl", "--html"], ".html"),
    "replay svg": (["replay", "game.jsonl", "--svg"], ".svg"),
    "play": (["play", "--save"], ".jsonl"),
}
INPUTS = {
    "replay": (["replay"], ".jsonl"),
    "behaviour": (["behaviour"], ".jsonl"),
    "play": (["play", "--resume"], ".jsonl"),
    "solve tree": (["solve", "--tree"], ".npz"),
    "nashconv tree": (["nashconv", "--agent", "honest", "--tree"], ".npz"),
    "record scenario": (["record", "--scenario"], ".json"),
    "arena resume": ([*_ARENA, "--resume", "--output"], ".jsonl"),
}
# Paths where no file can be written or read, by the suffix of the file.
PLACES: dict[str, Callable[[str], str]] = {
    "nothing": lambda suffix: "",
    "the root": lambda suffix: "/",
    "here": lambda suffix: ".",
    "a folder": lambda suffix: f"folder{suffix}",
    "below a file": lambda suffix: f"file/a{suffix}",
    "a null": lambda suffix: f"a\0b{suffix}",
    "too long": lambda suffix: f"{'x' * 300}{suffix}",
}


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_jit, "PATIENCE", 1e6)
    monkeypatch.setattr(progress, "_SECONDS_A_LINE", 1e6)
    Path("file").write_text("precious")
    for _, suffix in (*OUTPUTS.values(), *INPUTS.values()):
        Path(f"folder{suffix}").mkdir(exist_ok=True)
    game = Game("4A", seed=1)
    game.play_randomly(6)
    write_games("game.jsonl", [game])


def refused(capfd: pytest.CaptureFixture[str], words: list[str]) -> str:
    """Return the one line of the error of a command."""
    capfd.readouterr()
    try:
        code = main(words)
    except SystemExit as stop:
        code = int(stop.code or 0)
    # An arena may announce its games before it meets a full disk.
    errors = re.sub(r"(?m)^mascarade: playing [^.]*\.\n", "", capfd.readouterr().err)
    assert code == 2
    said = [line for line in errors.splitlines() if not line.startswith("mascarade_env: compil")]
    assert len(said) == 1, errors
    assert said[0].startswith("mascarade: ")
    return said[0]


def everything(folder: Path) -> dict[str, bytes | None]:
    """Return all paths in a folder, with the bytes of files."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", OUTPUTS)
def test_a_place_where_no_file_can_be_is_refused(
    command: str, place: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words, suffix = OUTPUTS[command]
    before = everything(tmp_path)
    refused(capfd, [*words, PLACES[place](suffix)])
    assert everything(tmp_path) == before


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", INPUTS)
def test_a_place_where_no_file_is_cannot_be_read(
    command: str, place: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words, suffix = INPUTS[command]
    before = everything(tmp_path)
    refused(capfd, [*words, PLACES[place](suffix)])
    assert everything(tmp_path) == before


@pytest.mark.parametrize("command", OUTPUTS)
def test_what_another_run_writes_is_refused(
    command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words, suffix = OUTPUTS[command]
    file = Path(f"a{suffix}")
    if command == "play":  # it needs a new file, or one to resume
        words, file = ["play", "--resume"], Path("resumable.jsonl")
        write_games(file, [new_game(resolve("4A"), [None, *["random"] * 3], "Ana", seed=1)])
    with only_writer(file):
        before = everything(tmp_path)
        said = refused(capfd, [*words, str(file)])
        assert everything(tmp_path) == before
    assert repr(str(file)) in said
    assert "another run" in said


def test_a_resumed_arena_is_locked_too(capfd: pytest.CaptureFixture[str]) -> None:
    words = [*_ARENA, "--output", "a.jsonl"]
    assert main(words) == 0
    before = Path("a.jsonl").read_bytes()
    with only_writer("a.jsonl"):
        assert "'a.jsonl'" in refused(capfd, [*words, "--resume"])
    assert Path("a.jsonl").read_bytes() == before
    assert main([*words, "--resume"]) == 0  # the lock is released
    assert not list(Path().glob(".*"))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder on a disk of 64 KB with little room."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except OSError as error:
        pytest.skip(f"no disk can be mounted: {error}")
    if done.returncode:
        pytest.skip(f"no disk can be mounted: {done.stderr.decode().strip()}")
    try:
        (disk / "fill").write_bytes(b"x" * 57_000)
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("command", sorted(OUTPUTS.keys() - {"solve plot", "play"}))
def test_a_full_disk_leaves_the_file_as_it_was(
    command: str, small_disk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words, suffix = OUTPUTS[command]
    file = small_disk / f"a{suffix}"
    if command != "arena output":  # it needs a new file, or one to resume
        file.write_bytes(b"precious")
    while (free := os.statvfs(small_disk).f_bavail) > 0:  # leave one page
        (small_disk / f"more {free}").write_bytes(b"x")
    (small_disk / f"more {free + 1}").unlink()
    before = everything(small_disk)
    said = refused(capfd, [*words, str(file)])
    assert "No space left on device" in said
    assert str(file) in said
    after = everything(small_disk)
    if command == "arena output":
        assert len(after.pop(file.name) or b"") <= 4096  # the beginning, which --resume drops
    assert after == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("command", ["record", "arena json", "replay html"])
def test_a_pipe_is_written_and_not_replaced(command: str, tmp_path: Path) -> None:
    words, _ = OUTPUTS[command]
    os.mkfifo("pipe")  # not /dev/full, which root could delete
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(Path("pipe").read_bytes()))
    reader.start()
    assert main([*words, "pipe"]) == 0
    reader.join(60)
    assert found
    assert len(found[0]) > 1000
    assert Path("pipe").is_fifo()
    assert not list(tmp_path.glob(".*"))


_PROGRAM = "import sys; from mascarade_env.cli import main; sys.exit(main(sys.argv[1:]))"


def length(file: Path) -> int:
    """Return the bytes of a file, 0 while there is none."""
    try:
        return file.stat().st_size
    except FileNotFoundError:  # also between the test of its place and the first game
        return 0


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals on Windows")
@pytest.mark.parametrize(
    ("name", "code"),
    [("SIGTERM", 143), pytest.param("SIGHUP", 129, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("older", [True, False])
def test_a_signal_keeps_the_games_that_are_finished(name: str, code: int, older: bool) -> None:
    import signal  # noqa: PLC0415  where it has these

    file = Path("games.jsonl")
    if older:
        write_games(file, [Game("4A", seed=9)])
    words = ["record", "--scenario", "4A", "--games", "1000000", "--seed", "5", "-o", str(file)]
    places = [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(getattr(signal, name), signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        part = Path(f".{process.pid}-{file}") if older else file
        try:
            while length(part) < 5000:
                assert process.poll() is None, process.communicate()
            process.send_signal(getattr(signal, name))
            output, errors = process.communicate(timeout=LONG)
        finally:
            process.kill()  # else the block would wait for all its games
    assert process.returncode == code
    assert f"mascarade: ended by {name}\n" in errors
    games = list(read_games(file))
    assert output.startswith(f"{len(games)} games of 4A")
    assert games[0].meta["seed"] == 5
    assert not list(Path().glob(".*"))
