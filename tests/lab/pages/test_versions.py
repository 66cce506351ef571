"""The page of versions, and that its fingerprints notice what they are for."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from lab.pages import versions as versions_page
from lab.pages.versions import PAGE, page
from mascarade_env.game._actions import word_of
from mascarade_env.game._events import KINDS
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import PHASES
from mascarade_env.game._scenarios import scenarios
from mascarade_env.knowledge._facts import ANSWERS
from mascarade_env.observation import _schema as schema_module
from mascarade_env.observation._blocks import BLOCKS, COLUMNS, Block
from mascarade_env.observation._schema import Schema
from tests.tiers import SAMPLE


@pytest.mark.slow
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


def _fingerprints() -> list[str]:
    return [versions_page._of_observation(Schema("4A", padded=padded)) for padded in (False, True)]


def _changed(blocks: tuple[Block, ...], name: str, /, **changes: Any) -> tuple[Block, ...]:
    """The blocks, one of them changed."""
    assert name in [block.name for block in blocks]
    return tuple(replace(block, **changes) if block.name == name else block for block in blocks)


def test_another_wording_leaves_the_fingerprint_of_observations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = _fingerprints()
    for name, blocks in (("BLOCKS", BLOCKS), ("COLUMNS", COLUMNS)):
        reworded = tuple(replace(block, meaning="in other words") for block in blocks)
        monkeypatch.setattr(schema_module, name, reworded)
    assert Schema("4A").places["turn"].block.meaning == "in other words"
    assert Schema("4A").columns["coins"].block.meaning == "in other words"
    assert _fingerprints() == before


@pytest.mark.parametrize(
    ("part", "now"),
    [
        ("BLOCKS", _changed(BLOCKS, "exact", axes=(3,))),
        ("BLOCKS", _changed(BLOCKS, "turn", low=-1)),
        ("BLOCKS", _changed(BLOCKS, "goal", high=2)),
        ("BLOCKS", _changed(BLOCKS, "turn", name="time")),
        ("BLOCKS", _changed(BLOCKS, "turn", encoding="turns/80")),
        ("BLOCKS", _changed(BLOCKS, "phase", entries=(*PHASES[1:], PHASES[0]))),
        ("BLOCKS", (*BLOCKS[:5], BLOCKS[6], BLOCKS[5], *BLOCKS[7:])),
        ("COLUMNS", _changed(COLUMNS, "sure", name="certain")),
        ("COLUMNS", _changed(COLUMNS, "unproven", encoding="tally/8/32767")),
        ("COLUMNS", _changed(COLUMNS, "answer", entries=ANSWERS[::-1])),
        ("COLUMNS", (COLUMNS[1], COLUMNS[0], *COLUMNS[2:])),
    ],
)
def test_another_shape_range_name_id_or_order_changes_the_fingerprint_of_observations(
    monkeypatch: pytest.MonkeyPatch, part: str, now: tuple[Block, ...]
) -> None:
    before = _fingerprints()
    monkeypatch.setattr(schema_module, part, now)
    assert not set(_fingerprints()) & set(before)


@pytest.mark.parametrize(
    ("name", "now"),
    [("KINDS", KINDS[::-1]), ("KEPT", 1), ("MASK_IDS", MASK_IDS[::-1]), ("CENTRE_WORD", 0)],
)
def test_another_word_of_events_changes_the_fingerprint_of_observations(
    monkeypatch: pytest.MonkeyPatch, name: str, now: object
) -> None:
    before = _fingerprints()
    monkeypatch.setattr(versions_page, name, now)
    assert not set(_fingerprints()) & set(before)


def test_another_deal_or_rule_changes_the_fingerprint_of_rules() -> None:
    found = {versions_page._of_rules(scenarios()[name]) for name in SAMPLE}
    assert len(found) == len(SAMPLE)
