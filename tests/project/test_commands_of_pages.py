"""Commands that pages show exist, with the options that they are given."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

import pytest

from lab.__main__ import main as lab
from mascarade_env import cli

ROOT = Path(__file__).parents[2]
PAGES = subprocess.run(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
    cwd=ROOT, capture_output=True, text=True, check=True,
).stdout.split()  # fmt: skip
PROGRAMS = {"mascarade": cli.main, "lab": lab}


def commands(page: str) -> Iterator[list[str]]:
    """Yield the commands of this project in a page, as words that begin with a program."""
    text = (ROOT / page).read_text("utf-8")
    for block in re.findall(r"```(?:sh|powershell)\n(.*?)```", text, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            for part in line.split("&&"):
                words = shlex.split(part, comments=True)
                for at, word in enumerate(words):
                    if word.rpartition("/")[2] in {"mascarade", "make"}:
                        yield [word.rpartition("/")[2], *words[at + 1 :]]
                        break
                    if words[at : at + 2] == ["-m", "lab"]:
                        yield ["lab", *words[at + 2 :]]
                        break


COMMANDS = {f"{page}: {shlex.join(words)}": words for page in PAGES for words in commands(page)}


@cache
def options(program: str, command: str) -> set[str]:
    """Return the options that the help of a command lists."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as printed:
        patch.setenv("COLUMNS", "200")
        with pytest.raises(SystemExit) as ended:
            PROGRAMS[program]([command, "--help"])
    assert not ended.value.code, command
    return set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", printed.getvalue()))


def test_commands_are_found() -> None:
    assert len(COMMANDS) > 30
    assert {words[0] for words in COMMANDS.values()} == {"mascarade", "make", "lab"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_exists_with_its_options(name: str) -> None:
    program, *words = COMMANDS[name]
    if program == "make":
        makefile = (ROOT / "Makefile").read_text("utf-8")
        for target in (word for word in words if "=" not in word):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
        return
    if not words or words[0].startswith("-"):
        return
    given = {re.split("=", word)[0] for word in words[1:] if re.match(r"--?[a-z]", word)}
    assert given <= options(program, words[0])
