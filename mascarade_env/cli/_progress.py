"""Show progress on standard error: a bar in a terminal, lines in a log."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

_SECONDS_A_LINE = 10.0


def progress(items: Sequence[T], what: str) -> Iterator[T]:
    """Yield the items one by one. In a terminal, show a bar if there are 100 items or more."""
    from rich.console import Console  # noqa: PLC0415  slow to import
    from rich.progress import track  # noqa: PLC0415

    console = Console(stderr=True)
    yield from track(
        items,
        description=what,
        console=console,
        transient=True,
        disable=not console.is_terminal or len(items) < 100,
    )


@contextmanager
def bar() -> Iterator[Callable[[int, int | None, str], None]]:
    """Yield a function that shows progress.

    Its arguments are the number of finished items, the total (or None), and a text. In a terminal
    it shows a bar; elsewhere it prints at most one line every ten seconds.
    """
    from rich.console import Console  # noqa: PLC0415  slow to import
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines().show
        return
    # At most 80 letters wide for up to 100,000 games.
    columns = (
        BarColumn(bar_width=8),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("", total=None)

        def show(done: int, of: int | None, words: str) -> None:
            shown.update(task, completed=done, total=of, description=words)

        yield show


class _Lines:
    """Shows progress as lines, at most one line every ten seconds."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _SECONDS_A_LINE

    def show(self, done: int, of: int | None, words: str) -> None:
        """Print the text if ten seconds have passed since the last line."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _SECONDS_A_LINE
            print(words, file=sys.stderr, flush=True)
