"""The command `mascarade`: one subcommand for each entry point of the group `mascarade.commands`.

A subcommand is a function whose signature and docstring tyro turns into flags and help. Only the
one that is called is imported. A function with the attribute `of_words` is
called with the words typed and returns the one for tyro, whose defaults may depend on them.
"""

import inspect
import io
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from importlib.metadata import EntryPoint, entry_points, version
from typing import Any

import tyro

from mascarade_env._colours import colours_wanted
from mascarade_env._errors import MascaradeError, did_you_mean
from mascarade_env.cli import _help_text as help_text
from mascarade_env.cli import _interrupts as interrupts
from mascarade_env.cli._ascii_fallback import PLAIN

_HELP = frozenset({"-h", "--help"})


def main(arguments: list[str] | None = None) -> int:
    """Run the subcommand named first; returns the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if sys.stdout is None:
        return _fail("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAIN)
    if not colours_wanted():
        tyro._experimental_options["ansi_codes"] = False
    try:
        asked = help_text.folded() if _HELP.intersection(words) else nullcontext()
        with interrupts.ended_alike(), asked:
            _run(words)
    except MascaradeError as error:
        notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
        return _fail(f"{error}{notes}")
    except interrupts.Ended as ended:
        return _fail(str(ended), code=128 + ended.number)
    except KeyboardInterrupt:
        return _fail("interrupted", code=130)
    except BrokenPipeError:
        # The reader (such as `head`) has had enough.
        _give_up_stdout()
    except OSError as error:
        _give_up_stdout()
        return _fail(f"system error: {error}")
    return 0


def _run(words: list[str]) -> None:
    found = {entry.name: entry for entry in entry_points(group="mascarade.commands")}
    if words == ["--version"]:
        print(f"mascarade-env {version('mascarade-env')}")
    elif words and words[0] in found:
        command = _loaded(found[words[0]], words[1:])
        help_text.tell_flags_in_sentences(command)
        tyro.cli(
            command,
            prog=f"mascarade {words[0]}",
            description=help_text.description(command),
            args=words[1:],
        )
    elif words and not words[0].startswith("-"):
        raise MascaradeError(f"unknown command {words[0]!r}{did_you_mean(words[0], sorted(found))}")
    else:
        tyro.extras.subcommand_cli_from_dict(
            {name: _listed(found[name]) for name in sorted(found)},
            prog="mascarade",
            description=(
                "The board game Mascarade as an environment for learning machines. "
                "`mascarade COMMAND --help` tells all about a command, with an example; "
                "`mascarade --version` prints the version."
            ),
            args=words,
        )
    sys.stdout.flush()


def _loaded(entry: EntryPoint, words: list[str]) -> Callable[..., Any]:
    """The function of a subcommand; one with the mark `of_words` is made for what was typed."""
    command: Callable[..., Any] = entry.load()
    made: Callable[..., Any] = command(words) if getattr(command, "of_words", False) else command
    return made


def _listed(entry: EntryPoint) -> Callable[..., Any]:
    """A subcommand for the list of all: with nothing but what it is for, in a sentence."""

    def nothing() -> None: ...

    nothing.__doc__ = (inspect.getdoc(entry.load()) or "").partition("\n\n")[0]
    return nothing


def _fail(why: str, code: int = 2) -> int:
    if sys.stderr is not None:
        print(f"mascarade: {why}", file=sys.stderr)
    return code


def _give_up_stdout() -> None:
    """Keep Python from trying to write the rest at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
