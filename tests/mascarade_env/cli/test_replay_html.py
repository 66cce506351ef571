"""`mascarade replay`: pages, pictures and perspectives."""

from pathlib import Path

import pytest

from mascarade_env import Game
from mascarade_env.game._record_files import write_games
from mascarade_env.render import animated_svg, replay_html
from tests.mascarade_env.cli.test_commands import run
from tests.messages import lines_stating, states


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    games = [Game("6A", seed=seed, names=list("abcdef")) for seed in range(3)]
    for game in games:
        game.play_randomly()
    write_games(tmp_path / "games.jsonl", games)
    return tmp_path / "games.jsonl"


def game_of(seed: int) -> Game:
    game = Game("6A", seed=seed, names=list("abcdef"))
    game.play_randomly()
    return game


def test_a_page_is_written(recorded: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page = recorded.with_name("game.html")
    page.write_text("an older page")
    code, output, _ = run(capfd, "replay", recorded, "--game", 1, "--html", page)
    assert code == 0
    assert states(output, "game 1", recorded, "6A", page)
    assert page.read_text("utf-8") == replay_html(game_of(1))


def test_a_picture_is_written(recorded: Path, capfd: pytest.CaptureFixture[str]) -> None:
    picture = recorded.with_name("game.svg")
    words = ["--perspective", "2", "--first", 3, "--last", 9, "--seconds", 0.5]
    code, output, _ = run(capfd, "replay", recorded, "--svg", picture, *words)
    assert code == 0
    assert states(output, "game 0", recorded, "6A", picture)
    assert picture.read_text("utf-8") == animated_svg(game_of(0), 2, first=3, last=9, seconds=0.5)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--svg", "kept.html", "--json"], ("--json", "--html", "--svg")),
        (["--svg", "kept.html", "--first", "9999"], ("decisions", 9999)),
        (["--last", "3"], ("--last", "--svg")),
        (["--html", "kept.html/x.html"], ("write", "'kept.html/x.html'")),
        (["--html", "."], ("write", "'.'", "Is a directory")),
        (["--html", "kept.html", "--json"], ("--perspective", "--json", "--html")),
        (["--html", "kept.html", "--perspective", "2"], ("--perspective", "--json", "--html")),
        (["--json", "--perspective", "onlooker"], ("--perspective", "--json", "--html")),
        (["--html", "kept.html", "--game", "3"], ("game 3", "--game", "0..2")),
        (["--perspective", "6"], ("perspective", 0, 5, "onlooker", "all", 6)),
        (["--perspective", "-1"], ("perspective", 0, 5, "onlooker", "all", "'-1'")),
        (["--perspective", "everyone"], ("perspective", 0, 5, "onlooker", "all", "'everyone'")),
    ],
)
def test_wrong_options_are_refused(
    words: list[str], why: tuple[object, ...], recorded: Path, capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(recorded.parent)
    Path("kept.html").write_text("precious")
    code, output, errors = run(capfd, "replay", recorded, *words)
    assert (code, output) == (2, "")
    assert states(errors, *why)
    assert Path("kept.html").read_text() == "precious"


@pytest.mark.parametrize("flag", ["--html", "--svg"])
def test_the_records_are_not_overwritten(
    flag: str, recorded: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = recorded.read_bytes()
    link = recorded.with_name("link")
    link.symlink_to(recorded)
    for place in (recorded, link):
        code, output, errors = run(capfd, "replay", recorded, flag, place)
        assert (code, output) == (2, "")
        assert states(errors, flag, "overwrite", f"'{recorded}'", "another file")
    assert recorded.read_bytes() == before


def test_a_file_without_games_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.jsonl").write_text("")
    code, _, errors = run(capfd, "replay", tmp_path / "none.jsonl")
    assert code == 2
    assert states(errors, "mascarade", tmp_path / "none.jsonl", "games")


@pytest.mark.parametrize("perspective", ["2", "onlooker"])
def test_a_perspective_prints_what_it_saw(
    perspective: str, recorded: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, output, _ = run(capfd, "replay", recorded, "--game", 2, "--perspective", perspective)
    assert code == 0
    game = game_of(2)
    log = game.log(2 if perspective == "2" else "onlooker")
    sentences = [line.strip().partition("   [coins")[0] for line in output.splitlines()]
    start = sentences.index(log[0])
    assert sentences[start : start + len(log)] == log
    private = set(game.log()) - set(log)
    assert private
    assert not private & set(sentences)
    viewer = "seen by c" if perspective == "2" else "seen by an onlooker"
    assert len(lines_stating(output, "6A", viewer)) == 2


def test_the_default_perspective_is_all(recorded: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "replay", recorded, "--perspective", "all") == run(capfd, "replay", recorded)
