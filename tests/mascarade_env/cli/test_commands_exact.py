"""`mascarade tree` and `mascarade solve`, run as a user runs them."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mascarade_env.core import _jit
from mascarade_env.core.scenarios import scenarios
from mascarade_env.exact import SavedPolicy, Solver, build, load_tree, nash_conv
from tests.mascarade_env.cli.test_commands import run


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # What is compiled at first use is told on stderr.
    monkeypatch.setattr(_jit, "PATIENCE", 1e6)


def told(capfd: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    code, output, errors = run(capfd, *words, "--json")
    assert (code, errors) == (0, "")
    found: dict[str, Any] = json.loads(output)
    return found


def own_scenario(folder: Path, **changes: Any) -> Path:
    file = folder / "own.json"
    file.write_text(json.dumps({**scenarios()["tiny-2"].to_dict(), "name": "my game", **changes}))
    return file


# mascarade tree


def test_tree_tells_its_size(capfd: pytest.CaptureFixture[str]) -> None:
    found = told(capfd, "tree", "--scenario", "tiny-2")
    assert found.pop("seconds") >= 0
    assert found.pop("bytes") > 4 * 2240
    assert found == {
        "scenario": "tiny-2",
        "nodes": 2240,
        "decisions": 852,
        "terminals": 1388,
        "states": 426,
        "states_of": [207, 219],
        "options": 1067,
        "depth": 8,
    }
    code, output, _ = run(capfd, "tree", "--scenario", "tiny-2")
    assert code == 0
    lines = [" ".join(line.split()) for line in output.splitlines()]
    for line in ("nodes 2,240", "at which the game is over 1,388", "of player 1 219"):
        assert line in lines


def test_tree_is_saved(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "tiny.npz"
    code, output, _ = run(capfd, "tree", "--scenario", "tiny-2", "--out", file)
    assert code == 0
    assert f"the tree is in {file}" in output
    assert load_tree(file).tree.nodes == 2240
    found = told(capfd, "solve", "--tree", file, "--iterations", 5)
    assert (found["scenario"], found["iterations"]) == ("tiny-2", 5)
    code, _, errors = run(capfd, "solve", "--tree", file, "--scenario", "small-2")
    assert code == 2
    assert "holds the tree of tiny-2, not of the scenario small-2" in errors


def test_a_scenario_of_ones_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = own_scenario(tmp_path, turn_limit=3)
    assert told(capfd, "tree", "--scenario", file)["nodes"] == 287
    found = told(capfd, "solve", "--scenario", file, "--iterations", 3)
    assert found["output"] == str(Path("runs/exact/my_game-cfr+.npz"))
    assert SavedPolicy.load(found["output"]).scenario.name == "my game"


@pytest.mark.parametrize("command", ["tree", "solve"])
@pytest.mark.parametrize(
    ("scenario", "why"),
    [
        ("6A", "6A has no turn_limit, so its tree has no end"),
        ("tiny-3", "unknown scenario 'tiny-3'"),
    ],
)
def test_scenarios_that_have_no_tree(
    command: str, scenario: str, why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code, output, errors = run(capfd, command, "--scenario", scenario)
    assert (code, output) == (2, "")
    assert why in errors
    assert not Path("runs").exists()


# mascarade solve


def test_solve_saves_a_policy_its_figures_and_a_plot(capfd: pytest.CaptureFixture[str]) -> None:
    found = told(capfd, "solve", "--scenario", "tiny-2", "--target", 0.02)
    assert found["nash_conv"] <= 0.02
    assert found["points"][-1]["nash_conv"] == found["nash_conv"]
    assert found["output"] == str(Path("runs/exact/tiny-2-cfr+.npz"))
    policy = SavedPolicy.load(found["output"])
    assert policy.about["algorithm"] == "cfr+"
    assert policy.about["iterations"] == found["iterations"]
    game = build("tiny-2")
    assert nash_conv(game.tree, policy.on(game)).nash_conv == pytest.approx(
        found["nash_conv"], abs=1e-6
    )
    kept = json.loads(Path("runs/exact/tiny-2-cfr+.json").read_text("utf-8"))
    assert kept == {key: value for key, value in found.items() if key != "plot"}
    picture = Path(found["plot"]).read_text("utf-8")
    assert "NashConv of tiny-2 by cfr+" in picture


def test_solve_says_what_it_found_and_how_to_go_on(capfd: pytest.CaptureFixture[str]) -> None:
    words = ("--algorithm", "dcfr", "--iterations", 20, "--out", "a b.npz", "--plot", "c.png")
    code, output, errors = run(capfd, "solve", "--scenario", "tiny-2", *words)
    assert (code, errors) == (0, "")
    assert "That is not yet the target of 0.001." in output
    assert "  mascarade nashconv --agent tabular:'a b.npz' --scenario tiny-2" in output
    assert "promise" not in output
    assert Path("c.png").read_bytes().startswith(b"\x89PNG")
    assert {path.name for path in Path().iterdir()} == {"a b.npz", "a b.json", "c.png"}


def test_more_than_two_players_are_promised_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = own_scenario(tmp_path, players=3, opening_turns=1, turn_limit=2)
    code, output, _ = run(capfd, "solve", "--scenario", file, "--iterations", 2)
    assert code == 0
    assert "NashConv is measured, not promised" in output
    assert f"tabular:runs/exact/my_game-cfr+.npz --scenario {file}\n" in output


def test_without_matplotlib_all_but_the_plot_is_made(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, output, errors = run(capfd, "solve", "--scenario", "tiny-2", "--iterations", 2)
    assert code == 0
    assert "pip install 'mascarade-env[plot]'" in errors
    assert "its plot" not in output
    assert {path.suffix for path in Path("runs/exact").iterdir()} == {".npz", ".json"}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--algorithm", "cfr++"), "unknown algorithm 'cfr++'; did you mean 'cfr+'?"),
        (("--iterations", 0), "--iterations is 1 or more, not 0"),
        (("--target", -1), "--target is a NashConv of 0 or more"),
        (("--out", "a.json"), "--out is a file whose name ends in .npz, not 'a.json'"),
        (("--plot", "a.gif"), "a plot is a file whose name ends in .svg or .png"),
        (("--tree", "none.npz"), "cannot read 'none.npz': No such file"),
        (("--out", "file/a.npz"), "cannot write 'file/a.npz': "),
    ],
)
def test_what_cannot_be_is_refused(
    words: tuple[object, ...], why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("file").touch()
    scenario = () if "--tree" in words else ("--scenario", "tiny-2")
    code, output, errors = run(capfd, "solve", *scenario, *words)
    assert (code, output) == (2, "")
    assert why in errors
    assert [path.name for path in Path().iterdir()] == ["file"]


def test_an_interrupt_ends_it_after_the_iteration(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    made, ran = [], Solver.run

    def interrupted(self: Solver, iterations: int) -> None:
        made.append(iterations)
        if len(made) == 25:  # the first is not of the course: it compiles
            signal.raise_signal(signal.SIGINT)
        ran(self, iterations)

    monkeypatch.setattr(Solver, "run", interrupted)
    try:
        code, output, errors = run(capfd, "solve", "--scenario", "tiny-2", "--target", 0, "--json")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, handler)
    assert (code, errors) == (130, "mascarade: interrupted\n")
    found = json.loads(output)
    assert found["iterations"] == 24
    game = build("tiny-2")
    solver = Solver(game.tree)
    ran(solver, 24)
    saved = SavedPolicy.load(found["output"])
    assert saved.on(game) == pytest.approx(solver.average(), abs=1e-6)
    assert Path(found["plot"]).exists()


# Says when it is in the middle of it.
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


def test_an_interrupt_from_outside_loses_nothing() -> None:
    words = ["solve", "--scenario", "tiny-2", "--target", "0", "--iterations", str(10**9)]
    root = str(Path(__file__).parents[3])
    with subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r}){PROGRAM}", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell starts what runs in the background with interrupts ignored, and so all it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  no threads
    ) as process:
        assert process.stderr is not None
        while process.stderr.readline() != "begun\n":
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert errors.endswith("mascarade: interrupted\n")
    assert "The policy is in" in output
    assert SavedPolicy.load("runs/exact/tiny-2-cfr+.npz").about["iterations"] >= 40
