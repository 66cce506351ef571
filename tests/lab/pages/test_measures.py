"""The page of measures."""

import re

import pytest

from lab.pages.measures import PAGE, page
from mascarade_agents.behaviour import MEASURES
from tests.messages import states


def test_the_page_is_not_stale() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `make measures`"


def test_the_page_lists_every_measure_once() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert rows == [m.name for m in MEASURES]
    assert len(set(rows)) == len(rows)
    assert len({m.title for m in MEASURES}) == len(rows)


def test_a_formula_states_value_opportunities_and_conditions() -> None:
    formulas = {m.name: m.formula for m in MEASURES}
    value, _, opportunities = formulas["bluff_success"].partition(" / ")
    assert states(value, "claims")
    assert states(opportunities, "announcements", "false", "answered")
    assert formulas["look_rate"] == "look / turns"
    value, _, opportunities = formulas["look_bits"].partition(" / ")
    assert states(value, "sum", "entropy")
    assert states(opportunities, "looks", "exact")
    assert "|" not in "".join(formulas.values())  # it would break the table


def test_links_of_the_page_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#([^)]+))?\)", PAGE.read_text("utf-8"))
    assert links
    for target, anchor in links:
        text = (PAGE.parent / target).read_text("utf-8")
        headings = [
            re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
            for line in text.splitlines()
            if line.startswith("#")
        ]
        assert not anchor or anchor in headings


def test_the_code_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(code, {})
    assert "Estimate(value=" in capsys.readouterr().out
