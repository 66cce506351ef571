"""Run a program of several commands: help, errors, signals and exit codes.

A command is a function whose signature and docstring tyro turns into flags and help. Only the one
that is called is imported. A function with the attribute `of_words` is called with the words typed
and returns the one for tyro, whose defaults may depend on them.
"""

import inspect
import io
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.metadata import EntryPoint, version
from typing import Any

import tyro

from mascarade_env._colours import colours_wanted
from mascarade_env._errors import MascaradeError, did_you_mean
from mascarade_env.cli import _help_text as help_text
from mascarade_env.cli import _interrupts as interrupts
from mascarade_env.cli._ascii_fallback import PLAIN

_HELP = frozenset({"-h", "--help"})


@dataclass(frozen=True, slots=True)
class Program:
    """What a program is called, and its commands.

    Attributes:
        name: how it is called, as `mascarade`; errors begin with it.
        about: what it is for, in a paragraph.
        commands: by name, where each function is.
    """

    name: str
    about: str
    commands: Mapping[str, EntryPoint]


def run(program: Program, arguments: list[str] | None = None) -> int:
    """Run the command named first, and report errors in one line.

    Args:
        program: the program.
        arguments: the words behind its name; those of this process by default.

    Returns:
        The exit code: 0, 2 for an error, 128 and the number of a signal that ended the command.
    """
    words = sys.argv[1:] if arguments is None else arguments
    if sys.stdout is None:
        return _fail(program, "standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAIN)
    if not colours_wanted():
        tyro._experimental_options["ansi_codes"] = False
    try:
        asked = help_text.folded() if _HELP.intersection(words) else nullcontext()
        with interrupts.ended_alike(), asked:
            _call(program, words)
    except MascaradeError as error:
        notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
        return _fail(program, f"{error}{notes}")
    except interrupts.Ended as ended:
        return _fail(program, str(ended), code=128 + ended.number)
    except KeyboardInterrupt:
        return _fail(program, "interrupted", code=130)
    except BrokenPipeError:
        # The reader (such as `head`) has had enough.
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
    elif words and not words[0].startswith("-"):
        hint = did_you_mean(words[0], sorted(commands))
        raise MascaradeError(f"unknown command {words[0]!r}{hint}")
    else:
        tyro.extras.subcommand_cli_from_dict(
            {name: _listed(commands[name]) for name in sorted(commands)},
            prog=program.name,
            description=program.about,
            args=words,
        )
    sys.stdout.flush()


def _loaded(entry: EntryPoint, words: list[str]) -> Callable[..., Any]:
    """Return the function of a command; one with the mark `of_words` is made for what was typed."""
    command: Callable[..., Any] = entry.load()
    made: Callable[..., Any] = command(words) if getattr(command, "of_words", False) else command
    return made


def _listed(entry: EntryPoint) -> Callable[..., Any]:
    """Return a command for the list of all: without flags, and described in one sentence."""

    def nothing() -> None: ...

    nothing.__doc__ = (inspect.getdoc(entry.load()) or "").partition("\n\n")[0]
    return nothing


def _fail(program: Program, why: str, code: int = 2) -> int:
    if sys.stderr is not None:
        print(f"{program.name}: {why}", file=sys.stderr)
    return code


def _give_up_stdout() -> None:
    """Keep Python from trying to write the rest at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
