import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.tiers import slow_from

read: Any = nbformat.read  # has no annotations
LESSONS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def test_there_are_lessons() -> None:
    assert LESSONS


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_kept_without_outputs(path: Path) -> None:
    for cell in read(path, as_version=4).cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@pytest.mark.parametrize("path", slow_from(1, LESSONS), ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::DeprecationWarning:(jupyter_client|zmq|tornado).*")
def test_a_lesson_and_its_solutions_run(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each solution runs in the empty cell after its exercise, as a reader would try it."""
    monkeypatch.setenv("MASCARADE_SHORT", "1")  # lessons that train do so for a shorter time
    lesson = read(path, as_version=4)
    solution = ""
    solved = 0
    for cell in lesson.cells:
        if cell.cell_type == "markdown" and "<summary>Solution" in cell.source:
            blocks = re.findall(r"```python\n(.*?)```", cell.source, re.DOTALL)
            solution = "\n".join(blocks)
        elif cell.cell_type == "code" and cell.source.strip() == "# your answer":
            assert solution, "an exercise without a solution"
            cell.source, solution = solution, ""
            solved += 1
    assert solved >= 3
    assert not solution, "a solution without a cell to try it in"
    # A busy machine without compiled code takes minutes for what else takes seconds.
    NotebookClient(
        lesson, timeout=1800, startup_timeout=600, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
