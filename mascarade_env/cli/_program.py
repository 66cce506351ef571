"""Run a program of several commands: help, errors, signals and exit codes.

A command is a function. tyro makes the flags from its signature and the help from its docstring. A
program imports only the command that it runs. If a function has the attribute `of_words`, the
program first calls this function with the words that the user typed, and the function returns the
command. So the defaults of flags can depend on these words.
"""

import inspect
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, version
from typing import Any

import tyro

from mascarade_env._colours import colours_wanted
from mascarade_env._errors import MascaradeError, did_you_mean
from mascarade_env.cli import _help_text as help_text
from mascarade_env.cli import _interrupts as interrupts
from mascarade_env.cli._ascii_fallback import PLAIN
from mascarade_env.cli._overview import overview

_HELP = frozenset({"-h", "--help"})
_OPTIONS = (*sorted(_HELP), "--version")


@dataclass(frozen=True, slots=True)
class Program:
    """A program and its commands.

    Attributes:
        name: the words that start the program, such as "mascarade"; errors begin with these words.
        about: the purpose of the program; an empty line separates paragraphs.
        commands: by name, the entry point of each command's function.
        first_steps: commands for a beginner to type, each with a sentence about it.
        groups: the names of commands under headings, in the order of the overview. Commands without
            a group are listed last.
    """

    name: str
    about: str
    commands: Mapping[str, EntryPoint]
    first_steps: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)


def run(program: Program, arguments: list[str] | None = None) -> int:
    """Run the command that the first argument names, and report errors in one line.

    Without arguments, or with --help, print the overview of all commands.

    Args:
        program: the program.
        arguments: the words after the program's name; by default the arguments of this process.

    Returns:
        The exit code: 0 for success, 2 for an error. If a signal ended the command, it is 128 plus
        the number of the signal.
    """
    words = sys.argv[1:] if arguments is None else arguments
    if sys.stdout is None:
        return _fail(program, "standard output is closed: open it, or redirect it to a file")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAIN)
    if not colours_wanted():
        tyro._experimental_options["ansi_codes"] = False
    try:
        folding = help_text.folded() if _HELP.intersection(words[1:]) else nullcontext()
        with interrupts.ended_alike(), folding:
            _call(program, words)
    except MascaradeError as error:
        notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
        return _fail(program, f"{error}{notes}")
    except interrupts.Ended as ended:
        return _fail(program, str(ended), code=128 + ended.number)
    except KeyboardInterrupt:
        return _fail(program, "interrupted", code=130)
    except BrokenPipeError:
        # The program that reads the output, such as `head`, has stopped reading.
        _give_up_stdout()
    except OSError as error:
        _give_up_stdout()
        return _fail(program, f"system error: {error}")
    return 0


def _call(program: Program, words: list[str]) -> None:
    commands = program.commands
    if words == ["--version"]:
        print(f"mascarade-env {version('mascarade-env')}")
    elif words and words[0] in commands:
        command = _loaded(commands[words[0]], words[1:])
        help_text.explain_flags(command)
        tyro.cli(
            command,
            prog=f"{program.name} {words[0]}",
            description=help_text.description(command),
            args=words[1:],
        )
    elif not words or words[0] in _HELP:
        sentences = {name: _sentence(entry) for name, entry in commands.items()}
        print(overview(program.about, program.first_steps, program.groups, sentences))
    elif words[0].startswith("-"):
        raise MascaradeError(f"unknown option {words[0]!r}{did_you_mean(words[0], _OPTIONS)}")
    else:
        hint = did_you_mean(words[0], sorted(commands))
        raise MascaradeError(f"unknown command {words[0]!r}{hint}")
    sys.stdout.flush()


def _loaded(entry: EntryPoint, words: list[str]) -> Callable[..., Any]:
    """Return the function of a command.

    If the loaded function has the attribute `of_words`, call it with the words, and return its
    result.
    """
    function: Callable[..., Any] = entry.load()
    if not getattr(function, "of_words", False):
        return function
    command: Callable[..., Any] = function(words)
    return command


def _sentence(entry: EntryPoint) -> str:
    """Return the first paragraph of a command's docstring, on one line."""
    return " ".join((inspect.getdoc(entry.load()) or "").partition("\n\n")[0].split())


def _fail(program: Program, why: str, code: int = 2) -> int:
    """Print an error to standard error, unless this stream is closed; return the exit code."""
    if sys.stderr is not None:
        print(f"{program.name}: {why}", file=sys.stderr)
    return code


def _give_up_stdout() -> None:
    """Keep Python from writing the rest of the output when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
