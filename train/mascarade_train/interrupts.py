"""Signals that end a run: noted, so that nothing is cut in half and what was learned is saved."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts_noted() -> Iterator[list[int]]:
    """Note the first signal that asks to end, by its number, instead of ending.

    They are SIGINT (Ctrl-C), SIGTERM (as from a job scheduler) and SIGHUP (the terminal is gone).
    The next one ends the process at once.
    """
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came  # signals go to the main thread
        return

    def note(number: int, frame: FrameType | None) -> None:
        if not came:
            came.append(number)
        elif number == signal.SIGINT:
            raise KeyboardInterrupt
        else:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    noted = [signal.SIGINT, signal.SIGTERM]
    # Under nohup it is ignored, and has to stay so.
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        noted.append(signal.SIGHUP)
    before = [signal.signal(number, note) for number in noted]
    try:
        yield came
    finally:
        for number, handler in zip(noted, before, strict=True):
            signal.signal(number, handler)


def exit_code(number: int) -> int:
    """Return the exit code of a command that a signal, or 0 for none, has ended after it saved.

    Ctrl-C asks for the results so far, so that is a success. All others leave no time for results:
    128 and the number of the signal, as shells report it.
    """
    return 0 if number in (0, signal.SIGINT) else 128 + number
