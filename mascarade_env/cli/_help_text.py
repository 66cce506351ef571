"""Fold the help of commands to the width of the terminal.

tyro prints docstrings with the line breaks of the source code. It does not fold long lines, so the
terminal breaks them within words.
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

_EMPTY_DEFAULTS = ("", "''", "None")
_BOX_MARKS = "│╭╰\x1b"  # tyro has already folded lines that contain one of these


def description(command: Callable[..., Any]) -> str:
    """Return the docstring of a command without its arguments, each paragraph on one line."""
    words = docstring_parser.parse(command.__doc__ or "").description or ""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in words.split("\n\n"))


def explain_flags(command: Callable[..., Any]) -> None:
    """Set the help of a command's flags, without line breaks.

    This includes the flags from dataclasses among the command's parameters.
    """
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
    """Return the name of a flag's type in capitals if the flag can be None.

    For other flags return None; tyro then uses its default word.
    """
    types = [part for part in get_args(hint) if part is not NoneType]
    optional = NoneType in get_args(hint) and len(types) == 1 and isinstance(types[0], type)
    return types[0].__name__.upper() if optional else None


def _shown_default(default: str) -> str:
    return "" if default in _EMPTY_DEFAULTS else f"(default: {default})"


class _Page(io.TextIOWrapper):
    """Collects text for a screen, with the encoding and the colours of this screen."""

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
    """Print the output of the body with its paragraphs folded to the width of the terminal."""
    page = _Page(sys.stdout)
    try:
        with redirect_stdout(page):
            yield
    finally:
        width = shutil.get_terminal_size().columns
        for line in page.lines():
            if len(line) <= width or any(mark in line for mark in _BOX_MARKS):
                print(line)
            else:
                print(textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False))
