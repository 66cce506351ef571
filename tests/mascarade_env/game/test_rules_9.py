"""The rules on masks as cards (2) and on scenarios (9)."""

from typing import Any

import pytest

from mascarade_env import MASKS, Game, Scenario, ScenarioError, scenarios

SIX = "judge trickster empress king witch cheat"
PEASANTS = "judge empress king peasant peasant"
LISTS = {
    "4A": "judge trickster empress patron fool thief",
    "4B": "judge patron king beggar witch spy",
    "5A": "judge trickster empress king witch cheat",
    "5B": "judge patron widow beggar spy cheat",
    "6A": "judge trickster empress king witch cheat",
    "6B": "judge patron princess fool beggar witch",
    "7A": "judge trickster empress king fool thief witch",
    "7B": "judge patron princess fool beggar trickster cheat",
    "8A": "judge trickster empress king fool witch peasant peasant",
    "8B": "judge patron princess widow puppet_master guru spy cheat",
    "9A": "judge trickster empress king fool witch peasant peasant cheat",
    "9B": "judge peasant peasant patron princess puppet_master beggar spy witch",
    "10A": "judge trickster empress king fool witch peasant peasant cheat spy",
    "10B": "judge empress patron princess widow puppet_master guru beggar spy cheat",
    "11A": "judge trickster empress king fool witch peasant peasant cheat spy guru",
    "11B": "judge peasant peasant king patron princess puppet_master guru witch thief cheat",
    "12A": "judge trickster empress king fool witch peasant peasant cheat spy guru widow",
    "12B": "judge peasant peasant fool patron princess widow puppet_master guru beggar spy "
    "trickster",
}


def test_rule_2_coin_symbols_smallest_tables_and_cards() -> None:
    coin = {mask.id for mask in MASKS if mask.coin_symbol}
    assert coin == {"empress", "king", "widow", "patron", "princess", "fool", "peasant"}
    fewest = {mask.id: mask.min_players for mask in MASKS if mask.min_players is not None}
    assert fewest == {"princess": 6, "peasant": 8, "guru": 8, "puppet_master": 8}
    assert len(MASKS) == 16
    assert {mask.id for mask in MASKS if mask.copies != 1} == {"peasant"}


def test_rule_9_the_named_scenarios_are_the_unofficial_lists() -> None:
    tables = {name: scenario for name, scenario in scenarios().items() if scenario.strict}
    assert {name: sorted(s.masks) for name, s in tables.items()} == {
        name: sorted(masks.split()) for name, masks in LISTS.items()
    }
    for name, scenario in tables.items():
        assert scenario.players == int(name[:-1])
    assert not any(scenario.official for scenario in scenarios().values())


def scenario_of(players: int, masks: str, **settings: Any) -> Scenario:
    return Scenario("custom", players, tuple(masks.split()), **settings)


@pytest.mark.parametrize(
    ("players", "masks", "settings", "rule"),
    [
        (2, SIX, {}, "3.1"),
        (3, SIX, {}, "3.1"),
        (6, SIX, {"start_coins": 5}, "3.1"),
        (6, SIX, {"goal_coins": 12}, "7.1"),
        (6, SIX, {"opening_turns": 3}, "4.1"),
        (6, SIX, {"opening_turns": 6}, "4.1"),
        (6, SIX, {"at_limit": "richest", "turn_limit": 50}, "7.3"),
        (4, "judge empress king witch", {}, "3.2"),
        (4, "judge empress king witch cheat", {}, "3.2"),
        (5, "judge empress king witch cheat", {}, "3.2"),
        (5, SIX + " patron", {}, "3.2"),
        (6, SIX + " patron widow fool", {}, "3.2"),
        (6, "trickster empress king witch cheat spy", {}, "9"),  # no Judge
        (6, "judge trickster empress spy witch cheat", {}, "9"),  # coin masks: 1 of 6
        (7, SIX + " spy", {}, "9"),  # 2 of 7
        (6, SIX + " spy", {}, "9"),  # 2 of 7, the centre counts
        (5, "judge princess empress king witch cheat", {}, "9"),
        (7, PEASANTS + " witch cheat", {}, "9"),
        (7, SIX + " patron guru", {}, "9"),
        (7, SIX + " patron puppet_master", {}, "9"),
    ],
)
def test_rule_9_what_only_research_scenarios_may_do(
    players: int, masks: str, settings: dict[str, Any], rule: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        scenario_of(players, masks, **settings)
    assert caught.value.rule == rule
    assert f"rule {rule}" in str(caught.value)
    lifted = scenario_of(players, masks, strict=False, **settings)
    assert Game(lifted, seed=1).coins == [lifted.start_coins] * players


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    ("players", "masks", "settings"),
    [
        (6, "judge empress king witch cheat", {}),  # fewer masks than seats
        (8, SIX + " peasant patron", {}),
        (8, PEASANTS + " peasant witch cheat", {}),
        (6, "judge king king witch cheat empress", {}),
        (6, "judge judge king witch cheat empress", {}),
        (2, "judge fool", {}),
        (2, "judge puppet_master king", {}),
        (6, SIX, {"start_coins": 0}),
        (6, SIX, {"start_coins": -1}),
        (6, SIX, {"start_coins": 13}),
        (6, SIX, {"start_coins": 14}),
        (6, SIX, {"goal_coins": 6}),
        (13, LISTS["12A"] + " patron", {}),
        (12, LISTS["12A"] + " patron princess thief", {}),  # 15 masks
    ],
)
def test_rule_9_what_is_never_lifted(
    players: int, masks: str, settings: dict[str, Any], strict: bool
) -> None:
    with pytest.raises(ScenarioError, match=r"^rule \d"):
        scenario_of(players, masks, strict=strict, **settings)


@pytest.mark.parametrize(
    ("players", "masks", "settings"),
    [
        (6, SIX, {}),  # a third: 2 of 6
        (7, SIX + " patron", {"turn_limit": 100}),
        (6, SIX + " patron", {}),  # one mask in the centre
        (6, SIX + " patron spy", {}),  # two
        (6, "judge princess empress spy witch cheat", {}),
        (8, PEASANTS + " guru puppet_master cheat", {}),
        (12, LISTS["12A"] + " patron princess", {}),
    ],
)
def test_rule_9_custom_scenarios_within_the_rules(
    players: int, masks: str, settings: dict[str, Any]
) -> None:
    scenario = scenario_of(players, masks, **settings)
    assert scenario.strict
    game = Game(scenario, seed=1)
    centre = {f"take:{slot}" for slot in range(players, len(masks.split()))}
    assert centre <= set(game.legal_actions())
    assert sorted(game.masks) == sorted(masks.split())


@pytest.mark.parametrize(
    ("players", "masks", "settings"),
    [
        (2, "judge king", {"start_coins": 1, "goal_coins": 2, "opening_turns": 0}),
        (3, "fool puppet_master guru", {"start_coins": 12}),
        (12, LISTS["12B"] + " cheat king", {"goal_coins": 30, "opening_turns": 12}),
    ],
)
def test_rule_9_research_scenarios_at_the_edge(
    players: int, masks: str, settings: dict[str, Any]
) -> None:
    game = Game(scenario_of(players, masks, strict=False, **settings), seed=1)
    assert game.coins == [settings.get("start_coins", 6)] * players
    assert ("look" in game.legal_actions()) == (settings.get("opening_turns", 4) == 0)


@pytest.mark.parametrize("fixed", [True, False])
def test_rule_9_a_fixed_deal_is_the_list_itself(fixed: bool) -> None:
    scenario = scenario_of(6, SIX, fixed_deal=fixed)
    deals = {tuple(Game(scenario, seed=seed).deal) for seed in range(20)}
    assert (deals == {tuple(SIX.split())}) == fixed
