"""The messages of an arena before and while it plays."""

import time
from contextlib import redirect_stderr
from io import StringIO
from typing import Any

import pytest

from mascarade_agents._cli.watching import duration, watching
from mascarade_agents.arena import Plan, Standing
from mascarade_env.game._scenarios import resolve
from tests.messages import states

BEGUN = Standing(games=1024, of=6012, decisions=80_000, seconds=2.0, forfeits=0)
LATER = Standing(games=2048, of=6012, decisions=160_000, seconds=4.0, forfeits=12)


def test_a_line_every_ten_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with watching(2) as watcher:
        for seconds, standing in ((5, BEGUN), (6, BEGUN), (3, LATER), (8, LATER)):
            now += seconds
            watcher.progress(standing)
    output, errors = capsys.readouterr()
    assert not output
    first, second = (line for line in errors.splitlines() if "decisions/s" in line)
    assert states(first, "1,024", "6,012 games", "40,000 decisions/s")
    assert states(second, "2,048", "6,012 games", "40,000 decisions/s", "12 forfeited")


def test_on_a_terminal_there_is_a_bar_that_goes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "80")
    with watching(2) as watcher:
        watcher.progress(BEGUN)
        watcher.progress(LATER)
    output, errors = capsys.readouterr()
    assert not output
    assert states(errors, "2,048", "6,012 games", "40,000 decisions/s", "12 forfeited")
    assert errors.endswith("\x1b[2K")  # the line is erased


def planned(**changes: Any) -> Plan:
    settings: dict[str, Any] = {
        "agents": ("a", "b", "c"), "with_views": (), "scenario": resolve("4A"), "games": 5000,
        "seed": 0, "tables": "both", "most_decisions": 1000, "seconds": 10.0, "measured": 0,
        "pair_games": 1000,
    }  # fmt: skip
    return Plan(**{**settings, **changes})


def messages(plan: Plan, workers: int, done: list[tuple[int, float]], before: int = 0) -> list[str]:
    """Return the messages on standard error for pairs of finished games and seconds."""
    with redirect_stderr(StringIO()) as errors, watching(workers) as watcher:
        watcher.begun(plan, before)
        for games, seconds in done:
            watcher.progress(Standing(games, len(plan), 1, seconds, 0))
    text = " ".join(errors.getvalue().split())
    return text.removeprefix("mascarade: ").split(" mascarade: ")


def test_the_games_are_announced() -> None:
    (words,) = messages(planned(), 2, [])
    assert states(words, "5,000 games", "mixed", "6,000 games", "6 pairs", "1,000 games each")
    assert states(words, "11,000 in all", "2 workers", "time left")
    (words,) = messages(planned(tables="mixed"), 0, [], before=1024)
    assert states(words, "5,000 games", "1,024", "before")
    assert "in all" not in words
    assert "time left" not in messages(planned(games=1024, pair_games=168), 2, [])[0]  # 2 chunks
    assert "worker" not in words


def test_the_time_left_is_measured_after_the_start() -> None:
    # The first chunk takes 100 s, mostly for the start; then two workers finish two more.
    plan = planned()
    (_, left) = messages(plan, 2, [(1024, 100), (2048, 102), (3072, 110), (4096, 120)])
    seconds = round((11000 - 3072) * 10 / 2048)
    assert states(left, duration(seconds), "2,048 games")
    assert len(messages(plan, 2, [(1024, 100), (2048, 102)])) == 1
    assert len(messages(plan, 1, [(9000, 100), (10990, 102)])) == 1  # too short for a message


def test_the_time_left_is_that_of_slow_games() -> None:
    plan = planned(with_views=("c",), games=40, pair_games=40)
    fast = plan.fast_games
    assert 0 < fast < len(plan) - 24
    (_, left) = messages(plan, 1, [(fast, 1), (fast + 8, 50), (fast + 16, 90)])
    assert states(left, duration((len(plan) - fast - 16) * 5), "8 games")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (130, "2 min 10 s"), (3600, "1 h"),
        (12_000, "3 h 20 min"),
    ],
)  # fmt: skip
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words
