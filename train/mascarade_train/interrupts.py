"""Ctrl-C while something must not be cut in half."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts_noted() -> Iterator[list[int]]:
    """Note the first interrupt instead of raising it, so that no update is cut in half."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came  # interrupts go to the main thread
        return

    def note(number: int, frame: FrameType | None) -> None:
        if came:
            raise KeyboardInterrupt
        came.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, before)
