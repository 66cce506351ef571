"""The table as text."""

from dataclasses import replace

import pytest

from mascarade_agents._play.session import screen_names
from mascarade_agents._play.table import _fitting, table, under_the_table, without_masks
from mascarade_env import Game
from mascarade_env.render._scene import Place, scene
from tests.mascarade_agents.play.hands import Page
from tests.messages import states


@pytest.mark.parametrize("width", [30, 60, 80, 120])
@pytest.mark.parametrize("scenario", ["4A", "12B"])
@pytest.mark.parametrize("name", ["A", "Bo", "Somebody with a name"])
def test_no_word_is_cut_however_short_names_are(scenario: str, name: str, width: int) -> None:
    game = Game(scenario, seed=1)
    page = Page(width=width)
    called = [name] * game.scenario.players
    page.say(*table(scene(game, 0), called, width))
    assert "…" not in page.text
    assert "tribunal" in page.text
    assert page.text.count("centre") == game.scenario.slots - game.scenario.players
    assert page.text.count(name) >= game.scenario.players


@pytest.mark.parametrize("blind", [False, True])
def test_twelve_players_fit_a_page_of_60_columns(blind: bool) -> None:
    game = Game("12B", seed=1)
    game.play_randomly(60)
    page = Page(width=60)
    pictured = without_masks(scene(game, 0)) if blind else scene(game, 0)
    page.say(*table(pictured, screen_names(12, 0), 60))
    lines = page.text.splitlines()
    assert len(lines) <= (16 if blind else 20)
    assert max(map(len, lines)) <= 60
    assert ("%" in page.text) != blind


@pytest.mark.parametrize("width", [30, 80])
def test_two_masks_under_the_table_are_shown_alone(width: int) -> None:
    game = Game("4A", seed=1)
    game.play("take:4")
    page = Page(width=width)
    page.say(*table(under_the_table(scene(game, 0)), screen_names(4, 0), width))
    assert states(page.text, "you", "centre")
    assert "player" not in page.text


def test_at_the_end_only_winners_have_a_sign() -> None:
    game = Game("4A", seed=1)
    game.play_randomly(seed=1)
    page = Page()
    page.say(*table(scene(game, "all"), screen_names(4, 0), 80))
    assert page.text.count("wins") == len(game.winners or [])
    for sign in ("turn", "passed", "claims", "announced", "taken", "barred", "chosen"):
        assert sign not in page.text


def test_masks_are_named_where_there_is_room() -> None:
    likely = (("King", 0.5), ("Fool", 0.25), ("Spy", 0.2), ("Witch", 0.05))
    place = Place(0, likely, certain=False, under_table=False)
    assert _fitting(place, 60) == "King 50%, Fool 25%, Spy 20%, Witch 5%"
    assert _fitting(place, 20) == "King 50%, Fool 25%, 2 others 25%"
    three = replace(place, belief=(*likely[:2], ("Spy", 0.25)))
    assert _fitting(three, 10) == "King 50%, Fool 25%, Spy 25%"
    five = replace(place, belief=(("Thief", 0.1), *likely))
    assert "1 other" not in " ".join(_fitting(five, room) for room in range(70))


def test_a_long_name_is_cut_and_nothing_else() -> None:
    game = Game("6A", seed=1)
    page = Page()
    called = ["Bartholomew the Eldest of Them", *"bcdef"]
    page.say(*table(scene(game, 0), called, 80))
    assert "Bartholomew the Eld…" in page.text
    assert "tribunal" in page.text
