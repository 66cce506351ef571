"""Where a person reads and types: the only place of `mascarade play` that reads and writes."""

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

    Colours are used where they can be shown: not in a file or pipe, nor with NO_COLOR set.
    """

    def __init__(self) -> None:
        self._typed = sys.stdin is not None and sys.stdin.isatty()
        is_terminal = sys.stdout.isatty()
        self._colour = is_terminal and colours_wanted() and os.getenv("TERM") != "dumb"
        if isinstance(sys.stdin, io.TextIOWrapper):
            # What is no text is unclear like other slips, not the end of the game.
            sys.stdin.reconfigure(errors="backslashreplace")
        if self._typed and is_terminal:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401, PLC0415 # makes lines editable; not in a pipe

    @property
    def width(self) -> int:
        """Columns there are now."""
        return max(shutil.get_terminal_size().columns, _NARROWEST)

    def say(self, *parts: RenderableType) -> None:
        """Print paragraphs, broken into lines that fit."""
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
        """Return a line from the person.

        Raises:
            EOFError: there are no more.
        """
        if sys.stdin is None:
            raise EOFError
        line = input("> ")
        if not self._typed:  # what is not seen as it is typed belongs into the transcript
            print(printable(line), flush=True)
        return line
