"""Names of agents in data: no code is run, and no weights outside the data's folder are read."""

import io
import json
from pathlib import Path

import pytest
import tyro

from mascarade_agents._cli.play import play
from mascarade_agents._play.session import new_game
from mascarade_agents._registry import check_stored
from mascarade_env import Game, MascaradeError, read_games
from mascarade_env.cli import main
from mascarade_env.game._record_files import write_games
from mascarade_env.game._scenarios import scenarios

CODE = """
import pathlib
pathlib.Path("ran").touch()
from mascarade_agents._ladder.random import RandomAgent as Mine
"""


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/evil.py").write_text(CODE)
    (tmp_path / "data/policy.npz").touch()
    (tmp_path / "elsewhere.npz").touch()
    (tmp_path / "data/link.npz").symlink_to(tmp_path / "elsewhere.npz")
    (tmp_path / "data/out").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "random", "bluffer:0.3", "ismcts:500", "released", "released:6A", "net:data/policy.npz",
        "tabular:data/policy.npz", "onnx:data/new.onnx", "net:data", "net:nothing.npz",
    ],
)  # fmt: skip
def test_registered_names_and_files_of_the_folder_pass(name: str) -> None:
    check_stored(name, "data/game.jsonl", "--opponents")
    check_stored(name, "data", "--rungs")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("data/evil.py:Mine", "never run"),
        ("evil.py", "never run"),
        ("honst", "did you mean 'honest'"),
        ("", "there is no agent"),
        ("net:elsewhere.npz", "not in the folder"),
        ("net:data/../elsewhere.npz", "not in the folder"),
        ("net:..", "not in the folder"),
        ("net:data/link.npz", "not in the folder"),
        ("net:data/out/elsewhere.npz", "not in the folder"),
        ("tabular:/dev/zero", "not in the folder"),
        ("onnx:~/x.onnx", "not in the folder"),
        ("net:~", "not in the folder"),
        ("net:nowhere/x.npz", "not in the folder"),
        (r"net:data\..\elsewhere.npz", "not in the folder"),
        (r"net:C:\x.npz", "not in the folder"),
        (r"net:\\host\x.npz", "not in the folder"),
        ("net:data/\0", "not in the folder"),
        ("bluffer:../0.3", "not in the folder"),
    ],
)
def test_names_that_lead_out_are_refused(name: str, why: str, tmp_path: Path) -> None:
    for file in (Path("data/game.jsonl"), tmp_path / "data"):
        with pytest.raises(MascaradeError, match="on the command line, by --opponents") as raised:
            check_stored(name, file, "--opponents")
        assert why in str(raised.value)
        assert repr(name) in str(raised.value)
        assert repr(str(file)) in str(raised.value)


def test_an_absolute_path_is_refused_even_inside(tmp_path: Path) -> None:
    with pytest.raises(MascaradeError, match="relative path"):
        check_stored(f"net:{tmp_path / 'data/policy.npz'}", "data/game.jsonl", "--opponents")


def stored_game(agent: str, file: Path) -> None:
    game = new_game(scenarios()["4A"], [None, agent, "random", agent], "Ana", seed=3)
    write_games(file, [game])


def resumed(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    tyro.cli(play, args=["--resume", *words])


def test_a_record_runs_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "data/game.jsonl"
    stored_game("data/evil.py:Mine", file)
    before = file.read_bytes()
    with pytest.raises(MascaradeError, match=r"game.jsonl' names the agent 'data/evil.py:Mine'"):
        resumed(monkeypatch, str(file))
    assert not Path("ran").exists()
    assert file.read_bytes() == before
    resumed(monkeypatch, str(file), "--opponents", "data/evil.py:Mine,random,data/evil.py:Mine")
    assert Path("ran").exists()  # else this proves nothing
    (game,) = read_games(file)
    assert game.names == ["Ana", "data/evil.py:Mine", "random", "data/evil.py:Mine"]


def test_opponents_that_are_typed_take_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.jsonl"
    stored_game("data/evil.py:Mine", file)
    resumed(monkeypatch, str(file), "--opponents", "honest,random")
    (game,) = read_games(file)
    assert game.meta["play"]["agents"] == [None, "honest", "random", "honest"]
    assert game.names == [
        "Ana", "data/evil.py:Mine, then honest", "random", "data/evil.py:Mine, then honest",
    ]  # fmt: skip
    assert not Path("ran").exists()


def test_other_commands_make_no_agents_of_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game("4A", seed=1, names=["data/evil.py:Mine"] * 4)
    game.meta["play"] = {"agents": [None, *["data/evil.py:Mine"] * 3]}
    game.play_randomly()
    write_games("game.jsonl", [game])
    for words in (["replay", "game.jsonl"], ["behaviour", "game.jsonl"]):
        assert main(words) == 0
    assert json.loads(Path("game.jsonl").read_text())["names"] == game.names
    assert not Path("ran").exists()
