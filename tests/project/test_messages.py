"""The patterns by which tests read messages are neither too narrow nor too wide."""

import re

import pytest

from tests.messages import facts, lines_stating, states

MESSAGE = "agents of 4A: give --league-keep 13 (0..20),\nnot -5; pip install 'mascarade-env[sb3]'."


@pytest.mark.parametrize(
    "given",
    [
        ("4A", 13, "--league-keep"),
        ("--league-keep", 13, "4A"),  # in any order
        (0, 20, -5),
        ("13 (0..20), not",),  # over the end of a line
        ("pip install", "mascarade-env[sb3]", "[sb3]"),
    ],
)
def test_a_message_states_its_facts(given: tuple[object, ...]) -> None:
    assert re.search(facts(*given), MESSAGE)
    assert states(MESSAGE, *given)


@pytest.mark.parametrize(
    "other", [4, "A", 3, 1, 5, "league", "--league", "keep", "agent", "sb", "mascarade", "12"]
)
def test_a_part_of_a_name_or_number_is_another_fact(other: object) -> None:
    assert not states(MESSAGE, other)
    assert not states(MESSAGE, "4A", other)


@pytest.mark.parametrize("text", ["0.4", "4.5", "1,004", "4,000", "-4", "14", "4A", "v4"])
def test_a_number_is_found_whole(text: str) -> None:
    assert not states(text, 4)


def test_lines_are_read_one_by_one() -> None:
    assert states(MESSAGE, "4A", -5)
    assert lines_stating(MESSAGE, "4A", -5) == []
    assert lines_stating(MESSAGE, 20) == [MESSAGE.splitlines()[0]]


@pytest.mark.parametrize("empty", ["", " ", ".", "'"])
def test_what_every_text_states_is_refused(empty: str) -> None:
    with pytest.raises(ValueError, match="a word or a number"):
        facts("4A", empty)
