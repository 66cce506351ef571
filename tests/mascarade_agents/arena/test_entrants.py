from typing import Any

import pytest

from mascarade_agents.arena import run
from mascarade_agents.arena._entrants import entrants, split_names
from mascarade_env import MascaradeError
from tests.mascarade_agents.arena.saboteurs import DUEL, Chancy, Unmade, not_an_agent
from tests.messages import facts

CHANCY = ("chancy", Chancy)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["random,random:1"], ["random", "random:1"]),
        (["random", "random:1"], ["random", "random:1"]),
        (["random:500,0.7,random"], ["random:500,0.7", "random"]),
        (["random:500,0.7", "0.3"], ["random:500,0.7", "0.3"]),
        (["random:1,randon"], ["random:1,randon"]),
        (["randon,random"], ["randon", "random"]),
        (["random,", ",random:1,"], ["random", "random:1,"]),
        ([" random , random:1 "], ["random", "random:1"]),
        ([], []),
    ],
)
def test_names_as_they_are_typed(words: list[str], names: list[str]) -> None:
    assert split_names(words) == names


@pytest.mark.parametrize(
    ("agents", "words"),
    [
        ("random", ("list", "names", "'random'")),
        ([], ("two agents", 0)),
        (["random"], ("two agents", 1)),
        (["random", "random"], ("'random'", "twice")),
        ([CHANCY, "chancy"], ("'chancy'", "twice")),
        (["random", 3], ("agent", "name", "class", 3)),
        (["random", ("mine", 3)], ("agent", "name", "class", "('mine', 3)")),
        (["random", "randon"], ("agent", "'randon'", "'random'", "mine.py:MyAgent")),
        (["random", "random:3"], ("RandomAgent", "colon", "'3'")),
        (["random", ("bad", Unmade)], ("'bad'", "OSError: no such network")),
        (["random", ("bad", not_an_agent)], ("'bad'", "mascarade_agents.Agent", "'random'")),
    ],
)
def test_who_cannot_take_part(agents: Any, words: tuple[object, ...]) -> None:
    with pytest.raises(MascaradeError, match=facts(*words)):
        run(agents, DUEL, games=2)


def test_the_argument_is_what_follows_the_first_colon() -> None:
    with pytest.raises(MascaradeError, match=facts("Chancy", "colon", "'1:2'")):
        run([CHANCY, ("mine:1:2", Chancy)], DUEL, games=2)
    assert [each.name for each in entrants([CHANCY, "random"])] == ["chancy", "random"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"games": 0}, ("games", 1, 0)),
        ({"games": 10**8}, ("games", 10**7, 10**8)),
        ({"games": 1.5}, ("games", "whole number", 1.5)),
        ({"seed": -1}, ("seed", "2**63-1", -1)),
        ({"tables": "some"}, ("tables", "mixed", "one", "both", "'some'")),
        ({"workers": -1}, ("workers", 0, -1)),
        ({"most_decisions": 0}, ("most_decisions", 1, 0)),
        ({"measured": -1}, ("measured", 0, -1)),
        ({"seconds_per_decision": 0.0}, ("seconds", "decision", 0, "0.0")),
        ({"seconds_per_decision": "10"}, ("seconds", "decision", 0, "'10'")),
        ({"seconds_per_decision": float("nan")}, ("seconds", "decision", 0, "nan")),
        ({"scenario": "4Z"}, ("scenario", "'4Z'", "4A")),
    ],
)
def test_what_cannot_be_played(wrong: dict[str, Any], words: tuple[object, ...]) -> None:
    with pytest.raises(MascaradeError, match=facts(*words)):
        run(["random", CHANCY], **{"scenario": DUEL, **wrong})
