"""One game after another."""

import pytest

from mascarade_agents._play import Series, Session
from tests.mascarade_agents.play.hands import Page, a_game, a_session
from tests.messages import states


def finished(*, won: bool) -> Session:
    """Return a finished game that the person has won, perhaps with others, or lost."""
    for seed in range(100):
        session = a_session(a_game("4A", seed=seed))
        session.game.play_randomly(seed=seed)
        if (session.me in (session.game.winners or [])) == won:
            return session
    raise AssertionError("no game ended so")


@pytest.mark.parametrize(
    ("lines", "another", "asked"),
    [
        (["yes"], True, 1),
        (["", "maybe", " Y "], True, 3),
        (["no"], False, 1),
        (["q"], False, 1),
        ([], False, 1),
    ],
)
def test_the_person_chooses(lines: list[str], another: bool, asked: int) -> None:
    page = Page(lines)
    assert Series(page).wants_another(finished(won=True)) == another
    assert page.text.count("Type yes or no.") == asked
    assert next(page.lines, None) is None


def test_the_score_counts_games_won() -> None:
    page = Page(["y"] * 3)
    series = Series(page)
    for won in (True, False, True):
        assert series.wants_another(finished(won=won))
    assert (series.played, series.won) == (3, 2)
    for score in ("won 1 of 1 game", "won 1 of 2 games", "won 2 of 3 games"):
        assert states(page.words, score)


def test_nothing_is_asked_in_a_pipe_or_before_the_end() -> None:
    page = Page(["yes"])
    page.interactive = False
    assert not Series(page).wants_another(finished(won=True))
    page.interactive = True
    assert not Series(page).wants_another(a_session(a_game("4A")))
    assert page.text == ""
