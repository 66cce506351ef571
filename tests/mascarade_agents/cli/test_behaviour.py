"""`mascarade behaviour`, called as the command calls it."""

import gzip
import json
from pathlib import Path

import pytest
import tyro

from mascarade_agents._cli.behaviour import behaviour
from mascarade_agents.behaviour import MEASURES
from mascarade_env import Game, RecordError
from mascarade_env.game._record_files import record_line, write_games
from tests.mascarade_agents.behaviour.hands import played, random_games, tallied
from tests.messages import facts, states


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl.gz"
    write_games(path, random_games("6A", 3), beliefs=True)
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    tyro.cli(behaviour, args=[str(word) for word in words])
    return capsys.readouterr().out


def test_a_table_for_each_agent(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, file).splitlines()
    assert all(len(line) <= 80 for line in lines)
    stripped = [line.strip() for line in lines]
    assert {"alice", "bob"} <= set(stripped)
    assert sum(line.startswith("measure ") for line in stripped) == 2
    assert states(" ".join(stripped), "3 games")
    found = tallied(random_games("6A", 3)).estimate("alice", "all", "claim_rate")
    (row, _) = [line.split() for line in stripped if line.startswith("claims when asked")]
    assert (found.low, found.high) != (None, None)
    assert row[3:6] == [
        f"{found.value:.1%}",
        f"{found.low:.1%}..{found.high:.1%}".replace("%", "", 1),
        str(found.count),
    ]


def test_no_title_is_broken_into_two_lines(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, file)
    shown = [m.title for m in MEASURES if f"\n{m.title} " in out]
    assert len(shown) > 25
    assert all(len(m.title) <= 25 for m in MEASURES)
    assert "Spy" not in shown  # no decision counts for it in this scenario


def test_json_is_the_report(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(run(capsys, file, "--json"))
    assert report == tallied(random_games("6A", 3)).to_dict()


def test_by_player(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(run(capsys, file, "--json", "--by", "player"))
    assert list(report["agents"]) == [f"player {player}" for player in range(6)]


def test_games_without_names_go_by_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.jsonl"
    write_games(path, [played("look look look"), played("look", names=["[red]x", "b\n", "c"])])
    assert set(json.loads(run(capsys, path, "--json"))["agents"]) == {
        *("player 0", "player 1", "player 2"),
        "[red]x",
    }
    out = run(capsys, path)
    assert "[red]x" in out
    assert "\x1b" not in out


def test_one_game_has_no_intervals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    write_games(path, [played("look")])
    out = run(capsys, path)
    assert states(out, "1 game")
    (row,) = [line.split() for line in out.splitlines() if line.startswith("looks  ")]
    assert row == ["looks", "100.0%", "-", "1", "100.0%", "-", "-"]


@pytest.mark.parametrize("name", ["empty.jsonl", "empty.jsonl.gz"])
def test_an_empty_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(b"") if path.suffix == ".gz" else b"")
    assert states(run(capsys, path), path, "0 games")
    assert json.loads(run(capsys, path, "--json"))["agents"] == {}


def test_games_without_decisions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    write_games(path, [Game("4A", seed=0)])
    assert states(run(capsys, path), path, "1 game")


def test_errors_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(record_line(played("look")) + '{"format": "another"}\n')
    with pytest.raises(RecordError, match=facts("games.jsonl", "line 2", "format", "'another'")):
        behaviour(str(path))
    with pytest.raises(RecordError, match=facts("none.jsonl", "No such file")):
        behaviour(str(tmp_path / "none.jsonl"))
    path.with_suffix(".gz").write_bytes(gzip.compress(b"x" * 1000)[:-12])
    with pytest.raises(RecordError, match=facts("line 1", "gzip", "damaged")):
        behaviour(str(path.with_suffix(".gz")))


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(capsys, "--help")
    told = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "Example: mascarade behaviour" in told
    assert "{name,player}" in told
