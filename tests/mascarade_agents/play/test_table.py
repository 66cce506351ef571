"""The table as text."""

import pytest

from mascarade_agents._play.table import table
from mascarade_env import Game
from mascarade_env.render._scene import scene
from tests.mascarade_agents.play.hands import Page


@pytest.mark.parametrize("width", [40, 80, 120])
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


def test_a_long_name_is_cut_and_nothing_else() -> None:
    game = Game("6A", seed=1)
    page = Page()
    called = ["Bartholomew the Eldest of Them", *"bcdef"]
    page.say(*table(scene(game, 0), called, 80))
    assert "Bartholomew the Eld…" in page.text
    assert "tribunal" in page.text
