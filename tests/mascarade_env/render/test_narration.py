"""Events as sentences."""

import random
import re

import pytest

from mascarade_env import MASKS, Game, Scenario, scenarios
from mascarade_env.game import _events as events
from mascarade_env.game._masks import mask_number
from mascarade_env.render._narration import Story
from mascarade_env.render._scene import called_in, scene
from tests.mascarade_env.game.decks import random_scenario
from tests.messages import lines_stating, states


def story_of(game: Game, player: int) -> list[str]:
    labels = [f"P{number}" for number in range(game.scenario.players)]
    return Story(game.scenario, player, labels).tell(game.view(player).events)


@pytest.mark.parametrize("scenario", scenarios().values(), ids=str)
def test_every_event_has_a_sentence(scenario: Scenario) -> None:
    for seed in range(6):
        game = Game(scenario, seed=seed)
        game.play_randomly(300)
        for player in (0, scenario.players - 1):
            lines = story_of(game, player)
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
    opening = [
        ("Turn 0", "yours"),
        ("You", "your mask", "P1's mask", "table"),
        ("You", "your mask", "P1's mask", "swapped"),
        ("Turn 1", "P1"),
        ("P1", "own mask", "your mask", "table"),
        ("P1", "swapped or not"),
        ("Turn 2", "P2"),
    ]
    for line, stated in zip(story_of(game, 0)[1:8], opening, strict=True):
        assert states(line, *stated)
    challenge = [
        ("P4", "own mask"),
        ("Turn 5", "P5"),
        ("P5", "King"),
        ("You", "King"),
        ("P1",),
        ("P2",),
        ("P3", "King"),
        ("P4",),
        ("P5", "Witch", "you", "King", "P3", "Empress"),
        ("You", "power", "King"),
        ("You", "2 coins", "from the bank"),
        ("P3", "P5", "1 coin", "to the tribunal"),
        ("Turn 6", "yours"),
    ]
    for line, stated in zip(story_of(game, 0)[-13:], challenge, strict=True):
        assert states(line, *stated)
    for player in range(6):
        seen = lines_stating("\n".join(story_of(game, player)), "Your mask", "Trickster")
        assert bool(seen) == (player == 4)


def test_people_who_move_keep_their_names() -> None:
    game = Game("8B", seed=2)
    for seed in range(200):
        game = Game("8B", seed=seed)
        game.play_randomly()
        if any("seats" in line for line in story_of(game, 0)):
            break
    story = Story(game.scenario, 0, [f"P{number}" for number in range(8)])
    story.tell(game.view(0).events)
    for seat, player in enumerate(game.player_at):
        assert story.whose(seat) == ("your mask" if player == 0 else f"P{player}'s mask")


@pytest.mark.parametrize("name", ["6A", "8B", "12B"])
def test_the_news_of_scenes_make_the_whole_story(name: str) -> None:
    game = Game(name, seed=3)
    game.play_randomly(150)
    labels = called_in(game)
    past = game.at_start()
    lines = list(scene(past).news)
    for _, action in game.history:
        past.play(action)
        lines += scene(past).news
    story = Story(game.scenario, None, labels).tell(game._replay().events(1 << events.ONLOOKER))
    assert lines == story
    assert len(lines) > 60


def test_only_the_player_who_swapped_reads_of_it() -> None:
    game = Game("6A", deal=["judge", "king", "witch", "empress", "trickster", "cheat"], seed=1)
    game.play("take:1")
    game.play("swap")
    own, others = scene(game, 0).news[0], scene(game, 3).news[0]
    assert states(own, "Player 0", "own mask", "player 1's mask", "swapped")
    assert states(others, "Player 0", "swapped or not")
    assert scene(game, "all").news[0] == own


def test_a_look_names_the_player() -> None:
    game = Game("6A", seed=1)
    for word in ("take:1", "keep", "take:2", "keep", "take:3", "keep", "take:4", "keep", "look"):
        game.play(word)
    mask = MASKS[mask_number(game.masks[4])].name
    assert f"Player 4 sees the {mask}." in scene(game, 4).news
    assert not any("sees" in line for line in scene(game, 3).news)


def test_a_person_called_you_is_addressed() -> None:
    game = Game("4A", seed=1, names=["Ann", "you", "Bob", "Cid"])
    for word in ("take:1", "swap", "take:2"):
        game.play(word)
    assert scene(game, 0).news == ("You take your mask and Bob's mask under the table.",)
    assert scene(game, 0).headline == "you to swap or not"
    game.play("keep")
    assert scene(game, 1).news[0] == "You put your mask and Bob's mask back as they were."
    for viewer in (0, 2, "onlooker"):
        assert scene(game, viewer).news[0] == "You put them back, swapped or not."


def test_a_random_scenario_has_a_story_too() -> None:
    for seed in range(8):
        game = Game(random_scenario(random.Random(seed)), seed=seed)
        game.play_randomly(200)
        assert story_of(game, 0)
