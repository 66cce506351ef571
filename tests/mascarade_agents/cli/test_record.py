"""`mascarade record --agents`; the tests of the environment cover random games."""

from collections import Counter
from pathlib import Path

import pytest

from mascarade_agents._cli import record as command
from mascarade_agents.arena import run as arena
from mascarade_agents.arena._entrants import split_names
from mascarade_env import Game, read_games
from mascarade_env.cli import main
from tests.messages import states


def recorded(tmp_path: Path, *words: str) -> list[Game]:
    file = tmp_path / "games.jsonl"
    assert main(["record", "--scenario", "4A", "--seed", "3", "-o", str(file), *words]) == 0
    return list(read_games(file))


def test_games_are_those_of_an_arena(tmp_path: Path) -> None:
    games = recorded(tmp_path, "--agents", "honest,bluffer:0.4", "stopper", "--games", "10")
    names = ["honest", "bluffer:0.4", "stopper"]
    played = arena(names, "4A", games=10, seed=3, tables="mixed", measured=10)
    assert [game.history for game in games] == [g.history for g in played.games()][:10]
    assert [game.names for game in games] == [g.names for g in played.games()][:10]


def test_one_agent_plays_itself(tmp_path: Path) -> None:
    games = recorded(tmp_path, "--agents", "honest", "--games", "3")
    assert len(games) == 3
    assert all(game.over for game in games)
    held = Counter(name for game in games for name in game.names or ())
    assert held == {"honest 1": 6, "honest 2": 6}


def test_many_games_are_written_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_CHUNK", 4)
    games = recorded(tmp_path, "--agents", "honest,bluffer", "--games", "9")
    assert len(games) == 9
    assert len({str(game.history) for game in games}) == 9
    assert recorded(tmp_path, "--agents", "honest,bluffer", "--games", "0") == []


def test_an_agent_that_fails_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.py").write_text(
        "from mascarade_agents import Agent\n"
        "class Bad(Agent):\n"
        "    def act(self, view, rng):\n"
        "        raise ValueError('I have lost my way')\n"
    )
    kept, code = Path("games.jsonl"), Path("bad.py").read_bytes()
    kept.write_text("precious")
    words = ["--agents", "honest,bad.py:Bad", "--scenario", "4A", "--games", "2"]
    assert main(["record", *words, "-o", "games.jsonl"]) == 2
    told = capsys.readouterr().err
    assert states(told, "'bad.py:Bad'", "I have lost my way")
    assert main(["record", "--agents", "honst", "-o", "games.jsonl"]) == 2
    assert states(capsys.readouterr().err, "agent", "'honest'")
    assert kept.read_text() == "precious"  # there was no game to write
    assert main(["record", *words, "-o", "bad.py"]) == 2
    assert states(capsys.readouterr().err, "--output", "overwrite", "'bad.py'", "read")
    assert Path("bad.py").read_bytes() == code
    assert main(["record", "--agents", "honest", "-o", "new/folder/games.jsonl"]) == 0
    assert len(list(read_games("new/folder/games.jsonl"))) == 1


def test_names_of_files_are_told_apart(tmp_path: Path) -> None:
    assert split_names(["bluffer:0.3,mine.py:A:1,2,random"]) == [
        "bluffer:0.3", "mine.py:A:1,2", "random"
    ]  # fmt: skip
