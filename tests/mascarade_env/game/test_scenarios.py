"""Scenarios as data: names, records, and errors about their fields."""

from typing import Any

import pytest

from mascarade_env import MASKS, Game, Scenario, ScenarioError, UnknownNameError, scenarios
from mascarade_env.game._masks import MASK_IDS, mask_number
from mascarade_env.game._scenarios import resolve
from tests.mascarade_env.game.tables import PRINTED
from tests.messages import facts


def custom(**fields: Any) -> Scenario:
    masks = ["king", "thief", "judge"]
    return Scenario.from_dict({"players": 3, "masks": masks, "strict": False, **fields})


def test_the_named_scenarios() -> None:
    tables = [f"{players}{side}" for players in range(4, 13) for side in "AB"]
    assert tables == PRINTED
    assert list(scenarios())[len(tables) :] == [
        "tiny-2", "small-2", "small-3", "medium-4", "powers-3",
    ]  # fmt: skip
    assert resolve("TINY-2") == resolve("tiny-2")
    assert not any(scenario.official for scenario in scenarios().values())
    assert scenarios()["9A"].masks == (*scenarios()["8A"].masks, "cheat")
    assert scenarios()["12A"].masks == (*scenarios()["8A"].masks, "cheat", "spy", "guru", "widow")


def test_a_scenario_survives_its_record() -> None:
    for scenario in (*scenarios().values(), custom(turn_limit=3, at_limit="richest")):
        assert Scenario.from_dict(scenario.to_dict()) == scenario


def test_kinds_are_the_different_masks_in_the_order_of_the_list() -> None:
    assert scenarios()["8A"].kinds == (
        "judge", "empress", "king", "fool", "peasant", "trickster", "witch",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"name": ""}, ("name", "''")),
        ({"name": 3}, ("name", 3)),
        ({"players": "3"}, ("players", "whole number", "'3'")),
        ({"players": 3.0}, ("players", "whole number", "3.0")),
        ({"players": None}, ("players", "whole number", None)),
        ({"goal_coins": True}, ("goal_coins", "whole number", True)),
        ({"goal_coins": 1001}, ("goal_coins", 1000, 1001)),
        ({"turn_limit": "x"}, ("turn_limit", "whole number", "'x'")),
        ({"turn_limit": 0}, ("rule 7.3", "turn_limit", 1, 10**6, "null", 0)),
        ({"opening_turns": -1}, ("rule 4.1", "opening_turns", 0, 10**6, -1)),
        ({"at_limit": "draw"}, ("at_limit", "void", "richest", "'draw'")),
        ({"strict": 0}, ("strict", "true", "false", 0)),
        ({"fixed_deal": "yes"}, ("fixed_deal", "true", "false", "'yes'")),
        ({"masks": "king"}, ("masks", "list", "'king'")),
        ({"masks": None}, ("masks", "list", None)),
        ({"masks": ["king", "king", "judge"]}, ("king", "one card", 2)),
        ({"masks": ["peasant", "king", "judge"]}, ("peasant", "2 cards", 1)),
        ({"official": 1}, ("official", "true", "false", 1)),
    ],
)
def test_fields_that_are_refused(fields: dict[str, Any], why: tuple[object, ...]) -> None:
    with pytest.raises(ScenarioError, match=facts(*why)):
        custom(**fields)


@pytest.mark.parametrize("masks", [["king", "jester", "judge"], ["king", 3, "judge"], [[], {}, 1]])
def test_masks_that_do_not_exist(masks: list[Any]) -> None:
    with pytest.raises(
        UnknownNameError, match=facts("mask", repr(next(m for m in masks if m not in MASK_IDS)))
    ):
        custom(masks=masks)


@pytest.mark.parametrize("scenario", ["13A", "", "a6", None, 6, b"6A", ["6A"]])
def test_scenarios_that_do_not_exist(scenario: Any) -> None:
    with pytest.raises(UnknownNameError, match=facts("scenario", repr(scenario))):
        resolve(scenario)
    with pytest.raises(UnknownNameError):
        Game(scenario)


@pytest.mark.parametrize("name", ["7Z", "4a", 4])
def test_a_key_without_a_scenario_is_a_key_error_that_lists_the_names(name: Any) -> None:
    with pytest.raises(KeyError, match=facts("scenario", repr(name), "4A", "powers-3")) as raised:
        scenarios()[name]
    assert isinstance(raised.value, UnknownNameError)
    assert name not in scenarios()
    assert scenarios().get(name) is None


def test_the_sixteen_masks_on_seventeen_cards() -> None:
    assert len(MASKS) == 16
    assert len(set(MASK_IDS)) == 16
    assert sum(mask.copies for mask in MASKS) == 17
    assert [mask_number(mask_id) for mask_id in MASK_IDS] == list(range(16))


def test_every_mask_is_in_some_named_scenario() -> None:
    assert {mask for s in scenarios().values() for mask in s.masks} == set(MASK_IDS)
