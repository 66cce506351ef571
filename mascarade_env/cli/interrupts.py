"""Signals that ask a command to end: Ctrl-C, SIGTERM, and SIGHUP of a terminal that closes.

All end a command in the same way, so that what is finished is saved and no process is left. A
command that must not be cut in half holds them back.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

#: The signals, as far as this system has them.
ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Ended(KeyboardInterrupt):
    """A signal other than Ctrl-C asks the command to end; `number` is that of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return f"ended by {signal.Signals(self.number).name}"


def raise_for(number: int) -> None:
    """Raise what a signal stands for."""
    raise KeyboardInterrupt if number == signal.SIGINT else Ended(number)


@contextmanager
def ended_alike() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the body as Ctrl-C does, unless they are ignored."""

    def end(number: int, frame: FrameType | None) -> None:
        raise_for(number)

    with ExitStack() as stack:
        for number in ENDING:
            if _asks(number) and signal.getsignal(number) == signal.SIG_DFL:
                stack.callback(signal.signal, number, signal.signal(number, end))
        yield


@contextmanager
def noted() -> Iterator[list[int]]:
    """Note the numbers of the signals that come, instead of ending the body."""
    came: list[int] = []
    with ExitStack() as stack:
        for number in filter(_asks, ENDING):
            before = signal.signal(number, lambda number, frame: came.append(number))
            stack.callback(signal.signal, number, before)
        yield came


@contextmanager
def held_back() -> Iterator[None]:
    """Hold signals back until the body is done: in the middle of a write they damage the file."""
    with noted() as came:
        yield
    if came:
        raise_for(came[0])


def _asks(number: int) -> bool:
    """Whether a signal reaches Python code here, and is not ignored (as SIGHUP by nohup)."""
    return threading.current_thread() is threading.main_thread() and signal.getsignal(
        number
    ) not in (signal.SIG_IGN, None)
