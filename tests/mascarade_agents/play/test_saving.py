"""Files that keep records."""

from pathlib import Path

import pytest

from mascarade_agents._play import Keeper
from mascarade_env import MascaradeError, read_games
from tests.mascarade_agents.play.hands import a_game
from tests.messages import facts


def test_a_name_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.strftime", lambda form: "20300102-030405")
    keepers = [Keeper.anywhere("My ../duel"), Keeper.anywhere("My ../duel")]
    assert [str(keeper.path) for keeper in keepers] == [
        "mascarade-My----duel-20300102-030405.jsonl",
        "mascarade-My----duel-20300102-030405-2.jsonl",
    ]
    again = Keeper.beside(Path("g.jsonl.gz")), Keeper.beside(Path("g.jsonl.gz"))
    assert [str(keeper.path) for keeper in again] == ["g.jsonl.gz", "g-2.jsonl.gz"]
    keepers[0].save(a_game())
    assert keepers[1].path.read_bytes() == b""


@pytest.mark.parametrize("name", ["g.jsonl", "g.jsonl.gz"])
def test_a_file_always_holds_a_whole_record(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / name
    keeper, game = Keeper(file), a_game()
    keeper.save(game)
    before = file.read_bytes()
    game.play("take:1")

    def cut_off(path: Path, games: object) -> int:
        path.write_bytes(b"half a rec")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("mascarade_agents._play.saving.write_games", cut_off)
        with pytest.raises(KeyboardInterrupt):
            keeper.save(game)
    assert file.read_bytes() == before
    keeper.save(game)
    with keeper:  # release its lock
        pass
    assert list(tmp_path.iterdir()) == [file]
    (kept,) = read_games(file)
    assert kept.history == [(0, "take:1")]


def test_files_are_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "g.jsonl"
    file.write_text("mine")
    with pytest.raises(MascaradeError, match=facts(file, "exists")):
        Keeper(file)
    assert file.read_text() == "mine"
    for bad in (tmp_path / "no" / "g.jsonl", tmp_path / "nul\0.jsonl", tmp_path / ("x" * 999)):
        with pytest.raises(MascaradeError, match=facts("write", repr(str(bad)))):
            Keeper(bad)
    with pytest.raises(MascaradeError, match=facts(tmp_path, "exists")):
        Keeper(tmp_path)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    real = tmp_path / "folder" / "g.jsonl"
    real.touch()
    link = tmp_path / "g.jsonl"
    link.symlink_to(real)
    Keeper(link, mine=True).save(a_game())
    assert link.is_symlink()
    assert len(list(read_games(real))) == 1
