"""Tests of agents/BOTS.md: its code."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "agents/BOTS.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_code_runs(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(BLOCKS[number], "agents/BOTS.md", "exec"), {"__name__": "page"})
    assert re.match(r"player 1 plays \S+\n|\S+ out of \S+", capsys.readouterr().out)
