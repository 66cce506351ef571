"""`python -m lab`: its commands, their help and errors."""

import re
import subprocess
import sys

import pytest

from lab.__main__ import COMMANDS, main
from tests.messages import states
from tests.project.test_workflows import MAKEFILE


def run(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run `python -m lab` with these words; return exit code, output and errors."""
    try:
        code = main([*words])
    except SystemExit as stop:  # tyro exits for its errors and for help
        code = int(stop.code or 0)
    output, errors = capfd.readouterr()
    return code, output, errors


@pytest.mark.parametrize("words", [(), ("--help",)])
def test_help_lists_every_command(
    words: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    code, output, _ = run(capfd, *words)
    assert code == 0
    for command in COMMANDS:
        assert f"\n  {command} " in output


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_an_example(
    command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code, output, _ = run(capfd, command, "--help")
    assert code == 0
    assert f"Example: python -m lab {command}" in " ".join(output.replace("│", " ").split())


def test_errors_are_one_line_and_an_exit_code(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, errors = run(capfd, "expriments")
    assert (code, output) == (2, "")
    assert errors.startswith("python -m lab: ")
    assert states(errors, "'expriments'", "'experiments'")
    code, _, errors = run(capfd, "experiments", "--processes", "0")
    assert code == 2
    assert errors.startswith("python -m lab: ")
    assert states(errors, "--processes", 1, 0)


def test_it_runs_as_a_module_from_any_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lab", "--version"],
        cwd=tmp_path_factory.getbasetemp(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("mascarade-env ")


def test_make_runs_commands_that_exist() -> None:
    called = re.findall(r"python -m lab ([\w-]+)", MAKEFILE)
    assert {"bench", "results", "observation"} <= set(called) <= set(COMMANDS)
    assert not re.search(r"python -m (lab\.|mascarade_)", MAKEFILE)
