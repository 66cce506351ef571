"""The page of versions, and that its fingerprints notice what they are for."""

from collections.abc import Callable
from typing import Any

import pytest

from mascarade_env import versions_page
from mascarade_env.core.actions import word_of
from mascarade_env.core.scenarios import scenarios
from mascarade_env.core.schema import Schema
from mascarade_env.versions_page import PAGE, page
from tests.tiers import SAMPLE


def test_the_page_is_not_stale() -> None:
    assert PAGE.read_text("utf-8") == page(), (
        "rules, observations or actions have changed: run `make versions`, read what it says must "
        "be raised, and say so in the changelog"
    )


def test_each_scenario_has_a_line() -> None:
    text = PAGE.read_text("utf-8")
    for name in scenarios():
        assert text.count(f"\n| {name} | {Schema(name).size} `") == 1


def _renamed(make: Callable[..., Any]) -> Callable[..., Any]:
    return lambda row, action: make(row, action).replace("swap", "exchange")


def test_a_changed_word_changes_the_fingerprint_of_actions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = scenarios()["4A"]
    before = versions_page._of_actions(scenario)
    assert versions_page._of_actions(scenario) == before
    monkeypatch.setattr(versions_page, "word_of", _renamed(word_of))
    assert versions_page._of_actions(scenario) != before


def test_a_moved_number_changes_the_fingerprint_of_observations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    schema = Schema("4A")
    before = versions_page._of_observation(schema)
    assert versions_page._of_observation(Schema("4A")) == before

    class Moved(Schema):
        def __init__(self, *given: Any, **told: Any) -> None:
            super().__init__(*given, **told)
            turn, goal = self.places["turn"], self.places["goal"]
            self.places = {**self.places, "turn": goal, "goal": turn}

    monkeypatch.setattr(versions_page, "Schema", Moved)
    assert versions_page._of_observation(schema) != before


def test_another_deal_or_rule_changes_the_fingerprint_of_rules() -> None:
    found = {versions_page._of_rules(scenarios()[name]) for name in SAMPLE}
    assert len(found) == len(SAMPLE)
