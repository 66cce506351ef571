"""Call kernels at the same time in several threads; kernels release the interpreter's lock.

The calls run in worker threads. Python raises a KeyboardInterrupt only in the main thread, so an
interrupt cannot stop a call in the middle. After an interrupt the main thread first waits until all
calls have ended, then raises the interrupt.
"""

import os
import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from queue import SimpleQueue
from typing import Generic, TypeVar

R = TypeVar("R")


class _Job(Generic[R]):
    """A call that runs once, even if it is queued more than once."""

    def __init__(self, call: Callable[[], R]) -> None:
        self._call = call
        self._claim = threading.Lock()
        self._results: list[R] = []
        self._errors: list[BaseException] = []
        self._ended = threading.Lock()  # locked until the call has ended
        self._ended.acquire()
        self.queued = False
        self.over = False

    def run(self) -> None:
        if not self._claim.acquire(blocking=False):
            return
        try:
            self._results.append(self._call())
        except BaseException as error:
            self._errors.append(error)
        self.over = True
        self._ended.release()

    def wait(self) -> None:
        # An interrupt may leave the lock held for ever, so `over` ends the loop.
        while not self.over:
            self._ended.acquire()

    def result(self) -> R:
        for error in self._errors:
            raise error
        return self._results[0]


class _Workers:
    """Worker threads; they run until the process ends."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job[object]] = SimpleQueue()
        self._starting = threading.Lock()
        self._started = 0

    def give(self, job: _Job[R]) -> None:
        self._jobs.put(job)  # type: ignore[arg-type]  # workers do not use the result

    def start(self, threads: int) -> None:
        """Start threads until there is one for each new call and for each call already queued."""
        with self._starting:
            while self._started < threads + self._jobs.qsize():
                threading.Thread(target=self._work, name="mascarade", daemon=True).start()
                self._started += 1

    def _work(self) -> None:
        while True:
            self._jobs.get().run()


_workers = _Workers()


def shares(size: int, parts: int) -> list[slice]:
    """Divide `size` rows into contiguous parts, as equal as possible."""
    ends = [size * number // parts for number in range(parts + 1)]
    return [slice(begin, end) for begin, end in pairwise(ends)]


def run_all(calls: Sequence[Callable[[], R]]) -> list[R]:
    """Make all calls at the same time, and return their results in order.

    An interrupt is raised after all calls have ended, or before any has begun.
    """
    if len(calls) == 1:
        return [calls[0]()]
    _workers.start(len(calls))
    jobs = [_Job(call) for call in calls]
    raised: BaseException | None = None
    while not all(job.over for job in jobs):
        try:
            for job in jobs:
                if not job.queued:
                    _workers.give(job)
                    job.queued = True
            for job in jobs:
                job.wait()
        except BaseException as error:
            raised = error
    if raised is not None:
        raise raised
    return [job.result() for job in jobs]


def _restart() -> None:
    global _workers  # noqa: PLW0603  threads belong to the process
    _workers = _Workers()


# A forked child has no threads of its parent, so it needs new ones.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_restart)
