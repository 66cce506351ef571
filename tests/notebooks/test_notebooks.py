"""The lessons: they run, with their solutions, and show what their stored outputs show."""

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from lab import lessons
from mascarade_env._errors import MascaradeError
from tests.messages import facts
from tests.project.test_workflows import PROJECT
from tests.tiers import slow_from

LESSONS = lessons.all_lessons()
FIRST_LESSONS = LESSONS[:3]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:(jupyter_client|zmq|tornado).*")

#: Packages that lessons 1 to 3 do without, though their tests have them.
ABSENT = ("matplotlib", "PIL", "scipy", "pandas", "torch", "stable_baselines3", "tensorboard")


def name_of(path: Path) -> str:
    return path.stem


def solved(lesson: dict[str, Any]) -> dict[str, Any]:
    """Return a lesson with each solution in the empty cell after its exercise."""
    lesson = copy.deepcopy(lesson)
    solution = ""
    for cell in lesson["cells"]:
        if cell["cell_type"] == "markdown" and "<summary>Solution" in cell["source"]:
            blocks = re.findall(r"```python\n(.*?)```", cell["source"], re.DOTALL)
            solution = "\n".join(blocks)
        elif cell["cell_type"] == "code" and cell["source"].strip() == lessons.ANSWER:
            assert solution, "an exercise without a solution"
            cell["source"], solution = solution, ""
    assert not solution, "a solution without a cell to try it in"
    return lesson


def without_packages(lesson: dict[str, Any]) -> dict[str, Any]:
    """Return a lesson in whose kernel these packages cannot be imported."""
    program = f"import sys\nsys.modules.update(dict.fromkeys({ABSENT}))"
    cell = {"cell_type": "code", "id": "absent", "metadata": {}, "source": program, "outputs": []}
    return {**lesson, "cells": [{**cell, "execution_count": None}, *lesson["cells"]]}


def kinds(cell: dict[str, Any]) -> list[str]:
    """Return what a cell shows: "text" or a kind of picture."""
    return [next(iter(output.get("data", ["text"]))) for output in cell["outputs"]]


def game_picture(output: dict[str, Any]) -> str | None:
    """Return a picture of a game, which is the same on every machine; None for another output."""
    svg = output.get("data", {}).get("image/svg+xml")
    text = svg if isinstance(svg, str) else "".join(svg or ())
    return text if 'class="mascarade' in text[:200] else None


def differences(stored: dict[str, Any], fresh: dict[str, Any]) -> list[str]:
    """Return the cells that show something else than what is stored.

    Charts depend on fonts, and volatile cells on the machine: there, only kinds are compared.
    """
    shown = {cell["id"]: cell for cell in fresh["cells"]}
    different = []
    for cell in stored["cells"]:
        if cell["cell_type"] == "markdown" or cell["source"].strip() == lessons.ANSWER:
            continue
        new = shown[cell["id"]]
        if kinds(cell) != kinds(new):
            different.append(f"{cell['id']} shows {kinds(new)} and stores {kinds(cell)}")
        if lessons.VOLATILE not in cell["metadata"].get("tags", ()):
            for old_output, new_output in zip(cell["outputs"], new["outputs"], strict=False):
                old_text, new_text = lessons.text_of(old_output), lessons.text_of(new_output)
                if game_picture(old_output) != game_picture(new_output):
                    different.append(f"{cell['id']} shows another picture of a game")
                if old_text != new_text:
                    different.append(f"{cell['id']} shows\n{new_text}\nand stores\n{old_text}")
    return different


def test_there_are_lessons() -> None:
    assert [path.stem for path in LESSONS] == list(lessons.NEEDS)
    assert len(LESSONS) >= 7


@pytest.mark.parametrize("path", LESSONS, ids=name_of)
def test_stored_outputs_are_tidy_small_and_of_this_code(path: Path) -> None:
    assert list(lessons.faults(path)) == []


def test_all_lessons_together_are_small() -> None:
    sizes = [path.stat().st_size for path in LESSONS]
    assert sum(sizes) <= lessons.MOST_BYTES_TOGETHER


@pytest.mark.parametrize("path", LESSONS, ids=name_of)
def test_a_lesson_has_exercises_and_shows_outputs(path: Path) -> None:
    cells = lessons.read(path)["cells"]
    assert [cell["id"] for cell in cells[1:4:2]] == ["badges", "install"]
    answers = [cell for cell in cells if cell["source"].strip() == lessons.ANSWER]
    assert len(answers) >= 3
    assert not any(cell["outputs"] for cell in answers)
    assert any("image" in kind for cell in cells if "outputs" in cell for kind in kinds(cell))


@pytest.mark.parametrize("path", FIRST_LESSONS, ids=name_of)
def test_the_first_lessons_need_no_extra(path: Path) -> None:
    assert lessons.NEEDS[path.stem] == ("", ())


@pytest.mark.parametrize("path", slow_from(1, LESSONS), ids=name_of)
def test_a_lesson_and_its_solutions_run_and_show_what_is_stored(path: Path) -> None:
    """Lessons 1 to 3 run without the packages of extras; all train and play for a short time."""
    stored = lessons.read(path)
    lesson = solved(stored)
    if path in FIRST_LESSONS:
        lesson = without_packages(lesson)
    fresh = lessons.tidy(lessons.run(lesson, short=True), path.stem)
    assert differences(stored, fresh) == []


def lesson_of(source: str = "1 + 1", outputs: list[Any] | None = None) -> dict[str, Any]:
    """Return a notebook with one cell, as Jupyter may save it."""
    cell = {
        "cell_type": "code",
        "id": "one",
        "metadata": {"tags": ["volatile"], "execution": {"iopub.execute_input": "12:00"}},
        "source": source,
        "execution_count": 7,
        "outputs": outputs or [],
    }
    metadata = {"language_info": {"name": "python", "version": "3.11.7"}, "kernelspec": {}}
    return {"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def test_tidying_removes_what_differs_from_run_to_run() -> None:
    outputs: list[Any] = [
        {"output_type": "stream", "name": "stderr", "text": ["compiling ...\n"]},
        {
            "output_type": "stream",
            "name": "stdout",
            "text": ["10%\r50%\r", "\x1b[31mdone\x1b[0m \n"],
        },
        {"output_type": "stream", "name": "stdout", "text": ["next\n"]},
        {
            "output_type": "execute_result",
            "execution_count": 7,
            "metadata": {"image/svg+xml": {"isolated": True}},
            "data": {"text/plain": "Picture(...)", "text/html": "<b>", "image/svg+xml": "<svg/>"},
        },
    ]
    (cell,) = lessons.tidy(lesson_of(outputs=outputs), "01_tour")["cells"]
    assert cell["metadata"] == {"tags": ["volatile"]}
    assert cell["execution_count"] is None
    printed, result = cell["outputs"]
    assert printed["text"] == ["done\n", "next\n"]
    assert result["data"] == {"image/svg+xml": ["<svg/>"]}
    assert (result["metadata"], result["execution_count"]) == ({}, None)


def test_charts_become_smaller() -> None:
    font = "font: 10px 'DejaVu Sans', 'Bitstream Vera Sans', Arial, sans-serif; x: y"
    svg = f"""<svg>
      <!-- a title -->
      <path d="M 1.23456 2
        L 3.5 4.001"/>
      <text x="1.23456" style="{font}">1.23456</text>
    </svg>
    """
    output = {"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": svg}}
    (cell,) = lessons.tidy(lesson_of(outputs=[output]), "07_masks")["cells"]
    (shown,) = cell["outputs"]
    assert "".join(shown["data"]["image/svg+xml"]) == (
        '<svg>\n<path d="M 1.23 2 L 3.5 4.00"/>\n'
        '<text x="1.23456" style="font: 10px \'DejaVu Sans\', sans-serif; x: y">1.23456</text>\n'
        "</svg>"
    )


def test_progress_is_not_stored() -> None:
    lesson = lesson_of(outputs=printed("50%, 12k/s\n"))
    lesson["cells"][0]["metadata"]["tags"] = ["progress"]
    (cell,) = lessons.tidy(lesson, "06_train_ppo")["cells"]
    assert cell["outputs"] == []


def test_tidying_again_changes_nothing() -> None:
    once = lessons.tidy(lesson_of(), "01_tour")
    assert lessons.tidy(once, "01_tour") == once


def faulty(folder: Path, **changes: Any) -> list[str]:
    """Return the faults of a tidy lesson that was then changed."""
    lesson = lesson_of(outputs=changes.pop("outputs", None))
    lesson["metadata"]["mascarade"] = {"code": lessons.code_digest(lesson)}
    lesson = lessons.tidy(lesson, "01_tour")
    lesson["cells"][0] |= changes
    path = folder / "01_tour.ipynb"
    path.write_text(lessons.as_text(lesson), "utf-8")
    return list(lessons.faults(path))


def printed(text: str) -> list[Any]:
    return [{"output_type": "stream", "name": "stdout", "text": [text]}]


def test_faults_are_found_without_running(tmp_path: Path) -> None:
    assert faulty(tmp_path) == []
    (fault,) = faulty(tmp_path, execution_count=3)
    assert "--tidy-only notebooks/01_tour.ipynb" in fault
    (fault,) = faulty(tmp_path, source="1 + 2")
    assert "python -m lab lessons notebooks/01_tour.ipynb" in fault
    (fault,) = faulty(tmp_path, outputs=printed("x" * 300_001))
    assert "300,000" in fault
    (fault,) = faulty(tmp_path, outputs=printed("see /home/ann/runs\n"))
    assert "/home/ann/runs" in fault
    error = {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": []}
    (fault,) = faulty(tmp_path, outputs=[error])
    assert "cell 1" in fault


def test_a_cell_that_fails_is_named() -> None:
    with pytest.raises(MascaradeError, match=facts("ZeroDivisionError", "1 / 0")):
        lessons.run(lesson_of("1 / 0"))


def test_the_installing_cell_does_nothing_where_all_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`%pip` is not Python, so a call replaces it."""
    installed: list[str] = []
    for name in lessons.NEEDS:
        program = re.sub(r"%pip (.*)", r"installed.append(r'''\1''')", lessons.install(name))
        exec(program, {"installed": installed})
    assert installed == []
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if "torch" in name else 1)
    program = re.sub(r"%pip (.*)", r"installed.append(r'''\1''')", lessons.install("07_masks"))
    exec(program, {"installed": installed})
    (command,) = installed
    assert '"mascarade-env[train,plot] @ https://' in command


def test_extras_of_lessons_exist() -> None:
    extras = PROJECT["optional-dependencies"]
    for needs in lessons.NEEDS.values():
        assert set(filter(None, needs.extra.split(","))) <= set(extras)


def test_the_command_reports_faults_and_tidies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faulty(tmp_path, execution_count=3)
    path = tmp_path / "01_tour.ipynb"
    with pytest.raises(MascaradeError, match=facts("01_tour.ipynb", "--tidy-only")):
        lessons.lessons((path,), check=True)
    lessons.lessons((path,), tidy_only=True)
    assert "01_tour.ipynb" in capsys.readouterr().out
    lessons.lessons((path,), check=True)
