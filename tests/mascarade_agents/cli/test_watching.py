"""What is shown while an arena goes on."""

import time

import pytest

from mascarade_agents._cli.watching import watching
from mascarade_agents.arena import Standing
from tests.messages import states

BEGUN = Standing(games=1024, of=6012, decisions=80_000, seconds=2.0, forfeits=0)
LATER = Standing(games=2048, of=6012, decisions=160_000, seconds=4.0, forfeits=12)


def test_a_line_every_ten_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with watching() as told:
        for seconds, standing in ((5, BEGUN), (6, BEGUN), (3, LATER), (8, LATER)):
            now += seconds
            told(standing)
    output, errors = capsys.readouterr()
    assert not output
    first, second = errors.splitlines()
    assert states(first, "1,024", "6,012 games", "40,000 decisions/s")
    assert states(second, "2,048", "6,012 games", "40,000 decisions/s", "12 forfeited")


def test_on_a_terminal_there_is_a_bar_that_goes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "80")
    with watching() as told:
        told(BEGUN)
        told(LATER)
    output, errors = capsys.readouterr()
    assert not output
    assert states(errors, "2,048", "6,012 games", "40,000 decisions/s", "12 forfeited")
    assert errors.endswith("\x1b[2K")  # the line is wiped
