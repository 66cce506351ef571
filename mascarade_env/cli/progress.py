"""A progress bar on standard error, for work that lasts."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def progress(items: Sequence[T], what: str) -> Iterator[T]:
    """The items one by one, with a bar if a person is watching and there are many."""
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
