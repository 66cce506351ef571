"""The table as text."""

import io
import re

import pytest
from rich.cells import cell_len

from mascarade_env import Game, Scenario
from mascarade_env.render import ansi, show
from mascarade_env.render._drawing import drawing
from mascarade_env.render._scene import percent, perspectives, scene, together
from mascarade_env.render._shapes import Label
from tests.mascarade_env.game.tables import play
from tests.mascarade_env.render.moments import SCENARIOS, WIDE, game_of, moments

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("scenario", [*SCENARIOS, *WIDE], ids=str)
def test_no_line_is_wider_than_100_columns(scenario: str | Scenario) -> None:
    for game in moments(scenario):
        for perspective in perspectives(game)[:: 1 + game.scenario.players // 4]:
            text = ansi(game, perspective, colour=False)
            assert max(cell_len(line) for line in text.splitlines()) <= 100
            assert all(ord(letter) >= 32 or letter == "\n" for letter in text)


@pytest.mark.parametrize("name", ["4B", "8B", "12A"])
def test_colours_add_nothing_to_what_is_said(name: str) -> None:
    for game in moments(name):
        coloured, plain = ansi(game, colour=True), ansi(game, colour=False)
        assert "\x1b" not in plain
        lines = ESCAPE.sub("", coloured).splitlines()
        assert [line.rstrip() for line in lines] == plain.splitlines()
        assert coloured != plain


def test_who_wants_no_colours_gets_none_and_else_the_environment_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = game_of("6A", 3, 20)
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured, plain = ansi(game), ansi(game, colour=False)
    assert coloured == ansi(game, colour=True) != plain
    for name, value in {"NO_COLOR": "1", "COLUMNS": "20", "FORCE_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    assert (ansi(game, colour=True), ansi(game, colour=False)) == (coloured, plain)
    assert ansi(game) == plain
    assert ansi(game, colour=None) == plain


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_shown_colours_unless_somebody_wants_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = game_of("6A", 3, 20)
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown, wanted = [], [ansi(game, colour=True), ansi(game, colour=False)]
    for _ in wanted:
        show(game, stream=(terminal := Terminal()))
        shown.append(terminal.getvalue().removeprefix("\x1b[H\x1b[2J\x1b[3J").removesuffix("\n"))
        monkeypatch.setenv("NO_COLOR", "1")
    assert shown == wanted


def test_the_text_has_all_of_a_scene() -> None:
    for game in moments("8B", 2):
        shown = scene(game, 3)
        lines = ansi(game, 3, colour=False).splitlines()
        text = " ".join(" ".join(lines).split())
        assert shown.looking in lines[0]
        assert lines[1].startswith(shown.headline)
        assert shown.announced in lines[1]
        for seat in shown.seats:
            (line,) = [at for at in lines if at.startswith((f"  seat {seat.place.slot:2} ", f"> seat {seat.place.slot:2} "))]  # fmt: skip  # noqa: E501
            assert line.startswith(">") == seat.decides
            assert ("(own)" in line) == seat.own or len(seat.called) > 10
            assert ", ".join(seat.signs) in line
            assert f" {seat.coins} " in line
            assert seat.place.belief[0][0] in line
        for sentence in shown.news:
            assert " ".join(sentence.split()) in text
        assert shown.legal == () or text.endswith(" ".join(shown.legal))


def test_masks_that_are_not_listed_are_called_as_in_drawings() -> None:
    game = Game("8B", seed=1)
    for other in (1, 2, 3, 4):  # all masks were seen at the deal
        play(game, f"take:{(game.marker + other) % 8}", "swap")
    shown = scene(game)
    place = max((seat.place for seat in shown.seats), key=lambda place: len(place.belief))
    rest = place.belief[2:]
    words = [label.text for label in drawing(shown).shapes if isinstance(label, Label)]
    assert f"{len(rest)} others" in words
    others = f"{len(rest)} others {percent(sum(part for _, part in rest))}"
    assert ansi(game, colour=False).splitlines()[2 + place.slot].endswith(others)
    assert together(rest[:1]) == ("1 other", rest[0][1])


def test_show_draws_in_place_on_a_terminal_and_prints_elsewhere() -> None:
    game = Game("6A", seed=1)
    terminal, file = Terminal(), io.StringIO()
    for _ in range(2):
        show(game, 2, terminal)
        show(game, 2, file)
    assert terminal.getvalue() == f"\x1b[H\x1b[2J\x1b[3J{ansi(game, 2)}\n" * 2
    assert file.getvalue() == f"{ansi(game, 2, colour=False)}\n" * 2


def test_show_writes_what_its_stream_can_take() -> None:
    game = Game("4A", seed=1, names=["Zoë", "名", "W" * 99, "Ann"])
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    show(game, 0, stream)
    stream.seek(0)
    assert "seat  0 Zo\\xeb" in stream.read()


def test_show_prints_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    game = Game("6A", seed=1)
    show(game)
    assert capsys.readouterr().out == f"{ansi(game, colour=False)}\n"
