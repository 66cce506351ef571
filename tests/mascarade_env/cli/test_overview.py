"""The page of `mascarade` without arguments: where to begin, and all commands in groups."""

import os
import subprocess
import sys
from importlib.metadata import entry_points, metadata

import pytest

from mascarade_env.cli import FIRST_STEPS, GROUPS, main
from mascarade_env.cli._overview import group_commands, overview
from tests.messages import lines_stating, states

COMMANDS = sorted(
    entry.name
    for entry in entry_points(group="mascarade.commands")
    if entry.dist is not None and entry.dist.name == "mascarade-env"
)


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")


def run(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Return the exit code, output and errors of `mascarade` with some words."""
    code = main([*words])
    output, errors = capfd.readouterr()
    return code, output, errors


def test_without_arguments_and_with_help_the_same_page_appears(
    capfd: pytest.CaptureFixture[str],
) -> None:
    page = run(capfd)
    assert page[0] == 0
    assert page[2] == ""
    assert run(capfd, "--help") == run(capfd, "-h") == page


def test_first_steps_come_before_commands_and_each_command_once(
    capfd: pytest.CaptureFixture[str],
) -> None:
    output = run(capfd)[1]
    steps, _, commands = output.partition("Play and watch games:")
    assert all(f"  {step}\n" in steps for step in FIRST_STEPS)
    assert len(COMMANDS) > 10
    for command in COMMANDS:
        assert commands.count(f"\n  {command} ") == 1
    assert "Example" not in output  # it is with each command
    assert "Other commands" not in output  # our own all have a group


def test_every_command_of_ours_has_one_group() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == COMMANDS


@pytest.mark.parametrize("step", FIRST_STEPS)
def test_a_first_step_names_a_command_and_flags_that_exist(
    step: str, capfd: pytest.CaptureFixture[str]
) -> None:
    program, command, *words = step.split()
    assert program == "mascarade"
    if command == "COMMAND":
        return
    with pytest.raises(SystemExit):
        main([command, "--help"])
    help_text = capfd.readouterr().out
    assert all(states(help_text, word) for word in words if word.startswith("--"))


def test_it_fits_a_narrow_terminal_without_colour_and_with_ascii_letters_alone() -> None:
    program = "import sys; from mascarade_env.cli import main; sys.exit(main([]))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict", "COLUMNS": "60"},
        capture_output=True,
        check=True,
    )
    output = done.stdout.decode("ascii")
    assert "\x1b" not in output
    assert "\\u" not in output  # no letter had to be replaced
    lines = [line for line in output.splitlines() if not line.startswith("https://")]
    assert max(map(len, lines)) <= 60


def test_it_names_the_address_of_the_documentation(capfd: pytest.CaptureFixture[str]) -> None:
    (address,) = (
        line.partition(", ")[2]
        for line in metadata("mascarade-env").get_all("Project-URL", [])
        if line.startswith("Documentation")
    )
    assert lines_stating(run(capfd)[1], address)


def test_an_unknown_option_is_refused_with_the_nearest_one(
    capfd: pytest.CaptureFixture[str],
) -> None:
    code, output, errors = run(capfd, "--versoin")
    assert (code, output) == (2, "")
    assert states(errors, "'--versoin'", "'--version'", "--help")
    assert errors.count("\n") == 1


def test_commands_of_other_packages_come_last() -> None:
    groups = {"Train": ("train", "missing"), "Solve": ("solve",), "Empty": ("absent",)}
    grouped = group_commands(["solve", "zoo", "train", "extra"], groups)
    assert list(grouped.items()) == [
        ("Train", ["train"]),
        ("Solve", ["solve"]),
        ("Other commands", ["extra", "zoo"]),
    ]


def test_a_program_without_groups_has_one_list() -> None:
    page = overview("A program.", {}, {}, {"two": "Do this.", "one": "Do that."})
    assert page.splitlines() == [
        "A program.", "", "Commands:", "  one  Do that.", "  two  Do this.",
    ]  # fmt: skip


def test_a_command_in_a_sentence_stays_on_one_line() -> None:
    command = "`pip install 'mascarade-env[train]'`"
    page = overview("", {"train": f"{'word ' * 8}{command} then."}, {}, {})
    assert lines_stating(page, command)
