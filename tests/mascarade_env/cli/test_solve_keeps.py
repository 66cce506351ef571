"""`mascarade solve` overwrites no input and loses no result."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mascarade_env.cli import _progress as progress
from mascarade_env.exact import SavedPolicy, Solver, build
from tests.mascarade_env.cli.test_commands import run
from tests.mascarade_env.cli.test_commands_exact import (
    build_and_block,
    commands,
    own_scenario,
    report,
)
from tests.messages import lines_stating, states
from tests.waiting import LONG


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        progress, "_SECONDS_A_LINE", 1e6
    )  # no progress on stderr, however slow the machine


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_file_in_a_folder_that_is_not_writable_is_refused(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mascarade_env.cli._tree_files.build", None)
    folder = Path("closed")
    folder.mkdir()
    (folder / "a.npz").touch()  # the file itself is writable
    folder.chmod(0o500)
    code, _, errors = run(capfd, "solve", "--scenario", "tiny-2", "--out", folder / "a.npz")
    assert code == 2
    assert states(errors, "write", "'closed/a.npz'", "Permission denied")


def test_no_input_is_overwritten(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = own_scenario(tmp_path, turn_limit=2)
    figures = file.rename(tmp_path / "own.figures.json")
    link, other = Path("link.npz"), Path("other.svg")
    assert run(capfd, "tree", "--scenario", figures, "--out", "own.npz")[0] == 0
    link.symlink_to("own.npz")
    other.symlink_to(tmp_path / "elsewhere.npz")
    Path("scenario.npz").symlink_to(figures)
    before = {path.name: path.read_bytes() for path in Path().iterdir() if path.exists()}
    monkeypatch.setattr("mascarade_env.cli._tree_files.build", None)
    for words, what in (
        (("solve", "--tree", "own.npz", "--out", "./own.npz"), ("--out", "'own.npz'", "read")),
        (("solve", "--tree", "own.npz", "--out", link), ("--out", "'own.npz'", "read")),
        (
            ("solve", "--tree", link, "--out", "own.npz"),
            ("--out", "'link.npz'", "read"),
        ),
        (("solve", "--scenario", figures, "--out", "own.npz"), ("own.figures.json", "read")),
        (
            ("solve", "--scenario", "tiny-2", "--out", "elsewhere.npz", "--plot", other),
            ("--plot", "'elsewhere.npz'", "--out"),
        ),
        (
            ("tree", "--scenario", figures, "--out", "scenario.npz"),
            ("--out", "own.figures.json", "read"),
        ),
    ):
        code, output, errors = run(capfd, *words)
        assert (code, output) == (2, "")
        assert states(errors, "overwrite", *what)
    assert {path.name: path.read_bytes() for path in Path().iterdir() if path.exists()} == before


def test_a_scenario_file_survives_a_policy_of_the_same_name(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = own_scenario(tmp_path, turn_limit=2)
    before = file.read_bytes()
    report(capfd, "solve", "--scenario", file, "--out", "own.npz", "--iterations", 1)
    assert file.read_bytes() == before
    assert Path("own.figures.json").exists()


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_figures_are_printed_even_if_no_file_can_be_written(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mascarade_env.cli._solve.built", build_and_block("new/a.npz"))
    words = ("--iterations", "3", "--out", "new/a.npz", *words)
    code, output, errors = run(capfd, "solve", "--scenario", "tiny-2", *words)
    assert code == 2
    assert states(errors.splitlines()[-1], "mascarade", "write", "'new/a.npz'", "Is a directory")
    if "--json" in words:
        found = json.loads(output)
        assert (found["iterations"], found["output"], found["plot"]) == (3, None, None)
    else:
        assert "NashConv" in output
        assert "a.npz" not in output
        assert not commands(output)


def test_a_failed_write_leaves_the_old_figures_whole(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("solve", "--scenario", "tiny-2", "--iterations", 1, "--out", "a.npz")
    report(capfd, *words)
    before = Path("a.figures.json").read_bytes()

    def fill(path: Path, text: str, encoding: str) -> None:
        path.write_bytes(text.encode(encoding)[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fill)
    code, output, errors = run(capfd, *words, "--json")
    assert (code, json.loads(output)["output"]) == (2, "a.npz")
    assert states(errors, "write", "'a.figures.json'", "No space left on device")
    assert Path("a.figures.json").read_bytes() == before
    assert {path.name for path in Path().iterdir()} == {"a.npz", "a.figures.json", "a.svg"}


def test_an_interrupt_stops_after_the_current_iteration(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    calls, run_solver = [], Solver.run

    def interrupted(self: Solver, iterations: int) -> None:
        calls.append(iterations)
        if len(calls) == 25:  # the first call compiles and is not counted
            signal.raise_signal(signal.SIGINT)
        run_solver(self, iterations)

    monkeypatch.setattr(Solver, "run", interrupted)
    try:
        code, output, errors = run(capfd, "solve", "--scenario", "tiny-2", "--target", 0, "--json")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, handler)
    assert code == 130
    assert len(lines_stating(errors, "mascarade", "interrupted")) == errors.count("\n") == 2
    found = json.loads(output)
    assert found["iterations"] == 24
    game = build("tiny-2")
    solver = Solver(game.tree)
    run_solver(solver, 24)
    saved = SavedPolicy.load(found["output"])
    assert saved.on(game) == pytest.approx(solver.average(), abs=1e-6)
    assert Path(found["plot"]).exists()


# A program that prints a line in the middle of the work.
PROGRAM = """
import sys
from mascarade_env.cli import main
from mascarade_env.exact import Solver

ran = Solver.run

def run(self, iterations):
    ran(self, iterations)
    if self.iterations == 40:
        print("begun", file=sys.stderr, flush=True)

Solver.run = run
sys.exit(main(sys.argv[1:]))
"""


def test_interrupts_of_the_process_lose_no_result() -> None:
    words = ["solve", "--scenario", "tiny-2", "--target", "0", "--iterations", str(10**9)]
    root = str(Path(__file__).parents[3])
    with subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r}){PROGRAM}", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Processes that a shell starts in the background ignore interrupts; so would this one.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  no threads
    ) as process:
        assert process.stderr is not None
        while process.stderr.readline() != "begun\n":
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        notice = process.stderr.readline()
        for _ in range(2):  # while it is saving
            process.send_signal(signal.SIGINT)
            time.sleep(0.004)
        output, errors = process.communicate(timeout=LONG)
    assert process.returncode == 130
    assert states(notice, "mascarade", "interrupted")
    assert len(lines_stating(errors, "mascarade", "interrupted")) == errors.count("\n") == 1
    assert "runs/exact/tiny-2-cfr+.npz" in output
    assert SavedPolicy.load("runs/exact/tiny-2-cfr+.npz").about["iterations"] >= 40
    assert Path("runs/exact/tiny-2-cfr+.svg").exists()
