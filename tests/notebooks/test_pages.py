"""README.md and TEACHERS.md of the lessons: their table, their code and their commands."""

import re
import shlex
from pathlib import Path

import pytest

from lab import lessons
from mascarade_env import cli

README = (lessons.FOLDER / "README.md").read_text("utf-8")
TEACHERS = (lessons.FOLDER / "TEACHERS.md").read_text("utf-8")

AGENT = """
from mascarade_agents import Agent


class {name}(Agent):
    def act(self, view, rng):
        return view.action_id(view.legal_actions()[0])
"""


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def test_the_table_names_every_lesson_and_its_extra() -> None:
    for name, needs in lessons.NEEDS.items():
        (row,) = re.findall(rf"^\| \[[^]]+\]\({name}\.ipynb\) .*\|$", README, re.MULTILINE)
        extras = re.findall(r"`(\w+)`", row.split("|")[-2])
        assert extras == list(filter(None, needs.extra.split(",")))


def test_lines_to_install_have_the_same_words_on_every_system() -> None:
    (linux,) = blocks(README, "sh")
    (windows,) = blocks(README, "powershell")
    same = windows.replace("py -m venv", "python3 -m venv").replace(
        ".venv\\Scripts\\", ".venv/bin/"
    )
    assert same == linux
    assert len(linux.splitlines()) == 3


@pytest.mark.parametrize("page", [README, TEACHERS], ids=["README", "TEACHERS"])
def test_times_are_the_same_as_in_the_lessons(page: str) -> None:
    for path in lessons.all_lessons():
        introduction = lessons.read(path)["cells"][2]["source"]
        minutes = re.findall(r"(\d+) minutes", introduction)[-1]  # with the exercises
        number = path.stem.lstrip("0")[0]
        (row,) = re.findall(rf"^\| \[?{number}\. .*\|$", page, re.MULTILINE)
        assert re.search(rf"\| {minutes} min \|", row), path.stem


@pytest.mark.slow
def test_code_and_commands_for_a_tournament_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("Ann", "Ben"):
        Path(f"{name.lower()}.py").write_text(AGENT.format(name=name), "utf-8")
    (code,) = blocks(TEACHERS, "python")
    exec(compile(code, "TEACHERS.md", "exec"), {"__name__": "page"})
    commands = [line for line in blocks(TEACHERS, "sh")[-1].splitlines() if line]
    commands += re.findall(r"`(mascarade (?:record|replay) [^`]+)`", TEACHERS)
    assert [command.split()[1] for command in commands] == ["arena", "record", "replay"]
    assert "--games 2000" in commands[0]
    for command in commands:
        words = shlex.split(command.replace("--games 2000", "--games 8 --workers 0"))
        assert cli.main(words[1:]) == 0
    assert "ann.py:Ann" in capsys.readouterr().out
    assert Path("class.html").exists()
    assert Path("game.html").exists()
