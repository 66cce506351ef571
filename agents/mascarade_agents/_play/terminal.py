"""The terminal where a person reads and types: the only input and output of `mascarade play`."""

import contextlib
import io
import os
import shutil
import sys

from rich.console import Console, RenderableType
from rich.text import Text

from mascarade_env._colours import colours_wanted
from mascarade_env.render._scene import printable

_NARROWEST = 20


class Terminal:
    """Standard input and output.

    Colours appear in a terminal only, and not if NO_COLOR is set or TERM is "dumb".

    Attributes:
        interactive: whether a person types, so that standard input is not a file or pipe.
    """

    def __init__(self) -> None:
        self.interactive = sys.stdin is not None and sys.stdin.isatty()
        is_terminal = sys.stdout.isatty()
        self._colour = is_terminal and colours_wanted() and os.getenv("TERM") != "dumb"
        if isinstance(sys.stdin, io.TextIOWrapper):
            # Bytes that are not text must be answered like other slips, not end the game.
            sys.stdin.reconfigure(errors="backslashreplace")
        if self.interactive and is_terminal:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401, PLC0415 # makes lines editable; not in a pipe

    @property
    def width(self) -> int:
        """The columns of the terminal now."""
        return max(shutil.get_terminal_size().columns, _NARROWEST)

    def say(self, *parts: RenderableType) -> None:
        """Print paragraphs in lines that fit the terminal."""
        console = Console(
            file=io.StringIO(),
            width=self.width,
            force_terminal=self._colour,
            color_system="standard" if self._colour else None,
            no_color=not self._colour,
            legacy_windows=False,
            highlight=False,
            _environ={},
        )
        with console.capture() as text:
            for part in parts:
                console.print(Text(part) if isinstance(part, str) else part)
        lines = "\n".join(line.rstrip() for line in text.get().splitlines())
        sys.stdout.write(f"{lines}\n")
        sys.stdout.flush()

    def ask(self) -> str:
        """Return the next line that the person types.

        Raises:
            EOFError: the input has ended.
        """
        if sys.stdin is None:
            raise EOFError
        line = input("> ")
        if not self.interactive:  # a transcript of a pipe must show what was read
            print(printable(line), flush=True)
        return line
