"""The examples of agents/README.md run as they stand."""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def test_the_examples_run() -> None:
    text = (ROOT / "agents/README.md").read_text("utf-8")
    blocks = re.findall(r"```python( continued)?\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 2
    space: dict[str, Any] = {}
    for continued, block in blocks:
        space = space if continued else {"__name__": "readme"}
        exec(compile(block, "agents/README.md", "exec"), space)
    assert space["outcome"].results.agents == ("random", "cautious")


def test_an_agent_takes_twenty_lines() -> None:
    text = (ROOT / "agents/README.md").read_text("utf-8")
    example = re.search(r"class Cautious.*?\n\n\n", text, re.DOTALL)
    assert example is not None
    assert len(example[0].strip().splitlines()) <= 20
