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
    """Raise KeyboardInterrupt for SIGINT, `Ended` for any other signal."""
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
def noted(*, most: int | None = None) -> Iterator[list[int]]:
    """Collect the numbers of arriving signals, instead of ending the body.

    Args:
        most: how many signals to collect; the next one ends the body at once. None: all.
    """
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if len(came) == most:
            raise_for(number)
        came.append(number)

    with ExitStack() as stack:
        for number in filter(_asks, ENDING):
            stack.callback(signal.signal, number, signal.signal(number, note))
        yield came


def exit_code(number: int) -> int:
    """Return the exit code of a command that saved and ended, by signal number or 0 for none.

    Ctrl-C asks for the results so far, so that is a success. All others leave no time for results:
    128 and the number of the signal, as shells report it.
    """
    return 0 if number in (0, signal.SIGINT) else 128 + number


@contextmanager
def held_back() -> Iterator[None]:
    """Delay signals until the body ends: in the middle of a write they would damage the file."""
    with noted() as came:
        yield
    if came:
        raise_for(came[0])


def _asks(number: int) -> bool:
    """Return whether a signal reaches Python code here, and is not ignored (as SIGHUP by nohup)."""
    return threading.current_thread() is threading.main_thread() and signal.getsignal(
        number
    ) not in (signal.SIG_IGN, None)
