"""The Python code of pages runs unchanged; each program is a test.

A block that begins with "```python continued" belongs to the program of the block before it.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# These have other tests, which look at what the code prints.
OTHERS = {"agents/README.md", "agents/BOTS.md"}
PAGES = [
    ROOT / page
    for page in subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    if page not in OTHERS
]
LOOP = "mascarade_env/envs/TRAINING_LOOP.md, program 1"
#: Replacements in a program that make its test take seconds.
SHORTENED = {LOOP: {"UPDATES = 40": "UPDATES = 1", "games=1000": "games=50"}}
#: The agent of a student, which a page for teachers checks.
STUDENT = """
from mascarade_agents import Agent

class Ann(Agent):
    def act(self, view, rng):
        return view.legal_ids()[0]
"""
#: Modules that the code of a page imports, and that may be missing here.
MODULES = {
    "adapters/TORCHRL.md": "torchrl",
    "adapters/TIANSHOU.md": "tianshou",
    "adapters/ADAPTERS.md, program 6": "ray",
}


def programs(page: Path) -> list[str]:
    """Return the programs of a page."""
    found: list[str] = []
    for continued, block in re.findall(
        r"^```python( continued)?\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    ):
        if continued:
            found[-1] += block
        else:
            found.append(block)
    return found


PROGRAMS = {
    f"{page.relative_to(ROOT).as_posix()}, program {number}": program
    for page in PAGES
    for number, program in enumerate(programs(page), start=1)
}


def needs(name: str) -> str | None:
    """Return the module that a program needs and that may be missing."""
    return next((module for page, module in MODULES.items() if page in name), None)


def program_of(name: str) -> str:
    """Return a program as its test runs it; skip the test where a library is missing."""
    if module := needs(name):
        pytest.importorskip(module, exc_type=ImportError)
    program = PROGRAMS[name]
    for text, short in SHORTENED.get(name, {}).items():
        assert text in program
        program = program.replace(text, short)
    return program


def test_the_programs_are_found() -> None:
    pages = {name.partition(",")[0] for name in PROGRAMS}
    assert pages >= {
        "README.md", "train/README.md", "agents/OWN_AGENT.md",
        "mascarade_env/ACTIONS.md", "mascarade_env/adapters/ADAPTERS.md",
    }  # fmt: skip
    assert {page for page in MODULES if f"mascarade_env/{page.partition(',')[0]}" in pages} == set(
        MODULES
    )


def test_every_block_of_python_is_tested() -> None:
    for page in PAGES:
        fences = re.findall(r"^```(\S+)", page.read_text("utf-8"), re.MULTILINE)
        assert not {"py", "python3", "Python"} & set(fences), page


# Other libraries warn about themselves: TorchRL, for example, about every PettingZoo but 1.24.3.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.filterwarnings("ignore") if needs(name) else ())
        for name in PROGRAMS
    ],
)
def test_a_program_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    (tmp_path / "ann.py").write_text(STUDENT)
    exec(compile(program_of(name), name, "exec"), {"__name__": "page"})


# Newcomers copy these programs first; each process takes seconds.
FIRST = [name for name in PROGRAMS if name.startswith(("README.md", "train/lab/site/pages/tut"))]


@pytest.mark.slow
@pytest.mark.parametrize("name", FIRST)
def test_a_program_imports_all_that_it_uses(name: str, tmp_path: Path) -> None:
    """In a new process: here, other tests have imported modules already."""
    (tmp_path / "ann.py").write_text(STUDENT)
    done = subprocess.run(
        [sys.executable, "-c", program_of(name)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_training_loop_learns(tmp_path: Path) -> None:
    """With half of its updates it wins more than equal players would, after next to nothing."""
    program = PROGRAMS[LOOP].replace("UPDATES = 40", "UPDATES = 20")
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    (before, _), (after, error) = re.findall(r"([\d.]+)% ± ([\d.]+)%", done.stdout)
    assert float(before) < 5
    assert float(after) - float(error) > 25
