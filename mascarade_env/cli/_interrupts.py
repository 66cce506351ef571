"""Signals that ask a command to end: Ctrl-C, SIGTERM, and SIGHUP from a terminal that closes.

All of these signals end a command in the same way: the command saves finished work and leaves no
process behind. A command can delay a signal while it must not stop.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

#: The ending signals that this operating system has.
ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Ended(KeyboardInterrupt):
    """The exception for a signal other than Ctrl-C; `number` is the number of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return f"ended by {signal.Signals(self.number).name}"


def raise_for(number: int) -> None:
    """Raise KeyboardInterrupt for SIGINT, or `Ended` for any other signal."""
    raise KeyboardInterrupt if number == signal.SIGINT else Ended(number)


@contextmanager
def ended_alike() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the body as Ctrl-C does, unless the process ignores them."""

    def end(number: int, frame: FrameType | None) -> None:
        raise_for(number)

    with ExitStack() as stack:
        for number in ENDING:
            if _is_active(number) and signal.getsignal(number) == signal.SIG_DFL:
                stack.callback(signal.signal, number, signal.signal(number, end))
        yield


@contextmanager
def noted(*, most: int | None = None) -> Iterator[list[int]]:
    """Collect the numbers of arriving signals; the signals do not end the body.

    Args:
        most: the number of signals to collect; the next signal after them ends the body at once.
            None collects all signals.
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

    It is 0 for Ctrl-C: the user asked for the results so far, which is a success. For another
    signal it is 128 plus the number of the signal, as in shells.

    Args:
        number: the number of the signal; 0 if no signal arrived.
    """
    return 0 if number in (0, signal.SIGINT) else 128 + number


@contextmanager
def held_back() -> Iterator[None]:
    """Delay signals until the body ends. A signal in the middle of a write could damage a file."""
    with noted() as arrived:
        yield
    if arrived:
        raise_for(arrived[0])


def _is_active(number: int) -> bool:
    """Return whether a signal reaches this thread and is not ignored (nohup ignores SIGHUP)."""
    return threading.current_thread() is threading.main_thread() and signal.getsignal(
        number
    ) not in (signal.SIG_IGN, None)
