"""`mascarade tree` and `mascarade solve`, run as a user runs them."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from mascarade_env.cli import _progress as progress
from mascarade_env.cli._solve import Algorithm
from mascarade_env.exact import (
    RULES,
    GameTree,
    SavedPolicy,
    build,
    load_tree,
    nash_conv,
)
from mascarade_env.game._scenarios import Scenario, scenarios
from tests.mascarade_env.cli.test_commands import run
from tests.messages import lines_stating, states


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        progress, "_SECONDS_A_LINE", 1e6
    )  # no progress on stderr, however slow the machine


def report(capfd: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    """Return the JSON that a command prints."""
    code, output, errors = run(capfd, *words, "--json")
    assert (code, errors) == (0, "")
    figures: dict[str, Any] = json.loads(output)
    return figures


def own_scenario(folder: Path, **changes: Any) -> Path:
    file = folder / "own.json"
    file.write_text(json.dumps({**scenarios()["tiny-2"].to_dict(), "name": "my game", **changes}))
    return file


# mascarade tree


def test_tree_reports_its_size(capfd: pytest.CaptureFixture[str]) -> None:
    figures = report(capfd, "tree", "--scenario", "tiny-2")
    assert figures.pop("seconds") >= 0
    assert figures.pop("bytes") > 4 * 2240
    assert figures == {
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
    for what, size in (("nodes", "2,240"), ("over", "1,388"), ("player 1", "219")):
        assert lines_stating(output, what, size)


def test_tree_is_saved(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "tiny.npz"
    code, output, _ = run(capfd, "tree", "--scenario", "tiny-2", "--out", file)
    assert code == 0
    assert states(output, file)
    assert load_tree(file).tree.nodes == 2240
    figures = report(capfd, "solve", "--tree", file, "--iterations", 5)
    assert (figures["scenario"], figures["iterations"]) == ("tiny-2", 5)
    code, _, errors = run(capfd, "solve", "--tree", file, "--scenario", "small-2")
    assert code == 2
    assert states(errors, file, "tiny-2", "small-2")


def test_a_scenario_from_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = own_scenario(tmp_path, turn_limit=3)
    assert report(capfd, "tree", "--scenario", file)["nodes"] == 287
    figures = report(capfd, "solve", "--scenario", file, "--iterations", 3)
    assert figures["output"] == str(Path("runs/exact/my_game-cfr+.npz"))
    assert SavedPolicy.load(figures["output"]).scenario.name == "my game"


def test_names_command_neither_terminal_nor_markup(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = own_scenario(tmp_path, turn_limit=2, name="a [/b] $c :fox:\x1b[31m\n")
    shown = r"a [/b] $c :fox:\x1b[31m\n"
    monkeypatch.setenv("COLUMNS", "80")
    code, output, errors = run(capfd, "tree", "--scenario", file, "--out", "t.npz")
    assert (code, errors) == (0, "")
    assert shown in [line.strip() for line in output.splitlines()]
    code, output, errors = run(capfd, "solve", "--scenario", file, "--iterations", 1)
    assert (code, errors) == (0, "")
    (picture,) = Path("runs/exact").glob("*.svg")
    assert states(picture.read_text("utf-8"), "NashConv", shown, "cfr+")
    code, output, errors = run(capfd, "solve", "--tree", "t.npz", "--scenario", "tiny-2")
    assert code == 2
    assert states(errors, "t.npz", shown, "tiny-2")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    code, output, errors = run(capfd, "tree", "--scenario", file, "--json")
    assert code == 0
    assert shown in errors


def test_a_terminal_shows_progress(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "80")
    code, _, errors = run(capfd, "solve", "--scenario", "tiny-2", "--iterations", 3, "--json")
    assert code == 0
    assert states(errors, "tiny-2", "2,240 nodes")
    assert states(errors, "3 of 3 iterations", "NashConv")


@pytest.mark.parametrize("name", ["t.tree", "t", "t.json"])
def test_a_tree_is_saved_only_as_npz(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, output, errors = run(capfd, "tree", "--scenario", "tiny-2", "--out", name)
    assert (code, output) == (2, "")
    assert states(errors, "--out", ".npz", repr(name))
    assert not list(Path().iterdir())


def test_commands_to_copy_have_their_paths_quoted(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capfd, "tree", "--scenario", "tiny-2", "--out", "a $b.npz")
    assert code == 0
    words = shlex.split(output.rpartition(": ")[2])
    assert words == ["mascarade", "solve", "--tree", "a $b.npz"]


def test_the_size_is_reported_even_if_the_tree_cannot_be_saved(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mascarade_env.cli._tree.built", build_and_block("new/t.npz"))
    words = ("tree", "--scenario", "tiny-2", "--out", "new/t.npz")
    code, output, errors = run(capfd, *words, "--json")
    assert code == 2
    assert json.loads(output)["nodes"] == 2240
    assert "output" not in json.loads(output)
    assert states(errors, "write", "'new/t.npz'")


def build_and_block(name: str) -> Callable[[Scenario], GameTree]:
    """Build a tree, and make a folder in the place of the file, so that it cannot be written."""

    def built(rules: Scenario) -> GameTree:
        Path(name).mkdir()
        return build(rules)

    return built


@pytest.mark.parametrize("command", ["tree", "solve"])
@pytest.mark.parametrize(
    ("scenario", "why"),
    [
        ("6A", ("6A", "turn_limit", "small-2")),
        ("tiny-3", ("scenario", "'tiny-3'", "'tiny-2'")),
    ],
)
def test_scenarios_that_have_no_tree(
    command: str, scenario: str, why: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    code, output, errors = run(capfd, command, "--scenario", scenario)
    assert (code, output) == (2, "")
    assert states(errors, *why)
    assert not Path("runs").exists()


# mascarade solve


def test_solve_saves_a_policy_its_figures_and_a_plot(capfd: pytest.CaptureFixture[str]) -> None:
    figures = report(capfd, "solve", "--scenario", "tiny-2", "--target", 0.02)
    assert figures["nash_conv"] <= 0.02
    assert figures["points"][-1]["nash_conv"] == figures["nash_conv"]
    assert figures["output"] == str(Path("runs/exact/tiny-2-cfr+.npz"))
    policy = SavedPolicy.load(figures["output"])
    assert policy.about["algorithm"] == "cfr+"
    assert policy.about["iterations"] == figures["iterations"]
    game = build("tiny-2")
    assert nash_conv(game.tree, policy.on(game)).nash_conv == pytest.approx(
        figures["nash_conv"], abs=1e-6
    )
    kept = json.loads(Path("runs/exact/tiny-2-cfr+.figures.json").read_text("utf-8"))
    assert kept == {key: value for key, value in figures.items() if key != "plot"}
    picture = Path(figures["plot"]).read_text("utf-8")
    assert states(picture, "NashConv", "tiny-2", "cfr+")


def test_solve_reports_its_result_and_commands_that_use_it(
    capfd: pytest.CaptureFixture[str],
) -> None:
    words = ("--algorithm", "dcfr", "--iterations", 20, "--out", "a b.npz", "--plot", "c.png")
    code, output, errors = run(capfd, "solve", "--scenario", "tiny-2", *words)
    assert (code, errors) == (0, "")
    assert lines_stating(output, "target", "0.001")
    policy = ["--agent", "tabular:a b.npz", "--scenario", "tiny-2"]
    assert ["mascarade", "nashconv", *policy] in commands(output)
    assert "2 players" not in output  # no warning: two players reach an equilibrium
    assert Path("c.png").read_bytes().startswith(b"\x89PNG")
    assert {path.name for path in Path().iterdir()} == {"a b.npz", "a b.figures.json", "c.png"}


def commands(output: str) -> list[list[str]]:
    """Return the suggested commands, split into words as a shell does."""
    return [shlex.split(line) for line in output.splitlines() if line.startswith("  mascarade ")]


def test_a_tree_from_a_file_is_named_by_its_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = own_scenario(tmp_path, turn_limit=2)
    policy, words = "tabular:p.npz", ("--iterations", 1, "--out", "p.npz")
    for scenario in ("tiny-2", file):
        assert run(capfd, "tree", "--scenario", scenario, "--out", f"{scenario} t.npz")[0] == 0
    # A scenario that is only in the file of a tree cannot be played.
    _, output, _ = run(capfd, "solve", "--tree", f"{file} t.npz", *words)
    only = ["mascarade", "nashconv", "--agent", policy, "--tree", f"{file} t.npz"]
    assert commands(output) == [only]
    for tree, named, scenario in (
        ("tiny-2 t.npz", (), "tiny-2"),
        (f"{file} t.npz", ("--scenario", file), str(file)),
    ):
        _, output, _ = run(capfd, "solve", "--tree", tree, *named, *words)
        of = ["--scenario", scenario]
        assert commands(output) == [
            ["mascarade", "nashconv", "--agent", policy, "--tree", tree],
            ["mascarade", "play", "--opponents", policy, *of],
            ["mascarade", "arena", "--agents", f"{policy},random", *of],
        ]


def test_an_own_scenario_is_not_mistaken_for_a_named_one(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = own_scenario(tmp_path, turn_limit=2, name="tiny-2")
    run(capfd, "tree", "--scenario", file, "--out", "t.npz")
    _, output, _ = run(capfd, "solve", "--tree", "t.npz", "--iterations", 1)
    assert [words[1] for words in commands(output)] == ["nashconv"]


def test_the_algorithms_are_those_of_the_solver() -> None:
    assert get_args(Algorithm) == tuple(RULES)


def test_with_three_players_solve_warns_that_it_may_not_reach_an_equilibrium(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = own_scenario(tmp_path, players=3, opening_turns=1, turn_limit=2)
    code, output, _ = run(capfd, "solve", "--scenario", file, "--iterations", 2)
    assert code == 0
    assert states(output, "NashConv", "3 players", "equilibrium")
    assert lines_stating(output, "tabular:runs/exact/my_game-cfr+.npz", f"--scenario {file}")


def test_without_matplotlib_only_the_plot_is_missing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, output, errors = run(capfd, "solve", "--scenario", "tiny-2", "--iterations", 2)
    assert code == 0
    assert "pip install 'mascarade-env[plot]'" in errors
    assert ".svg" not in output
    found = {path.name for path in Path("runs/exact").iterdir()}
    assert found == {"tiny-2-cfr+.npz", "tiny-2-cfr+.figures.json"}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--algorithm", "cfr++"), ("--algorithm", "'cfr++'", "cfr+", "dcfr")),
        (("--iterations", 0), ("iterations", 1, 0)),
        (("--target", -1), ("target", "NashConv", 0, "-1.0")),
        (("--out", "a.json"), ("--out", ".npz", "'a.json'")),
        (("--plot", "a.gif"), ("plot", ".svg", ".png", "'a.gif'")),
        (("--tree", "none.npz"), ("read", "'none.npz'", "No such file")),
        (("--out", "file/a.npz"), ("write", "'file/a.npz'")),
        (
            ("--out", "new/file/a.npz", "--plot", "file/a.svg"),
            ("write", "'file/a.svg'"),
        ),
        # A name may have 255 letters. The temporary file next to it has a longer name.
        (("--out", "a" * 251 + ".npz"), ("write", "File name too long")),
    ],
)
def test_wrong_arguments_are_refused(
    words: tuple[object, ...],
    why: tuple[object, ...],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "mascarade_env.cli._tree_files.build", None
    )  # an error must come before it is called
    Path("file").touch()
    scenario = () if "--tree" in words else ("--scenario", "tiny-2")
    code, output, errors = run(capfd, "solve", *scenario, *words)
    assert (code, output) == (2, "")
    assert states(errors, *why)
    assert [path.name for path in Path().iterdir()] == ["file"]
