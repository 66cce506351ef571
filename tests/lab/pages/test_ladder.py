"""LADDER.md, and the figures of search agents, from few games."""

from pathlib import Path

import pytest

from lab.pages import ladder as module
from lab.pages.ladder import PAGE, ladder
from mascarade_agents._ladder import LADDER


@pytest.fixture(autouse=True)
def few_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Limit the page to two agents and few games, and return its path."""
    page = tmp_path / "LADDER.md"
    monkeypatch.setattr(module, "PAGE", page)
    monkeypatch.setattr(module, "LADDER", LADDER[:2])
    monkeypatch.setattr(module, "_GAMES", {"4A": 8})
    monkeypatch.setattr(module, "_SEARCH_GAMES", {"4A": 4})
    monkeypatch.setattr(module, "SEARCH", ("flat:1",))
    monkeypatch.setattr(module, "_SEARCHED", ("honest",))
    return page


def heads(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(("#", "| agent"))]


def test_the_page_is_written_when_all_is_played(
    few_games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ladder(workers=0)
    text = few_games.read_text("utf-8")
    assert capsys.readouterr().out == text
    committed = PAGE.read_text("utf-8")
    assert set(heads(text)) < set(heads(committed))
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")][1:]
    assert [row[0] for row in rows] == [f"| {name}" for name in LADDER[:2]]


def test_search_is_only_printed(few_games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ladder(search=True, workers=0)
    out = capsys.readouterr().out
    assert "## Search in 4A" in out
    assert "| flat:1 | honest | " in out
    assert not few_games.exists()
