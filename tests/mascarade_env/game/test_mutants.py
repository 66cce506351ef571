"""Directed tests catch wrong versions of the rules and of what players know (see mutants.py)."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.mascarade_env.game.altered import PACKAGE, Answer
from tests.mascarade_env.game.mutants import OF_THE_RULES, OF_WHAT_PLAYERS_KNOW, Mutant
from tests.tiers import slow_from

ROOT = Path(__file__).parents[3]
TESTS = Path(__file__).parents[1]
MUTANTS = (*OF_THE_RULES, *OF_WHAT_PLAYERS_KNOW)

# One mutant in six is in the fast tests.
CASES = [
    pytest.param(mutant, marks=pytest.mark.slow if number % 6 else ())
    for number, mutant in enumerate(MUTANTS)
]

Run = Callable[..., Answer]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Run tests on an altered package, in another process."""
    settings = {"NUMBA_DISABLE_JIT": "1", "PYTEST_ADDOPTS": ""}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.mascarade_env.game.altered"],
        cwd=ROOT,
        env={**os.environ, **settings},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        pipe, answers = process.stdin, process.stdout

        def ask(file: str, true: str, wrong: str, *tests: str) -> Answer:
            paths = [str(TESTS / test) for test in tests]
            print(json.dumps([file, true, wrong, paths]), file=pipe, flush=True)
            answer: Answer = json.loads(answers.readline())
            return answer

        yield ask
        pipe.close()


def test_the_texts_that_mutants_replace_occur_once() -> None:
    gone = [
        mutant.name
        for mutant in MUTANTS
        if (PACKAGE / mutant.file).read_text("utf-8").count(mutant.true) != 1
    ]
    assert not gone, "the code has changed: adapt these mutants"


@pytest.mark.parametrize("mutants", slow_from(1, [MUTANTS[::6], MUTANTS]), ids=["sample", "all"])
def test_the_true_version_passes(mutants: Sequence[Mutant], run: Run) -> None:
    answer = run("", "", "", *sorted({mutant.caught_by for mutant in mutants}))
    assert answer["code"] == 0, answer["output"]


@pytest.mark.parametrize("mutant", CASES, ids=lambda mutant: mutant.name)
def test_a_mutant_is_caught(mutant: Mutant, run: Run) -> None:
    answer = run(mutant.file, mutant.true, mutant.wrong, mutant.caught_by)
    # It must fail by an assertion of the test: a mutant that does not run proves nothing.
    assert answer["failures"] == [["call", "AssertionError"]], answer["output"]
