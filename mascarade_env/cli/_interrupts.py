"""Signals that ask a command to end: Ctrl-C, SIGTERM, and SIGHUP of a terminal that closes.

All of them end a command in the same way: it saves finished work and leaves no process behind.
A command can delay them while it must not stop.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

#: Those of the signals that this system has.
ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Ended(KeyboardInterrupt):
    """A signal other than Ctrl-C asked the command to end; `number` is the number of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return f"ended by {signal.Signals(self.number).name}"


def raise_for(number: int) -> None:
    """Raise KeyboardInterrupt for SIGINT, `Ended` for any other signal."""
    raise KeyboardInterrupt if number == signal.SIGINT else Ended(number)


@contextmanager
def ended_alike() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the body like Ctrl-C, unless the process ignores them."""

    def end(number: int, frame: FrameType | None) -> None:
        raise_for(number)

    with ExitStack() as stack:
        for number in ENDING:
            if _is_active(number) and signal.getsignal(number) == signal.SIG_DFL:
                stack.callback(signal.signal, number, signal.signal(number, end))
        yield


@contextmanager
def noted(*, most: int | None = None) -> Iterator[list[int]]:
    """Collect the numbers of arriving signals, instead of ending the body.

    Args:
        most: the number of signals to collect; the next one ends the body at once. None
            collects all.
    """
    arrived: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if len(arrived) == most:
            raise_for(number)
        arrived.append(number)

    with ExitStack() as stack:
        for number in filter(_is_active, ENDING):
            stack.callback(signal.signal, number, signal.signal(number, note))
        yield arrived


def exit_code(number: int) -> int:
    """Return the exit code of a command that saved its results and ended.

    0 for Ctrl-C, which asks for the results so far and is a success. For other signals 128 plus
    the number of the signal, as shells report it.

    Args:
        number: the signal; 0 if none arrived.
    """
    return 0 if number in (0, signal.SIGINT) else 128 + number


@contextmanager
def held_back() -> Iterator[None]:
    """Delay signals until the body ends; in the middle of a write they would damage the file."""
    with noted() as arrived:
        yield
    if arrived:
        raise_for(arrived[0])


def _is_active(number: int) -> bool:
    """Return whether a signal reaches this thread and is not ignored (nohup ignores SIGHUP)."""
    return threading.current_thread() is threading.main_thread() and signal.getsignal(
        number
    ) not in (signal.SIG_IGN, None)
