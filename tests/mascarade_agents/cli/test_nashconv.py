"""`mascarade nashconv`, called as a user calls it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mascarade_agents import agent_names
from mascarade_agents._cli import nashconv as command
from mascarade_env import scenarios
from mascarade_env.cli import _progress as progress
from mascarade_env.cli import main
from mascarade_env.exact import GameTree, SavedPolicy, Solver, build, nash_conv, save_tree
from tests.messages import states


@cache
def tree(scenario: str) -> GameTree:
    return build(scenario)


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with this command only and some agents; return its folder."""
    about = tmp_path / "site" / "odd-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[mascarade.commands]\nnashconv = mascarade_agents._cli.nashconv:nashconv\n"
        "[mascarade.agents]\nodd = tests.mascarade_agents.arena.saboteurs:Raises\n"
        "stops = tests.mascarade_agents.arena.saboteurs:Interrupts\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    # Compilation may take longer.
    monkeypatch.setattr(progress, "_SECONDS_A_LINE", 1e6)


def run(capfd: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["nashconv", *map(str, words)])
    output, errors = capfd.readouterr()
    return code, output, errors


def report(capfd: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    code, output, errors = run(capfd, *words, "--json")
    assert (code, errors) == (0, "")
    found: dict[str, Any] = json.loads(output)
    return found


@pytest.mark.parametrize("scenario", ["tiny-2", "small-3"])
def test_random_play_has_the_figures_of_the_tree(
    scenario: str, capfd: pytest.CaptureFixture[str]
) -> None:
    game = tree(scenario)
    found = report(capfd, "--agent", "random", "--scenario", scenario)
    assert found["scenario"] == scenario
    assert (found["nodes"], found["terminals"]) == (game.tree.nodes, game.tree.terminals)
    assert sum(found["information_states"]) == game.tree.states
    (random,) = found["agents"]
    wanted = nash_conv(game.tree, game.tree.uniform())
    assert (random["agent"], random["exact"], random["draws"]) == ("random", True, 0)
    assert random["nash_conv"] == random["nash_conv_low"]
    assert abs(random["nash_conv"] - wanted.nash_conv) < 1e-12
    assert np.abs(np.array(random["values"]) - wanted.values).max() < 1e-12
    assert np.abs(np.array(random["best"]) - wanted.best).max() < 1e-12
    assert np.allclose(random["gains"], wanted.best - wanted.values, atol=1e-12)


def test_a_policy_keeps_its_nash_conv_on_the_way_through_a_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    game = tree("tiny-2")
    solver = Solver(game.tree)
    solver.run(200)
    path = tmp_path / "solved.npz"
    SavedPolicy.of(game, solver.average()).save(path)
    found = report(capfd, "--agent", f"tabular:{path}", "random", "--scenario", "tiny-2")
    solved, random = (agent["nash_conv"] for agent in found["agents"])
    assert abs(solved - nash_conv(game.tree, solver.average()).nash_conv) < 1e-6
    assert solved < 0.02 < random
    as_read = SavedPolicy.load(path).on(game)
    assert abs(solved - nash_conv(game.tree, as_read).nash_conv) < 1e-12


# Other tests measure agents that need files, or that play only some scenarios.
ELSEWHERE = {"net", "onnx", "released", "tabular"}


@pytest.mark.parametrize("name", [name for name in agent_names() if name not in ELSEWHERE])
def test_every_agent_is_measured(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    full = {"flat": "flat:6", "ismcts": "ismcts:6,0.5"}.get(name, name)
    found = report(capfd, "--agent", full, "--scenario", "tiny-2", "--draws", 3, "--seed", 5)
    (agent,) = found["agents"]
    assert agent["agent"] == full
    assert agent["exact"] == (name not in ("flat", "ismcts"))
    assert agent["draws"] == (0 if agent["exact"] else 3)
    assert abs(sum(agent["values"]) - 1) < 1e-9
    assert 0 < agent["nash_conv"] <= 1
    assert agent["nash_conv_low"] <= agent["nash_conv"]


def test_a_table(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, errors = run(
        capfd, "--agent", "honest,bluffer:0.5", "flat:4", "--scenario", "tiny-2", "--draws", 2
    )
    assert (code, errors) == (0, "")
    lines = output.splitlines()
    assert all(len(line) <= 80 for line in lines)
    words = [line.split() for line in lines]
    assert words[0] == ["agent", "value", "best", "response", "gain", "seconds"]
    rows = {row[0]: row for row in words if "NashConv" in row}
    assert list(rows) == ["honest", "bluffer:0.5", "flat:4"]
    assert rows["honest"][2] == "1.0000"
    assert ".." in rows["flat:4"][2]
    assert sum(row[:2] in (["player", "0"], ["player", "1"]) for row in words) == 6
    told = " ".join(output.split())
    assert states(told, "tiny-2", "426 information states", "207, 219", "win shares")
    assert states(told, "2 sampled decisions")


def test_the_same_seed_draws_the_same(capfd: pytest.CaptureFixture[str]) -> None:
    words = ("--agent", "flat:2", "--scenario", "tiny-2", "--draws", 2)
    found = [report(capfd, *words, "--seed", seed)["agents"][0] for seed in (1, 1, 2)]
    for each in found:
        del each["seconds"]
    assert found[0] == found[1]
    assert found[0] != found[2]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--agent", "honst"], ["agent", "'honst'", "'honest'"]),
        (["--agent", "honest", "--scenario", "4A"], ["4A", "turn_limit", "small-2"]),
        (["--agent", ","], ["--agent"]),
        (["--agent", "honest", "--draws", "1"], ["--draws", 2, 1]),
        (["--agent", "honest", "--seed", "-1"], ["--seed", 0, -1]),
        (["--agent", "tabular"], ['"tabular"', "file", "tabular:small-2.npz"]),
    ],
)
def test_what_cannot_be_measured(
    words: list[str], error: list[object], capfd: pytest.CaptureFixture[str]
) -> None:
    code, output, errors = run(capfd, *words)
    assert (code, output) == (2, "")
    assert states(errors, *error)
    assert errors.count("\n") == 1


def test_a_deal_that_is_drawn_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "drawn.json"
    file.write_text(json.dumps(scenarios()["tiny-2"].to_dict() | {"fixed_deal": False}))
    code, _, errors = run(capfd, "--agent", "honest", "--scenario", file)
    assert code == 2
    assert states(errors, "fixed_deal")


def test_a_tree_from_a_file_is_not_built_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = tmp_path / "own.json"
    scenario.write_text(json.dumps(scenarios()["tiny-2"].to_dict() | {"name": "own"}))
    file = tmp_path / "own.npz"
    save_tree(build(scenario), file)
    built = report(capfd, "--agent", "honest", "--scenario", scenario)
    monkeypatch.setattr("mascarade_env.cli._tree_files.build", None)
    for words in ((), ("--scenario", scenario)):
        read = report(capfd, "--agent", "honest", "--tree", file, *words)
        assert read["scenario"] == "own"
        assert read["agents"][0]["best"] == built["agents"][0]["best"]
    code, output, errors = run(capfd, "--agent", "honest", "--tree", file, "--scenario", "tiny-2")
    assert (code, output) == (2, "")
    assert states(errors, "own", "tiny-2")


def test_names_command_neither_terminal_nor_markup(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.json"
    own = scenarios()["tiny-2"].to_dict() | {"name": "a [/b] :fox:\x1b[31m", "turn_limit": 4}
    file.write_text(json.dumps(own))
    shown = r"a [/b] :fox:\x1b[31m"
    code, output, errors = run(capfd, "--agent", "random", "--scenario", file)
    assert (code, errors) == (0, "")
    assert shown in output
    code, _, errors = run(capfd, "--agent", "odd", "--scenario", file)
    assert code == 2
    assert states(errors, "odd", shown)


def test_what_is_measured_is_told_when_another_agent_fails(
    capfd: pytest.CaptureFixture[str],
) -> None:
    words = ("--agent", "honest", "odd", "random", "--scenario", "tiny-2", "--json")
    code, output, errors = run(capfd, *words)
    assert code == 2
    assert [agent["agent"] for agent in json.loads(output)["agents"]] == ["honest"]
    assert states(errors, "act_batch", "RuntimeError: no idea at all", "odd", "tiny-2")
    code, output, errors = run(capfd, "--agent", "honest", "stops", "--scenario", "tiny-2")
    assert (code, errors.count("\n")) == (130, 1)
    assert states(errors, "mascarade", "interrupted")
    assert "honest" in output
    code, output, errors = run(capfd, "--agent", "stops", "--scenario", "tiny-2")
    assert (code, output) == (130, "")


def test_how_far_it_has_come_is_shown_to_who_watches(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "80")
    command.nashconv(("honest",), "tiny-2", json=True)
    output, errors = capfd.readouterr()
    assert json.loads(output)
    assert "honest:" in errors
    assert states(errors, "426 states")
    assert states(errors, "tiny-2", "2,240 nodes")
