"""Calls of kernels at the same time, in threads: kernels release the interpreter's lock."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import TypeVar

R = TypeVar("R")

_pools: dict[int, ThreadPoolExecutor] = {}


def shares(size: int, parts: int) -> list[slice]:
    """Share out `size` rows among threads, as evenly as possible."""
    ends = [size * number // parts for number in range(parts + 1)]
    return [slice(begin, end) for begin, end in pairwise(ends)]


def run_all(calls: Sequence[Callable[[], R]]) -> list[R]:
    """Run calls at the same time, the first one in this thread, and return when all have ended.

    An interrupt is raised when all have ended, so that it finds all of them done.
    """
    if len(calls) == 1:
        return [calls[0]()]
    pool = _pool(len(calls) - 1)
    futures = [pool.submit(call) for call in calls[1:]]
    try:
        first = calls[0]()
    finally:
        _wait(futures)
    return [first, *(future.result() for future in futures)]


def _wait(futures: Sequence[Future[R]]) -> None:
    interrupt: KeyboardInterrupt | None = None
    while True:
        try:
            wait(futures)
            break
        except KeyboardInterrupt as error:
            interrupt = error
    if interrupt is not None:
        raise interrupt


def _pool(threads: int) -> ThreadPoolExecutor:
    """Return this process's pool of so many threads; they start when they are needed."""
    if threads not in _pools:
        _pools[threads] = ThreadPoolExecutor(threads, thread_name_prefix="mascarade")
    return _pools[threads]


# A child process has none of its parent's threads: it makes pools of its own.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)
