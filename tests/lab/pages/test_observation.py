import re

import pytest

from lab.pages.observation import PAGE, page
from mascarade_env import scenarios
from mascarade_env.game import _events as events
from mascarade_env.observation._blocks import BLOCKS, COLUMNS


def test_the_page_is_not_stale() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `make observation`"


def test_the_page_has_every_scenario_block_and_column() -> None:
    text = PAGE.read_text("utf-8")
    for name in scenarios():
        assert f"### {name}\n" in text
    for block in (*BLOCKS, *COLUMNS):
        assert f"| `{block.name}` |" in text


def test_kinds_of_events_have_their_names() -> None:
    for number, name in enumerate(events.KINDS):
        assert getattr(events, name) == number
    assert len(events.KINDS) == events.ASK + 1


def test_links_of_the_page_lead_somewhere() -> None:
    for target, anchor in re.findall(r"\]\(([^)#]+)#([^)]+)\)", PAGE.read_text("utf-8")):
        headings = [
            re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
            for line in (PAGE.parent / target).read_text("utf-8").splitlines()
            if line.startswith("#")
        ]
        assert anchor in headings


def test_the_code_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(code, {})
    assert "own seat: 6 coins" in capsys.readouterr().out
