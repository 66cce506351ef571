"""How far something long has come: on standard error, for a person who watches or for a log."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

_SECONDS_A_LINE = 10.0


def progress(items: Sequence[T], what: str) -> Iterator[T]:
    """Yield the items one by one, with a bar if a person is watching and there are many."""
    from rich.console import Console  # noqa: PLC0415  only when something lasts
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
    """What shows how much is done, of how much if that is known, and says so in words.

    A person who watches sees a bar; in a log there is a line now and then.
    """
    from rich.console import Console  # noqa: PLC0415  only when something lasts
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines().show
        return
    # 80 wide at most, up to a hundred thousand games
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
    """A line now and then."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _SECONDS_A_LINE

    def show(self, done: int, of: int | None, words: str) -> None:
        """Print the progress, unless the last line is fresh."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _SECONDS_A_LINE
            print(words, file=sys.stderr, flush=True)
