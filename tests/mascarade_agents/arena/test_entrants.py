from typing import Any

import pytest

from mascarade_agents.arena import run
from mascarade_agents.arena.entrants import entrants, split_names
from mascarade_env import MascaradeError
from tests.mascarade_agents.arena.saboteurs import DUEL, Chancy, Unmade, not_an_agent

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
        ("random", "a list of names"),
        ([], "two agents or more"),
        (["random"], "two agents or more, not 1"),
        (["random", "random"], "'random' is listed twice"),
        ([CHANCY, "chancy"], "'chancy' is listed twice"),
        (["random", 3], "not 3"),
        (["random", ("mine", 3)], "not .'mine', 3."),
        (["random", "randon"], "unknown agent 'randon'; did you mean 'random'"),
        (["random", "random:3"], "takes nothing after a colon, not '3'"),
        (["random", ("bad", Unmade)], "'bad' cannot be made: OSError: no such network"),
        (["random", ("bad", not_an_agent)], "'bad' is no mascarade_agents.Agent"),
    ],
)
def test_who_cannot_take_part(agents: Any, words: str) -> None:
    with pytest.raises(MascaradeError, match=words):
        run(agents, DUEL, games=2)


def test_the_argument_is_what_follows_the_first_colon() -> None:
    with pytest.raises(MascaradeError, match="takes nothing after a colon, not '1:2'"):
        run([CHANCY, ("mine:1:2", Chancy)], DUEL, games=2)
    assert [each.name for each in entrants([CHANCY, "random"])] == ["chancy", "random"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"games": 0}, "games is 1 or more"),
        ({"games": 10**8}, "at most"),
        ({"games": 1.5}, "a whole number"),
        ({"seed": -1}, "a seed lies in"),
        ({"tables": "some"}, "tables are one of"),
        ({"workers": -1}, "workers is 0 or more"),
        ({"most_decisions": 0}, "most_decisions is 1 or more"),
        ({"measured": -1}, "measured is 0 or more"),
        ({"seconds_per_decision": 0.0}, "more than 0"),
        ({"seconds_per_decision": "10"}, "more than 0, not '10'"),
        ({"seconds_per_decision": float("nan")}, "more than 0"),
        ({"scenario": "4Z"}, "unknown scenario '4Z'"),
    ],
)
def test_what_cannot_be_played(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(MascaradeError, match=words):
        run(["random", CHANCY], **{"scenario": DUEL, **wrong})
