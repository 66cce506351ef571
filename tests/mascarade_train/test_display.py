"""The progress of a training in a terminal and in a file."""

from dataclasses import replace

import pytest

from mascarade_train._run.display import Figures, LearningProgress, display

FIGURES = Figures(0.25, 1_000_000, 50.0, 0.333, 0.5, 3)
LATER = replace(FIGURES, done=1.0, steps=4_000_000, seconds=200.0, pool=9)
LINE = " 25%  1,000,000 steps  20,000/s, win share 33.3%, entropy 0.50, pool 3"
LAST = "100%  4,000,000 steps  20,000/s, win share 33.3%, entropy 0.50, pool 9"


def test_figures_in_a_line() -> None:
    assert str(FIGURES) == LINE
    nothing = Figures(0.0, 0, 0.0, None, None, 1)
    assert str(nothing) == "  0%          0 steps       0/s, win share -, entropy -, pool 1"
    assert len(str(replace(LATER, steps=99_999_999, pool=20))) + 9 <= 80  # next to the bar


def test_lines_are_few_and_the_last_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with display() as shown:
        for figures in (FIGURES, FIGURES, FIGURES, LATER):
            shown.show(figures)
    assert capsys.readouterr().out.splitlines() == [LINE, LAST]


def test_what_is_shown_is_not_told_twice(capsys: pytest.CaptureFixture[str]) -> None:
    with display() as shown:
        shown.show(FIGURES)
    with display():
        pass
    assert capsys.readouterr().out.splitlines() == [LINE]


def test_on_a_terminal_there_is_a_bar_that_leaves_the_last_figures(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "80")
    with display() as shown:
        for figures in (FIGURES, LATER):
            shown.show(figures)
    out = capsys.readouterr().out
    assert "\x1b[" in out
    assert out.splitlines()[-1].endswith(LAST)


def test_progress_in_a_line() -> None:
    play = {"announce_rate": 0.571, "look_rate": 0.2, "false": 0.85, "claim_rate": 0.41}
    progress = LearningProgress(0.5, 1_250_000, 3400.0, 1.149, play, {"stopper": 0.333})
    assert str(progress) == (
        " 50% 1.2M 3k/s, entropy 1.15, announced 57%, false 85%, claimed 41%, vs stopper 33%"
    )
    assert str(replace(progress, play={}, win_shares={})) == " 50% 1.2M 3k/s, entropy 1.15"


def test_of_several_processes_one_shows(capsys: pytest.CaptureFixture[str]) -> None:
    with display(visible=False) as shown:
        shown.show(FIGURES)
    assert capsys.readouterr().out == ""
