"""Calls of kernels at the same time, in threads: kernels release the interpreter's lock.

Threads of this file make the calls. Python raises an interrupt in the main thread, between any two
lines, so it stops no call. The main thread waits again after an interrupt, and raises it when all
calls have ended.
"""

import os
import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from queue import SimpleQueue
from typing import Generic, TypeVar

R = TypeVar("R")


class _Job(Generic[R]):
    """A call that is made once, however often it is handed out."""

    def __init__(self, call: Callable[[], R]) -> None:
        self._call = call
        self._claim = threading.Lock()
        self._results: list[R] = []
        self._errors: list[BaseException] = []
        self._ended = threading.Lock()  # held until the call has ended
        self._ended.acquire()
        self.given = False
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
        # After an interrupt the lock may never be released again: `over` says when to stop.
        while not self.over:
            self._ended.acquire()

    def result(self) -> R:
        for error in self._errors:
            raise error
        return self._results[0]


class _Workers:
    """Threads that make calls; they end with the process."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job[object]] = SimpleQueue()
        self._starting = threading.Lock()
        self._started = 0

    def give(self, job: _Job[R]) -> None:
        self._jobs.put(job)  # type: ignore[arg-type]  # nobody reads its result there

    def start(self, threads: int) -> None:
        """Have as many threads as needed, beside those for which others' calls wait."""
        with self._starting:
            while self._started < threads + self._jobs.qsize():
                threading.Thread(target=self._work, name="mascarade", daemon=True).start()
                self._started += 1

    def _work(self) -> None:
        while True:
            self._jobs.get().run()


_workers = _Workers()


def shares(size: int, parts: int) -> list[slice]:
    """Share out `size` rows among threads, as evenly as possible."""
    ends = [size * number // parts for number in range(parts + 1)]
    return [slice(begin, end) for begin, end in pairwise(ends)]


def run_all(calls: Sequence[Callable[[], R]]) -> list[R]:
    """Make calls at the same time, and return what they return when all have ended.

    What is raised meanwhile, as an interrupt is, finds all calls made or none.
    """
    if len(calls) == 1:
        return [calls[0]()]
    _workers.start(len(calls))
    jobs = [_Job(call) for call in calls]
    raised: BaseException | None = None
    while not all(job.over for job in jobs):
        try:
            for job in jobs:
                if not job.given:
                    _workers.give(job)
                    job.given = True
            for job in jobs:
                job.wait()
        except BaseException as error:
            raised = error
    if raised is not None:
        raise raised
    return [job.result() for job in jobs]


def _begin_anew() -> None:
    global _workers  # noqa: PLW0603  the threads are of the process
    _workers = _Workers()


# A child process has none of its parent's threads: it starts its own.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
