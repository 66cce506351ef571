"""The linter of our English finds what it says, and nothing in code."""

import json
from pathlib import Path

import pytest

from lab.prose import LONGEST, WORDS, check_file, prose
from mascarade_env import MascaradeError
from tests.messages import facts


def findings(tmp_path: Path, name: str, text: str) -> list[tuple[int, str]]:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return [(finding.line, finding.message) for finding in check_file(path)]


#: For each pattern a sentence that it finds.
CAUGHT = {
    "told": "The win share is told.",
    "tell(": "The page tells the rules.",
    "anew": "Print the page anew.",
    "(?:go|": "Training goes on.",
    "(?:break": "A run that was broken off.",
    "chances?": "The chance of a mask.",
    "whoever": "Whoever decides.",
    "nobody": "Nobody knows it.",
    "(?:so|": "Play so many games.",
    "the so": "For the so manieth time.",
    "of (?:its": "A folder of its own.",
    "alone": "It wins alone among three copies.",
    "guests": "A guest of the league.",
    "rungs": "The rungs of the ladder.",
    "wide": "A wide open policy.",
    "pull": "The pull to its past.",
    "stands?": "The text stands below.",
    "lies?": "The file lies in a folder.",
    "hears": "A view hears events.",
    "as well": "This as well.",
    "beside": "Words beside numbers.",
    "in vain": "One looks for it in vain.",
    "(?<!": "This is no file.",
    "comes": "The key comes twice.",
    "makes": "It makes use of a table.",
    "there (": "There is such a case.",
    "must": "It ought to fail.",
    "(?:^": "Of the network.",
}


def test_every_pattern_has_a_case() -> None:
    assert len(CAUGHT) == len(WORDS)
    for pattern, case in zip(WORDS, CAUGHT, strict=True):
        assert pattern.startswith(case)


@pytest.mark.parametrize("case", CAUGHT)
def test_a_pattern_finds_its_case(case: str, tmp_path: Path) -> None:
    (advice,) = [advice for pattern, advice in WORDS.items() if pattern.startswith(case)]
    messages = [message for _, message in findings(tmp_path, "page.md", CAUGHT[case])]
    assert any(message.endswith(advice) for message in messages)
    in_code = f"Call `{CAUGHT[case]}` here."
    assert findings(tmp_path, "page.md", in_code) == []


@pytest.mark.parametrize(
    "text",
    [
        "Players tell the masks apart.",
        "You cannot tell a bluff from the truth.",
        "A chance node samples the deal.",
        "As long as a game runs, and as many as ten.",
        "NE stands for north-east.",
        "There is no mask, and no longer a bar.",
        "The constant NOBODY is -1.",
        "See [the page](nobody/told.md) and https://example.org/told/anew.",
    ],
)
def test_other_uses_are_fine(text: str, tmp_path: Path) -> None:
    assert findings(tmp_path, "page.md", text) == []


def test_pages_are_checked_outside_code(tmp_path: Path) -> None:
    text = "# One\n\n```sh\ntold\n```\n\nTwo\nthree anew.\n\n| a | is told |\n|---|---|\n"
    assert [line for line, _ in findings(tmp_path, "page.md", text)] == [8, 10]


def test_python_is_checked_in_docstrings_comments_and_messages(tmp_path: Path) -> None:
    text = (
        '"""Play anew."""\n'
        "told = 1  # print anew\n"
        "def f(a):\n"
        '    """Return it.\n\n    It is told.\n    """\n'
        "    # noqa: told\n"
        '    raise ValueError(f"{a} is no number of seats")\n'
        'KEY = "anew"\n'
    )
    assert [line for line, _ in findings(tmp_path, "code.py", text)] == [1, 2, 6, 9]


def test_tests_may_hold_any_message(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    text = 'def test_a():\n    """The text is told."""\n    assert f("this is told to all")\n'
    assert [line for line, _ in findings(tmp_path, "tests/a.py", text)] == [2]


def test_a_docstring_of_a_function_begins_with_a_verb(tmp_path: Path) -> None:
    text = (
        "def f():\n"
        '    """The number of games."""\n'
        "@property\n"
        "def g():\n"
        '    """The number of games."""\n'
        "class C:\n"
        '    """The games."""\n'
        "    def h():\n"
        '        """Whether it is over."""\n'
        "    def i():\n"
        '        """Return the games."""\n'
    )
    assert [line for line, _ in findings(tmp_path, "code.py", text)] == [2, 9]


@pytest.mark.parametrize("end", [". And then more words.", ":\n\n- more words", "; more words"])
def test_long_sentences_are_found(end: str, tmp_path: Path) -> None:
    words = " ".join(["word"] * LONGEST)
    assert findings(tmp_path, "page.md", f"{words}{end}") == []
    ((line, message),) = findings(tmp_path, "page.md", f"Short.\n{words} word{end}")
    assert line == 2
    assert str(LONGEST + 1) in message


def test_notebooks_are_checked_by_cell(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# One\n", "\n", "It is told.\n"]},
        {"cell_type": "code", "source": ["told = 1\n", "print(told)  # anew\n"]},
        {"cell_type": "markdown", "source": ["Fine.\n"]},
    ]
    text = json.dumps({"cells": cells})
    assert [line for line, _ in findings(tmp_path, "a.ipynb", text)] == [1, 2]


def test_the_command_fails_if_something_is_to_be_reworded(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("A page.\n")
    prose((tmp_path,))
    (tmp_path / "bad.md").write_text("Fine.\n\nPrint it anew.\n")
    with pytest.raises(MascaradeError, match=facts(f"{tmp_path / 'bad.md'}:3", "anew")):
        prose((tmp_path,))
