"""How far something long has come: a bar for a person who watches, lines for a log."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from mascarade_agents.arena import Standing

_SECONDS_A_LINE = 10.0


@contextmanager
def bar() -> Iterator[Callable[[int, int, str], None]]:
    """What shows how much is done, of how much, and says so in words, on standard error."""
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
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)

        def show(done: int, of: int, words: str) -> None:
            progress.update(task, completed=done, total=of, description=words)

        yield show


@contextmanager
def watching() -> Iterator[Callable[[Standing], None]]:
    """What shows how an arena stands, as long as it goes on."""
    with bar() as show:
        yield lambda standing: show(standing.games, standing.of, _in_words(standing))


class _Lines:
    """A line now and then."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _SECONDS_A_LINE

    def show(self, done: int, of: int, words: str) -> None:
        """Print how it stands, unless the last line is fresh."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _SECONDS_A_LINE
            print(words, file=sys.stderr, flush=True)


def _in_words(standing: Standing) -> str:
    rate = standing.decisions / standing.seconds if standing.seconds else 0
    forfeits = f", {standing.forfeits:,} forfeited" if standing.forfeits else ""
    return f"{standing.games:,} of {standing.of:,} games, {rate:,.0f} decisions/s{forfeits}"
