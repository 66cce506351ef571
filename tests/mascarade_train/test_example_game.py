"""A game in words, with the beliefs of its players."""

import pytest

from mascarade_agents import make_agent
from mascarade_agents.behaviour import Announcement, observe
from mascarade_env import Game, Scenario, scenarios
from mascarade_train._run.example_game import example_game, game_in_words
from tests.messages import states

TRIO = Scenario(
    "trio", 3, ("judge", "king", "thief"), opening_turns=0, fixed_deal=True, strict=False
)


def announcements(game: Game) -> list[Announcement]:
    return [fact for fact in observe(game) if isinstance(fact, Announcement)]


def note(game: Game) -> str:
    """The note at the first announcement of a game."""
    return next(line for line in game_in_words(game) if line.strip().startswith("("))


def played(*words: str) -> Game:
    game = Game(TRIO, seed=0)
    for word in words:
        game.play(word)
    return game


def test_a_bluff_is_told_with_the_belief() -> None:
    game = played("announce:king", "pass", "claim", "take:0", "keep", "announce:judge", "pass")
    first, second = announcements(game)
    assert (first.at, first.said, first.held, first.believed) == (0, "king", "judge", 0)
    assert first.belief == (("judge", 1.0),)
    assert first.kind == "knowing bluff"
    assert first.claimed
    assert (second.at, second.held, second.believed) == (5, "thief", 0)
    assert not second.claimed
    lines = game_in_words(game)
    place = next(n for n, line in enumerate(lines) if states(line, "player 0", "King"))
    assert states(lines[place - 1], "turn 0", "player 0", "seat 0")
    assert states(lines[place + 1], "knowing bluff", "Judge 100%", "false", "the Judge")
    assert states(lines[place + 2], "player 1")


def test_a_gamble_is_told_as_one() -> None:
    game = played("take:1", "keep", "announce:judge")
    (found,) = announcements(game)
    assert (found.said, found.held, found.believed) == ("judge", "king", 0.5)
    assert states(note(game), "Judge 50%, King 50%", "false", "the King")
    true = note(played("take:1", "keep", "announce:king"))
    assert states(true, "Judge 50%, King 50%", "true")
    assert "false" not in true


def test_a_belief_that_is_not_exact_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mascarade_env.game._replay.GAME_WORLD_LIMIT", 2)
    game = played("take:1", "swap", "take:2", "swap", "take:0", "keep", "announce:judge")
    (found,) = announcements(game)
    assert (found.said, found.held, found.believed, found.exact) == ("judge", "king", 0, False)
    assert found.kind is None
    assert states(note(game), "about King 50%, Thief 50%", "false", "the King")


def test_a_game_without_an_end_says_so() -> None:
    assert states(game_in_words(played("take:1", "keep"))[-1], "2 decisions")
    duel = Scenario("duel", 2, TRIO.masks, start_coins=12, opening_turns=0, strict=False)
    game = Game(duel, seed=0)
    game.play_randomly()
    assert "decisions" not in game_in_words(game)[-1]


def test_a_game_worth_reading_has_a_bluff_that_came_through() -> None:
    game = example_game(make_agent("random", "4A"), scenarios()["4A"], seed=1)
    assert game.over
    assert any(found.kind == "knowing bluff" and not found.claimed for found in announcements(game))
    again = example_game(make_agent("random", "4A"), scenarios()["4A"], seed=1)
    assert again.history == game.history
    assert len(game_in_words(game)) > len(game.history)
