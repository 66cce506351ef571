"""The meaning of typed lines."""

import numpy as np
import pytest

from mascarade_agents._play.menu import COMMANDS, Menu
from mascarade_agents._play.session import screen_names
from mascarade_env import Game, scenarios
from tests.messages import states


def menu_of(game: Game) -> Menu:
    return Menu(game.view(), screen_names(game.scenario.players, game.player or 0))


def game_at(*words: str, scenario: str = "6A") -> Game:
    deal = sorted(scenarios()[scenario].masks, reverse=True)
    game = Game(scenario, seed=1, deal=deal)
    for word in words:
        game.play(word)
    return game


OPENING = ("take:1", "keep", "take:2", "keep", "take:3", "keep", "take:4", "keep")


def meant(game: Game, line: str) -> str:
    found = menu_of(game).understand(line)
    return found.word if found.kind == "action" else f"{found.kind} {found.word}"


@pytest.mark.parametrize("scenario", ["4A", "6A", "8B", "11A", "12B"])
def test_every_action_is_understood_however_it_is_typed(scenario: str) -> None:
    rng = np.random.default_rng(0)
    game = Game(scenario, seed=3)
    for _ in range(150):
        if game.over:
            break
        menu = menu_of(game)
        assert sorted(e.word for e in menu.entries) == sorted(game.legal_actions())
        numbers = [entry.number for entry in menu.entries]
        assert len(set(numbers)) == len(numbers)
        for entry in menu.entries:
            verb, _, what = entry.word.partition(":")
            ways = [entry.word, entry.typed, f"  {entry.typed.upper()} ", str(entry.number)]
            ways += [f"{verb}   {what.replace('_', ' ')}", f"0{entry.number}"]
            ways += [f"{verb} {entry.shown}"] if what else []
            for line in ways:
                assert menu.understand(line).word == entry.word, line
            if verb in ("take", "target") and int(what) < game.scenario.players:
                assert entry.number == int(what)  # what is typed is what is seen
        for command in COMMANDS:
            assert menu.understand(f" {command.title()} ").word == command
        game.play(int(rng.choice(game.legal_ids())))


@pytest.mark.parametrize("scenario", ["6A", "11A"])
def test_whatever_is_typed_means_what_it_begins_or_is_asked_again(scenario: str) -> None:
    rng = np.random.default_rng(0)
    game = Game(scenario, seed=3)
    letters = list("takeloknugspc 0123456789:_-#?")
    for _ in range(60):
        if game.over:
            break
        menu = menu_of(game)
        for length in (1, 2, 3, 5, 8):
            line = "".join(rng.choice(letters, length))
            found = menu.understand(line)
            if found.kind == "unclear":
                assert "Legal" in found.word or "Did you mean" in found.word
            elif found.kind == "action":
                assert found.word in game.legal_actions()
                typed = line.strip(" :_-#").lstrip("0") or "0"
                by_number = [str(e.number) for e in menu.entries if e.word == found.word]
                assert typed in by_number or found.word[0] == typed[0]
        game.play(int(rng.choice(game.legal_ids())))


def test_beginnings_and_names() -> None:
    game = game_at(*OPENING)
    assert meant(game, "t 3") == "take:3"
    assert meant(game, "TAKE slot 3") == "take:3"
    assert meant(game, "take player-3") == "take:3"
    assert meant(game, "take Player 3") == "take:3"
    assert states(meant(game, "lo"), "unclear", '"lo"', "look or log")
    assert meant(game, "loo") == "look"
    assert meant(game, "a ki") == "announce:king"
    assert meant(game, "announce the king") == "announce:king"
    assert meant(game, "king") == "announce:king"
    assert meant(game, "kin").startswith("unclear")  # a slip must not announce
    assert meant(game, "announce j") == "announce:judge"
    assert states(meant(game, "an").lower(), "unclear", "announce")
    assert meant(game, "?") == "command help"
    game.play("announce:king")
    assert meant(game, "p") == "pass"
    assert meant(game, "cl") == "claim"
    assert meant(game_at(scenario="5A"), "take centre") == "take:5"
    assert meant(game_at(scenario="5A"), "t c") == "take:5"
    assert states(meant(game_at(scenario="4A"), "take centre"), "unclear", "take 4 or take 5")
    assert meant(game_at(scenario="4A"), "take centre 5") == "take:5"


def test_the_seat_of_the_person_is_not_the_beginning_of_another() -> None:
    game = Game("11A", seed=1)
    game.play_randomly(2, seed=1)
    assert game.player == 1
    assert states(meant(game, "take 1"), "unclear", 1, "own seat")
    assert "take 10" in meant(game, "take 1")
    assert meant(game, "take -1").startswith("unclear")
    assert meant(game, "-3").startswith("unclear")


def test_what_is_not_legal_is_explained() -> None:
    game = game_at()
    assert states(meant(game, "announce king"), "unclear", "first 4 turns", "take")
    assert states(meant(game, "look"), "unclear", "first 4 turns", "take")
    assert states(meant(game, "take 0"), "unclear", 0, "own seat")
    assert states(meant(game, "take 9"), "unclear", '"9"', "slot")
    assert states(meant(game, "take 9"), "take 1, take 2, take 3, take 4, take 5")
    assert states(meant(game, "claim"), "unclear", "claim")
    assert states(meant(game, "17"), "unclear", '"17"', "list")
    assert states(meant(game, "fly"), "unclear", '"fly"')
    assert states(meant(game, "table 3"), "unclear", "table", "alone")
    assert states(meant(game, ""), "unclear", "Legal")
    assert states(meant(game, "9" * 5000), "unclear", "list")
    assert '"999' in meant(game, "9" * 5000)
    assert "\x1b" not in meant(game, "\x1b[2J")
    game = game_at(*OPENING, "announce:king", "claim", *["pass"] * 4)
    assert (game.player, game.barred) == (5, [4, 5])
    assert states(meant(game, "announce king"), "unclear", "mask", "turn before")
    assert states(meant(game_at(*OPENING), "announce spy"), "unclear", "spy", "mask", "play")


@pytest.mark.parametrize(
    ("line", "better"),
    [
        ("anounce judge", "announce judge"),
        ("annuonce the kng", "announce king"),
        ("announce juge", "announce judge"),
        ("anounce", "announce"),
        ("tkae 3", "take 3"),
        ("take playr 3", "take 3"),
        ("jugde", "announce judge"),
        ("lok", "look"),
        ("belif", "belief"),
        ("qiut", "quit"),
        ("sve My-1.jsonl", "save My-1.jsonl"),
    ],
)
def test_a_mistyped_word_suggests_one(line: str, better: str) -> None:
    assert states(meant(game_at(*OPENING), line), "unclear", f'"{line}"', f'mean "{better}"')


def test_a_mistyped_word_suggests_nothing_that_is_unlike_it() -> None:
    game = game_at(*OPENING)
    for line in ("fly", "xyzzy", "take playr 9", "announce spy", "99"):
        assert "mean" not in meant(game, line).replace("means nothing here", "")
    game.play("announce:king")
    assert states(meant(game, "clam"), "unclear", 'mean "claim"')
    assert states(meant(game_at(), "anounce king"), 'mean "announce"', "first 4 turns")
    assert states(meant(game_at("take:1"), "tkae 3"), 'mean "take"', "swap, keep")


def test_a_file_keeps_its_capitals() -> None:
    found = menu_of(game_at()).understand("SAVE  My Game-1.jsonl ")
    assert (found.kind, found.word, found.rest) == ("command", "save", "My Game-1.jsonl")


def test_labels_tell_players_apart() -> None:
    assert screen_names(3, 1) == ["player 0", "you", "player 2"]
