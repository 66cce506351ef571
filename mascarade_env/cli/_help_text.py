"""Help that reads well however wide the terminal is.

tyro shows docstrings with the line breaks of their source, and leaves paragraphs to the terminal,
which breaks them within words.
"""

import io
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import is_dataclass
from types import NoneType
from typing import Annotated, Any, TextIO, get_args, get_type_hints

import docstring_parser
import tyro

from mascarade_env.cli._ascii_fallback import PLAIN

_NOTHING = ("", "''", "None")
_OF_BOXES = "│╭╰\x1b"


def description(command: Callable[..., Any]) -> str:
    """What a command is for: its docstring without the arguments, each paragraph on one line."""
    words = docstring_parser.parse(command.__doc__ or "").description or ""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in words.split("\n\n"))


def explain_flags(command: Callable[..., Any]) -> None:
    """Give the flags of a command, or of the dataclasses it takes, help without line breaks."""
    flags = docstring_parser.parse_from_object(command).params
    words = {flag.arg_name: flag.description or "" for flag in flags}
    plain = get_type_hints(command)
    for name, hint in get_type_hints(command, include_extras=True).items():
        if is_dataclass(plain[name]):
            explain_flags(plain[name])
        elif name in words:
            sentence = " ".join(words[name].split())
            flag = tyro.conf.arg(
                metavar=_value_of(plain[name]), help=sentence, help_behavior_hint=_shown_default
            )
            command.__annotations__[name] = Annotated[hint, flag]


def _value_of(hint: Any) -> str | None:
    """Return what stands for the value of a flag that may be left out; else tyro's own word."""
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    optional = NoneType in get_args(hint) and len(kinds) == 1 and isinstance(kinds[0], type)
    return kinds[0].__name__.upper() if optional else None


def _shown_default(default: str) -> str:
    return "" if default in _NOTHING else f"(default: {default})"


class _Page(io.TextIOWrapper):
    """What is to be shown on a screen, with the letters and colours that it would have there."""

    def __init__(self, screen: TextIO) -> None:
        self.bytes = io.BytesIO()
        self.screen = screen
        super().__init__(self.bytes, encoding=screen.encoding, errors=PLAIN)

    def isatty(self) -> bool:
        return self.screen.isatty()

    def lines(self) -> list[str]:
        self.flush()
        return self.bytes.getvalue().decode(self.encoding).splitlines()


@contextmanager
def folded() -> Iterator[None]:
    """Fold the paragraphs of what is printed to the width of the terminal."""
    page = _Page(sys.stdout)
    try:
        with redirect_stdout(page):
            yield
    finally:
        wide = shutil.get_terminal_size().columns
        for line in page.lines():
            if len(line) <= wide or any(mark in line for mark in _OF_BOXES):
                print(line)
            else:
                print(textwrap.fill(line, wide, break_long_words=False, break_on_hyphens=False))
