"""Sentences about what a person has seen."""

import random
import re

import pytest

from mascarade_agents.play.story import Story
from mascarade_env import Game, Scenario, scenarios
from tests.mascarade_env.core.decks import random_scenario


def told(game: Game, player: int) -> list[str]:
    labels = [f"P{number}" for number in range(game.scenario.players)]
    return Story(game.scenario, player, labels).tell(game.view(player).events)


@pytest.mark.parametrize("scenario", scenarios().values(), ids=str)
def test_every_event_has_a_sentence(scenario: Scenario) -> None:
    for seed in range(6):
        game = Game(scenario, seed=seed)
        game.play_randomly(300)
        for player in (0, scenario.players - 1):
            lines = told(game, player)
            text = "\n".join(lines)
            assert len(lines) >= game.turn
            assert all(re.fullmatch(r"(P\d|[A-Z]).*[.\"]", line) for line in lines)
            assert not re.search(
                r"player \d|seat \d|\bNone\b|  |-1|\bP" + f"{player}" + r"\b", text
            )
            others = {f"P{number}" for number in range(scenario.players)} - {f"P{player}"}
            assert set(re.findall(r"P\d+", text)) <= others


def test_a_story_word_by_word() -> None:
    deal = ["judge", "king", "witch", "empress", "trickster", "cheat"]
    game = Game("6A", deal=deal, seed=1)
    words = "take:1 swap take:0 keep take:5 swap take:4 keep look announce:king claim pass pass"
    for word in [*words.split(), "claim", "pass"]:
        game.play(word)
    assert told(game, 0)[1:8] == [
        "Turn 0 is yours.",
        "You take your mask and P1's mask under the table.",
        "You put your mask and P1's mask back, swapped.",
        "Turn 1 is P1's.",
        "P1 takes their own mask and your mask under the table.",
        "P1 puts them back, swapped or not.",
        "Turn 2 is P2's.",
    ]
    assert told(game, 0)[-13:] == [
        "P4 looks at their own mask.",
        "Turn 5 is P5's.",
        'P5 announces: "I am the King"',
        'You claim: "No, I am the King"',
        "P1 passes.",
        "P2 passes.",
        'P3 claims: "No, I am the King"',
        "P4 passes.",
        "P5 reveals the Witch, you reveal the King and P3 reveals the Empress.",
        "You use the power of the King.",
        "You take 2 coins from the bank.",
        "P3 and P5 pay 1 coin to the tribunal.",
        "Turn 6 is yours.",
    ]
    seen = "Your mask is the Trickster."
    assert [seen in told(game, player) for player in range(6)] == [False] * 4 + [True, False]


def test_people_who_move_keep_their_names() -> None:
    game = Game("8B", seed=2)
    for seed in range(200):
        game = Game("8B", seed=seed)
        game.play_randomly()
        if any("exchange seats" in line for line in told(game, 0)):
            break
    story = Story(game.scenario, 0, [f"P{number}" for number in range(8)])
    story.tell(game.view(0).events)
    for seat, player in enumerate(game.player_at):
        assert story.whose(seat) == ("your mask" if player == 0 else f"P{player}'s mask")


def test_a_random_scenario_is_told_too() -> None:
    for seed in range(8):
        game = Game(random_scenario(random.Random(seed)), seed=seed)
        game.play_randomly(200)
        assert told(game, 0)
