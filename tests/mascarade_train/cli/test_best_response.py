"""`mascarade best-response`, called as a user calls it."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from mascarade_env import scenarios
from mascarade_env.cli import main
from mascarade_train._agents import NetAgent
from mascarade_train._evaluation import alone_among
from mascarade_train._run import checkpoints
from tests.messages import states

QUICK = (
    *("--agent", "random", "--scenario", "tiny-2", "--decisions", "300", "--batch", "128"),
    *("--games", "64", "--selection", "20", "--evaluation", "200", "--layers", "32"),
)


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the command by its name, and work in an empty folder."""
    about = tmp_path / "site" / "odd-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[mascarade.commands]\n"
        "best-response = mascarade_train._cli.best_response:best_response_with\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def test_it_tells_what_is_gained_at_least(capfd: pytest.CaptureFixture[str]) -> None:
    code = main(["best-response", *QUICK, "--out", "new/found.json", "--save-policy", "it.npz"])
    output, errors = capfd.readouterr()
    assert (code, errors) == (0, "")
    found = json.loads(Path("new/found.json").read_text())
    low, gain = 100 * found["interval"][0], 100 * found["gain"]
    assert states(output, f"{gain:.1f} points", "95% interval", f"{low:.1f}")
    least = f"at least {low:.1f}" if low > 0 else "no gain"
    assert states(output, least)
    assert states(output, "200 games", "tiny-2", "50.0%")
    assert states(found["calibration"], "not calibrated", "--decisions", 300)
    assert found["calibration"] in output
    assert found["settings"]["layers"] == [32]
    # The saved response has the reported win share, up to sampling error.
    response = NetAgent(scenarios()["tiny-2"], "it.npz")
    again = alone_among(response, "random", "tiny-2", games=2000, seed=3)
    wide = again.high - again.low + found["share"]["high"] - found["share"]["low"]
    assert abs(again.mean - found["share"]["mean"]) < wide
    assert [path.name for path in Path("runs").iterdir()] == ["response-tiny-2"]
    assert [path.name for path in Path("runs/response-tiny-2").iterdir()] == [checkpoints.NAME]
    before = Path("it.npz").read_bytes()
    words = ("--agent", "net:it.npz", "--save-policy", "it.npz")
    assert main(["best-response", *QUICK, *words]) == 2
    assert states(capfd.readouterr().err, "--save-policy", "overwrite", "'it.npz'", "read")
    assert Path("it.npz").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--out", "found.txt"], ["--out", ".json", "'found.txt'"]),
        (["--save-policy", "it.pt"], ["--save-policy", ".npz", "'it.pt'"]),
        (["--batch", "0"], ["--batch", 1, 0]),
        (["--agent", "ismcts:none"], ["simulations", "'none'"]),
        (["--agent", "net:nothing.npz"], ["read", "'nothing.npz'", "No such file"]),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_played(
    capfd: pytest.CaptureFixture[str], words: list[str], why: list[object]
) -> None:
    assert main(["best-response", *QUICK, *words]) == 2
    output, errors = capfd.readouterr()
    assert output == ""
    assert errors.startswith("mascarade: ")
    assert states(errors, *why)
    assert not list(Path.cwd().iterdir())


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("raise ValueError('no idea')", ["failed", "ValueError: no idea"]),
        ("raise SystemExit('enough')", ["failed", "SystemExit: enough"]),
        ("return positions.masks.argmin(axis=1)", ["player", "illegal action", "legal"]),
        ("return positions.masks", ["one action id", "shape"]),
    ],
)
def test_an_agent_that_fails_is_named_with_its_fault(
    capfd: pytest.CaptureFixture[str], answer: str, why: list[object]
) -> None:
    """The error names the agent, instead of a traceback or an error without a name."""
    Path("mine.py").write_text(
        "from mascarade_agents import Agent\n"
        "class Bad(Agent):\n"
        f"    def act_batch(self, positions, rng):\n        {answer}\n"
    )
    assert main(["best-response", *QUICK, "--agent", "mine.py:Bad"]) == 2
    errors = capfd.readouterr().err
    assert errors.count("\n") == 1
    assert states(errors, "mascarade: ", "'mine.py:Bad'", *why)


LONG = (
    *("--agent", "random", "--scenario", "tiny-2", "--decisions", "4000", "--batch", "64"),
    *("--games", "16", "--selection", "20", "--evaluation", "40", "--layers", "16"),
)


def begun(*words: str) -> "subprocess.Popen[str]":
    """Start the command in another process, and wait until it has saved something."""
    program = (
        "import sys; from mascarade_train._cli.best_response import best_response_with as made\n"
        "import tyro; tyro.cli(made(sys.argv[1:]))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    while "wins" not in process.stdout.readline():  # the first figures
        assert process.poll() is None
    return process


def result(file: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(file).read_text())
    del found["seconds"]
    return found


@pytest.mark.slow
def test_a_kill_at_any_moment_changes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["best-response", *LONG, "--out", "whole.json", "--name", "whole"]) == 0
    process = begun(*LONG, "--name", "cut", "--out", "never.json")
    time.sleep(random.Random(time.time_ns()).random())
    process.kill()
    process.communicate()
    Path("runs/cut/.1-checkpoint.pt").touch()  # `making` leaves this when it is killed
    words = ("--agent", "random", "--resume", "runs/cut", "--out", "cut.json")
    assert main(["best-response", *words]) == 0
    assert capfd.readouterr().err == ""
    assert result("cut.json") == result("whole.json")
    assert not Path("never.json").exists()
    assert sorted(path.name for path in Path("runs/cut").iterdir()) == [checkpoints.NAME]


@pytest.mark.slow
def test_a_signal_to_end_saves_and_the_folder_is_locked_until_then(
    capfd: pytest.CaptureFixture[str],
) -> None:
    process = begun(*(word.replace("4000", "1000000") for word in LONG), "--name", "cut")
    words = ("best-response", "--agent", "random", "--resume", "runs/cut")
    assert main(list(words)) == 2
    assert capfd.readouterr().err == (
        f"mascarade: another run is writing 'runs/cut' (process {process.pid}): wait until it "
        "ends, or name another output\n"
    )
    os.kill(process.pid, signal.SIGTERM)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 128 + signal.SIGTERM, output
    assert "Saved after SIGTERM. Resume: " in output
    assert "best-response --agent random --resume runs/cut" in output
    assert "Traceback" not in output
    assert [path.name for path in Path("runs/cut").iterdir()] == [checkpoints.NAME]
    assert main([*words, "--agent", "honest"]) == 2
    assert "has the agent random, not honest" in capfd.readouterr().err
    assert main(["best-response", "--agent", "random", "--resume", "runs/none"]) == 2
    assert "cannot read 'runs/none'" in capfd.readouterr().err
