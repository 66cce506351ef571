"""The examples of agents/README.md run without changes."""

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # one writes a file
    text = (ROOT / "agents/README.md").read_text("utf-8")
    blocks = re.findall(r"```python( continued)?\n(.*?)```", text, re.DOTALL)
    space: dict[str, Any] = {}
    outcome: Any = None
    for continued, block in blocks:
        space = space if continued else {"__name__": "readme"}
        exec(compile(block, "agents/README.md", "exec"), space)
        outcome = space.get("outcome", outcome)
    assert outcome.results.agents == ("random", "cautious")


def test_an_agent_takes_twenty_lines() -> None:
    text = (ROOT / "agents/README.md").read_text("utf-8")
    example = re.search(r"class Cautious.*?\n\n\n", text, re.DOTALL)
    assert example is not None
    assert len(example[0].strip().splitlines()) <= 20
