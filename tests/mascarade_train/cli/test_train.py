"""`mascarade train`, called as a user calls it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mascarade_agents._registry import make_agent
from mascarade_env import Game, MascaradeError, scenarios
from mascarade_env.cli import main
from mascarade_train._policy_file import PolicyFile
from mascarade_train._run import checkpoints, start
from mascarade_train._run.resume import settings_of
from mascarade_train._settings import PRESETS, Settings, checked, preset
from tests.messages import facts, lines_stating, states

SMALL = (
    "--games", 8, "--steps", 16, "--epochs", 1, "--minibatches", 2, "--layers", 8, "--events", 2,
    "--embedding", 2, "--evaluation", 8,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(capfd: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["train", *map(str, words)])
    output, errors = capfd.readouterr()
    return code, output, errors


def told(capfd: pytest.CaptureFixture[str], *words: object) -> str:
    code, output, errors = run(capfd, *words)
    assert (code, errors) == (0, "")
    return output


def log_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]


def test_a_run_leaves_what_it_tells_of(capfd: pytest.CaptureFixture[str]) -> None:
    words = ("--scenario", "4A", "--decisions", 500, "--evaluate-every", 200, "--rungs", "honest")
    output = told(capfd, *words, "--name", "mine", "--league", 0.5, *SMALL)
    folder = Path("runs/mine")
    lines = output.splitlines()
    assert states(lines[0], "4A", "1 x 8 games", "runs/mine")
    # The files that it lists exist, and no others.
    files = {path.name for path in folder.iterdir()}
    curves = {name for name in files if name.startswith("events.out.tfevents.")}
    assert len(curves) == 1
    assert files - curves == {
        "policy.npz", "checkpoint.pt", "settings.json", "log.jsonl", "game.html", "game.jsonl",
        "untrained.npz",
    }  # fmt: skip
    for name in files - curves - {"untrained.npz"}:
        assert name in output
    assert "events.out.tfevents.*" in output
    log = log_of(folder)
    assert all(line["decisions"] >= 200 for line in log)
    assert len(log) >= 2
    assert set(log[0]) == {"decisions", "seconds", "alone"}
    assert log[0]["alone"]["honest"]["games"] == 8
    settings = json.loads((folder / "settings.json").read_text("utf-8"))
    assert (settings["scenario"], settings["league"], settings["layers"]) == (["4A"], 0.5, [8])
    # The figures on the screen are on the card.
    card = PolicyFile.load(folder).card
    alone = card["scores"]["trained"]["alone among copies of"]["honest"]
    row = next(line for line in lines if line.strip().startswith("honest"))
    assert f"{alone['mean']:.1%}" in row
    assert f"{card['scores']['untrained']['alone among copies of']['honest']['mean']:.1%}" in row
    assert card["provenance"]["settings"] == settings
    assert states(output, f"{card['provenance']['decisions']:,} decisions")
    assert card["scores"]["trained"]["NashConv"] is None
    assert "NashConv" not in output
    # The commands that it suggests work.
    four = scenarios()["4A"]
    game = Game("4A", seed=0)
    agent = make_agent(f"net:{folder}", four)
    game.play(agent.act(game.view(), np.random.default_rng(0)))
    assert "mascarade arena --scenario 4A --agents net:runs/mine,stopper" in output
    assert "mascarade play --scenario 4A --opponents net:runs/mine" in output
    assert (
        main(["arena", "--scenario", "4A", "--agents", "net:runs/mine,random", "--games", "8"]) == 0
    )


def test_a_run_goes_on_with_its_settings(capfd: pytest.CaptureFixture[str]) -> None:
    """A run of a game whose whole tree is known."""
    told(capfd, "--scenario", "tiny-2", "--rungs", "--decisions", 200, "--seed", 4, *SMALL)
    folder = Path("runs/ppo-tiny-2")
    first = checkpoints.load(folder)["decisions"]
    output = told(capfd, "--resume", folder, "--decisions", 500)
    assert states(output, "runs/ppo-tiny-2", "NashConv")
    saved = checkpoints.load(folder)
    assert saved["decisions"] >= 500 > first
    assert len(log_of(folder)) == 2
    assert all(0 < line["nash_conv"] < 1 for line in log_of(folder))
    found = settings_of(folder)
    assert (found.scenario, found.seed, found.decisions) == (("tiny-2",), 4, 500)
    assert [path.name for path in Path("runs").iterdir()] == ["ppo-tiny-2"]
    # The checkpoint alone is enough to resume.
    untrained = (folder / "untrained.npz").read_bytes()
    for file in folder.iterdir():
        if file.name != checkpoints.NAME:
            file.unlink()
    told(capfd, "--resume", folder, "--decisions", 500)
    kept = PolicyFile.load(folder / "untrained.npz").arrays
    (folder / "before.npz").write_bytes(untrained)
    for name, array in PolicyFile.load(folder / "before.npz").arrays.items():
        np.testing.assert_array_equal(array, kept[name])
    # A complete run reports again, and learns nothing.
    again = told(capfd, "--resume", folder)
    assert states(again, f"{saved['decisions']:,} decisions", "--decisions 1000")
    assert checkpoints.load(folder)["decisions"] == saved["decisions"]
    told(capfd, "--scenario", "tiny-2", "--rungs", "--decisions", 100, *SMALL)
    assert Path("runs/ppo-tiny-2-2").is_dir()


def test_a_run_that_began_with_a_policy_tells_of_that(capfd: pytest.CaptureFixture[str]) -> None:
    """Also when it is resumed from its checkpoint alone."""
    told(capfd, "--scenario", "tiny-2", "--rungs", "--decisions", 200, "--name", "first", *SMALL)
    words = ("--start", "runs/first", "--name", "second", "--decisions", 200)
    output = told(capfd, "--scenario", "tiny-2", "--rungs", *words, *SMALL)
    assert lines_stating(output, "at first", "trained")
    first = PolicyFile.load("runs/first").arrays
    for more in (200, 400):
        kept = PolicyFile.load("runs/second/untrained.npz").arrays
        assert all(np.array_equal(array, first[name]) for name, array in kept.items())
        Path("runs/second/untrained.npz").unlink()
        told(capfd, "--resume", "runs/second", "--decisions", more)
    assert Path("runs/second/untrained.npz").exists()


# Settings


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """The settings with which runs would start."""
    found: list[Settings] = []
    monkeypatch.setattr(start, "start", found.append)
    return found


def test_presets_set_what_is_not_given(
    capfd: pytest.CaptureFixture[str], given: list[Settings]
) -> None:
    told(capfd)
    told(capfd, "--preset", "naive-2")
    told(capfd, "--preset=6A", "--games", 7, "--layers", 3, 4)
    told(capfd, "--decisions", 9, "--preset", "quick")
    assert given == [
        Settings(),
        preset("naive-2"),
        replace(preset("6A"), games=7, layers=(3, 4)),
        replace(preset("quick"), decisions=9),
    ]
    assert (given[1].entropy, given[1].previous, given[1].scenario) == (0, 0, ("small-2",))


def test_a_start_that_is_not_there_is_told_with_the_preset_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(
        MascaradeError, match=facts("read", "ppo-6A", "--start", "mascarade train --preset 6A")
    ):
        checked(replace(preset("6A"), start=tmp_path / "ppo-6A"))


def test_the_help_shows_the_defaults_of_a_preset(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["train", "--preset", "padded", "--help"])
    assert ended.value.code == 0
    output = capfd.readouterr().out
    assert "1152" in output
    for name in PRESETS:
        assert name in output


BAD: list[tuple[tuple[object, ...], list[object]]] = [
    (("--preset", "quik"), ["preset", "'quik'", "'quick'"]),
    (("--resume", "nowhere"), ["read", "'nowhere'", "No such file"]),
    (("--resume", "."), ["read", "'checkpoint.pt'", "No such file"]),
    (("--resume", "x", "--preset", "6A"), ["leave --preset out"]),
    (("--scenario", "99Z"), ["scenario", "'99Z'", "4A"]),
    (("--scenario", "no.json"), ["scenario file", "no.json", "No such file"]),
    (("--scenario", "4A", "6A"), ["--scenario", "--padded"]),
    (("--scenario", "void.json"), ["void", "limit", 'at_limit="richest"']),
    (("--padded", "--scenario", "4A", "6A", "--games", 1), ["--games 1", "--scenario"]),
    (("--decisions", 0), ["--decisions", 1, 0]),
    (("--minutes", "nan"), ["--minutes", 0, "nan"]),
    (("--minutes", -1), ["--minutes", 0, "-1.0"]),
    (("--seed", -1), ["--seed", 0, -1]),
    (("--seed", 2**64), ["--seed", 2**64]),
    (("--processes", 0), ["--processes", 1, 0]),
    (("--minibatches", 0), ["--minibatches", 1, 0]),
    (("--learning-rate", 0), ["--learning-rate", 0, "0.0"]),
    (("--learning-rate", "inf"), ["--learning-rate", 0, "inf"]),
    (("--entropy", "nan"), ["--entropy", 0, "nan"]),
    (("--trace", 1.5), ["--trace", 0, 1, 1.5]),
    (("--start", "nothing"), ["read", "'nothing'", "--start", "--preset"]),
    (("--average", 0), ["--average", 0, "0.0"]),
    (("--layers", 0), ["--layers", 1, 0]),
    (("--layers",), ["--layers", "one width"]),
    (("--events", 33), ["--events", 32, 33]),
    (("--evaluation", 1), ["--evaluation", 2, 1]),
    (("--most-worlds", 1), ["--most-worlds", 2, 1]),
    (("--rungs", "nobody"), ["agent", "'nobody'", "honest"]),
    (("--league-agents", "stopper"), ["--league-agents", "--league"]),
    (("--league", 0.5, "--league-agents", "released:6A"), ["learned 6A", "not 4A"]),
    (
        ("--league", 1, "--league-agents", "stopper", "--track", "belief"),
        ["stopper", '"both"', '"belief"'],
    ),
    (("--teacher", "stoper"), ["agent", "'stoper'", "'stopper'"]),
    (("--teacher", "ismcts:5"), ["ismcts:5", "probabilities", "teach"]),
    (("--teacher", "stopper", "--track", "belief"), ["stopper", '"both"', '"belief"']),
    (("--teacher", "stopper", "--teaching", 0), ["--teaching 0", "--teacher"]),
    (("--teaching", -0.1), ["--teaching", 0, 1, -0.1]),
    (("--league", 2), ["--league", 0, 1, "2.0"]),
    (("--name", "a/b"), ["--name", "--folder", "'a/b'"]),
    (("--folder", "void.json"), ["write", "void.json"]),
]


@pytest.mark.parametrize(("words", "why"), BAD, ids=[" ".join(map(str, words)) for words, _ in BAD])
def test_what_cannot_be_done_is_told_in_a_line(
    capfd: pytest.CaptureFixture[str], words: tuple[object, ...], why: list[object]
) -> None:
    masks = list(scenarios()["tiny-2"].masks)
    void = {"players": 2, "masks": masks, "strict": False, "turn_limit": 4, "opening_turns": 2}
    Path("void.json").write_text(json.dumps(void))
    code, output, errors = run(capfd, *words)
    assert (code, output) == (2, "")
    assert errors.startswith("mascarade: ")
    assert errors.count("\n") == 1
    assert states(errors, *why)
    assert [path.name for path in Path().iterdir()] == ["void.json"]


def test_what_is_no_number_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    for words in (("--games", "many"), ("--critic", "table"), ("--gmaes", 3), ("--preset",)):
        with pytest.raises(SystemExit) as ended:
            run(capfd, *words)
        assert ended.value.code == 2
        output, errors = capfd.readouterr()
        assert str(words[0]) in output + errors
    assert list(Path().iterdir()) == []


def test_a_checkpoint_that_is_none_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    Path("run").mkdir()
    Path("run/checkpoint.pt").write_bytes(b"PK\3\4 and no more")
    code, _, errors = run(capfd, "--resume", "run")
    assert (code, errors.count("\n")) == (2, 1)
    assert states(errors, "'run/checkpoint.pt'", "checkpoint", "beginning", "another")
    assert [path.name for path in Path("run").iterdir()] == ["checkpoint.pt"]


# In separate processes

WITHOUT_TORCH = """
import contextlib, sys
from mascarade_env.cli import main

with contextlib.suppress(SystemExit):
    main(["--help"])
assert not any(name.split(".")[0] == "torch" for name in sys.modules), "it takes a second to load"
sys.modules["torch"] = None
with contextlib.suppress(SystemExit):
    main(["--help"])
sys.exit(main(["train", "--preset", "quick"]))
"""


def test_without_torch_other_commands_work() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout.count("Train a network by self-play and report") == 2
    assert done.stderr.startswith("mascarade: ")
    assert states(done.stderr, "`mascarade train`", "pip install 'mascarade-env[train]'")
    assert done.stderr.count("\n") == 1
    assert not Path("runs").exists()


COMMAND = "import sys; from mascarade_env.cli import main; sys.exit(main(sys.argv[1:]))"


@contextmanager
def started(program: str, *words: object) -> Iterator[subprocess.Popen[str]]:
    """Start the command in another process, and end all that it starts."""
    with subprocess.Popen(
        [sys.executable, "-c", program, "train", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # Shells start background jobs with interrupts ignored, nohup with hangups ignored.
        preexec_fn=lambda: [  # noqa: PLW1509  no threads
            signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)
        ],
    ) as process:
        try:
            yield process
        finally:  # so that a failing test leaves no process
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_an_interrupt_keeps_what_was_learned(
    capfd: pytest.CaptureFixture[str], processes: int
) -> None:
    """A terminal sends it to all processes."""
    words = ("--scenario", "4A", "--decisions", 10**9, "--rungs", "--processes", processes)
    with started(COMMAND, *words, *SMALL) as process:
        assert process.stdout is not None
        line = ""
        while "entropy" not in line:  # the first figures
            line = process.stdout.readline()
            assert line or process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    assert "Traceback" not in output
    assert states(output, "decisions", "runs/ppo-4A")
    saved = checkpoints.load(Path("runs/ppo-4A"))
    assert 0 < saved["decisions"] < 10**9
    assert len(saved["processes"]) == processes
    card = PolicyFile.load("runs/ppo-4A").card
    assert card["provenance"]["decisions"] == saved["decisions"]
    assert "trained" in card["scores"]
    if processes == 2:
        before = {path.name: path.read_bytes() for path in Path("runs/ppo-4A").iterdir()}
        code, _, errors = run(capfd, "--resume", "runs/ppo-4A", "--processes", 1)
        assert code == 2
        assert states(errors, "mascarade", "2 processes", 1, "--processes 2")
        assert {path.name: path.read_bytes() for path in Path("runs/ppo-4A").iterdir()} == before


def first_figures(process: "subprocess.Popen[str]") -> None:
    """Wait until the first figures appear."""
    assert process.stdout is not None
    line = ""
    while "entropy" not in line:
        line = process.stdout.readline()
        assert line or process.poll() is None


def await_the_end(group: int) -> None:
    """Wait until no process of a group is left."""
    for _ in range(600):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a process is left")


@pytest.mark.parametrize(
    ("processes", "number"),
    [
        (1, signal.SIGTERM),
        pytest.param(1, signal.SIGHUP, marks=pytest.mark.slow),
        pytest.param(2, signal.SIGTERM, marks=pytest.mark.slow),
    ],
)
def test_a_signal_to_end_saves_what_was_learned(processes: int, number: signal.Signals) -> None:
    """`kill` or a job scheduler sends it to the started process alone."""
    words = ("--scenario", "4A", "--decisions", 10**9, "--rungs", "--processes", processes)
    with started(COMMAND, *words, *SMALL) as process:
        first_figures(process)
        os.kill(process.pid, number)
        output, _ = process.communicate(
            timeout=120
        )  # returns when all its processes have closed the pipe
        await_the_end(process.pid)
    assert process.returncode == 128 + number, output
    assert "Traceback" not in output
    assert f"Saved after {number.name}. Resume: " in output
    assert "train --resume runs/ppo-4A" in output
    folder = Path("runs/ppo-4A")
    saved = checkpoints.load(folder)
    assert 0 < saved["decisions"] < 10**9
    assert len(saved["processes"]) == processes
    assert PolicyFile.load(folder).card["provenance"]["decisions"] == saved["decisions"]
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.slow
def test_a_run_that_ignores_sighup_continues() -> None:
    """The same as under nohup."""
    program = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + COMMAND
    with started(program, "--scenario", "4A", "--decisions", 10**9, "--rungs", *SMALL) as process:
        first_figures(process)
        os.kill(process.pid, signal.SIGHUP)
        first_figures(process)


@pytest.mark.slow
def test_one_run_at_a_time_writes_a_folder(capfd: pytest.CaptureFixture[str]) -> None:
    words = ("--scenario", "4A", "--decisions", 10**9, "--rungs", "--evaluate-every", 1)
    folder = Path("runs/ppo-4A")
    with started(COMMAND, *words, *SMALL) as process:
        first_figures(process)
        while not (folder / checkpoints.NAME).exists():
            assert process.poll() is None
        code, _, errors = run(capfd, "--resume", folder, "--decisions", 10**9)
        assert (code, errors) == (
            2,
            f"mascarade: another run is writing '{folder}' (process {process.pid}): wait until it "
            "ends, or name another output\n",
        )
        process.kill()
        process.wait()
    decisions = checkpoints.load(folder)["decisions"]
    told(capfd, "--resume", folder, "--decisions", decisions + 1)  # the lock ended with its process
    assert not (folder / ".lock").exists()


# Ends like a power cut while the third checkpoint is written.
CUT = """
import io, os, signal, sys
import torch
from mascarade_env.cli import main

write, times = torch.save, []

def save(state, file):
    times.append(state)
    if len(times) < 3:
        return write(state, file)
    whole = io.BytesIO()
    write(state, whole)
    file.write(whole.getvalue()[:5000])
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)

torch.save = save
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
def test_a_kill_leaves_the_last_checkpoint(capfd: pytest.CaptureFixture[str]) -> None:
    words = ("--scenario", "4A", "--decisions", 900, "--evaluate-every", 200, "--rungs")
    with started(CUT, *words, *SMALL) as process:
        output, _ = process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL, output
    folder = Path("runs/ppo-4A")
    saved = checkpoints.load(folder)
    assert 400 <= saved["decisions"] < 800
    assert len(log_of(folder)) == 2
    assert PolicyFile.load(folder).card["provenance"]["decisions"] == saved["decisions"]
    output = told(capfd, "--resume", folder)
    assert states(output, "decisions", "runs/ppo-4A")
    assert checkpoints.load(folder)["decisions"] >= 900
    decisions = [line["decisions"] for line in log_of(folder)]
    assert decisions == sorted(set(decisions))
    assert len(decisions) >= 4
