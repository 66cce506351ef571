"""The terminal of `mascarade play`, which reads all input and prints all output."""

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

    Output has colours only in a terminal, and only if NO_COLOR is not set and TERM is not "dumb".

    Attributes:
        interactive: whether a person types; false if standard input is a file or a pipe.
    """

    def __init__(self) -> None:
        self.interactive = sys.stdin is not None and sys.stdin.isatty()
        is_terminal = sys.stdout.isatty()
        self._colour = is_terminal and colours_wanted() and os.getenv("TERM") != "dumb"
        if isinstance(sys.stdin, io.TextIOWrapper):
            # Bytes that are not text must get an answer like any wrong line, and not end the game.
            sys.stdin.reconfigure(errors="backslashreplace")
        if self.interactive and is_terminal:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401, PLC0415 # makes lines editable; not in a pipe

    @property
    def width(self) -> int:
        """The number of columns that the terminal has now."""
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
        if not self.interactive:  # show what was read from a pipe
            print(printable(line), flush=True)
        return line
