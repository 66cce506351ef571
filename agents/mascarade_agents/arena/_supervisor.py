"""Worker processes and who looks after them: what hangs or dies is ended, blamed, and made good."""

import contextlib
import multiprocessing
import pickle
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from typing import Any, Self

from mascarade_agents.arena._entrants import Entrant
from mascarade_agents.arena._faults import Care, Fault
from mascarade_agents.arena._plan import Plan
from mascarade_agents.arena._play import Played
from mascarade_agents.arena._worker import (
    AGENT,
    COMPILING,
    COUNT,
    FIELDS,
    LAST,
    NONE,
    ROW,
    ROWS,
    TICK,
    work,
)
from mascarade_env._errors import MascaradeError
from mascarade_env.cli._interrupts import ENDING

# A call for many rows may take as long as so many decisions. If it takes longer, the agent is asked
# row by row instead: only a decision by itself can be too slow.
_ROWS_COUNTED = 8
_GLANCE = 0.2  # seconds between two looks at the workers
_FINDABLE = (
    "a class of agents must stand at the top of a module that workers can import, and a script "
    'must call run under `if __name__ == "__main__":`; or play with workers=0'
)
# Deaths of workers in one chunk while no agent is asked, as for want of memory. At the last of them
# the agent that was asked last is blamed.
_DEATHS = 3


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep signals that end it from processes that start here: they are the parent's to deal with.

    It gets those that come meanwhile afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass
class _Job:
    """A chunk to be played."""

    chunk: int
    care: Care = field(default_factory=Care)
    deaths: int = 0  # for which no agent has been blamed


class _Worker:
    """A process, and what its parent knows about it."""

    def __init__(self, plan: Plan, entrants: Sequence[Entrant]) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would copy locks of other threads
        self.shared: Any = context.RawArray("q", FIELDS)
        self.shared[AGENT] = self.shared[LAST] = NONE
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=work, args=(theirs, self.shared, plan, tuple(entrants))
        )
        with _uninterrupted():
            self.process.start()
        theirs.close()
        self.ready = False
        self.job: _Job | None = None
        self._seen = 0
        self._since = time.monotonic()

    def give(self, job: _Job) -> None:
        """Let it play a chunk; if it has died meanwhile, that is noticed soon."""
        self.job = job
        with contextlib.suppress(OSError):
            self.connection.send((job.chunk, job.care))

    def overdue(self, seconds: float) -> bool:
        """Return whether the agent it asks has had its time."""
        now, shared = time.monotonic(), self.shared
        if shared[COUNT] != self._seen or shared[AGENT] == NONE or shared[COMPILING]:
            self._seen, self._since = shared[COUNT], now
        allowed: float = seconds * min(shared[ROWS], _ROWS_COUNTED)
        return now - self._since > allowed

    def end(self) -> list[int]:
        """End it, whatever it does; returns what was asked last."""
        self.process.kill()
        self.process.join()
        self.connection.close()
        return list(self.shared)

    @property
    def went_on(self) -> bool:
        """Whether it has gone on since `overdue` looked at it."""
        return bool(self.shared[COUNT] != self._seen)


class Crew:
    """Plays chunks by several processes; use it in a `with`, which ends them.

    Args:
        plan: of the arena.
        entrants: who takes part.
        size: how many processes.
    """

    def __init__(self, plan: Plan, entrants: Sequence[Entrant], size: int) -> None:
        try:
            pickle.dumps(entrants)
        except Exception as error:
            raise MascaradeError(f"workers cannot be told of all agents: {_FINDABLE}") from error
        self._plan = plan
        self._entrants = entrants
        self._size = size
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            worker.end()

    def play(self, chunks: Sequence[int]) -> Iterator[Played]:
        """Yield the chunks as they are done, in any order."""
        waiting = deque(map(_Job, chunks))
        left = len(waiting)
        while len(self._workers) < min(self._size, left):
            self._hire()
        while left:
            by_end: dict[Any, _Worker] = {w.connection: w for w in self._workers}
            for end in wait(list(by_end), min(_GLANCE, self._plan.seconds / 4)):
                worker = by_end[end]
                heard = self._hear(worker, waiting)
                if isinstance(heard, Played):
                    left -= 1
                    yield heard
            for worker in list(self._workers):
                if worker.overdue(self._plan.seconds):
                    self._replace(worker, waiting, late=True)
                elif not worker.process.is_alive() and not worker.connection.poll():
                    # Its end of the connection is still open: held by a process it has started.
                    self._replace(worker, waiting)
            for worker in self._workers:
                if waiting and worker.ready and worker.job is None:
                    worker.give(waiting.popleft())

    def _hire(self) -> None:
        self._workers.append(_Worker(self._plan, self._entrants))

    def _hear(self, worker: _Worker, waiting: deque[_Job]) -> Played | None:
        """Return what a worker says: a chunk that is done, or how far it has come."""
        try:
            heard = worker.connection.recv()
        except (EOFError, OSError):
            self._replace(worker, waiting)
            return None
        if isinstance(heard, MascaradeError):
            raise heard
        worker.ready = True
        if isinstance(heard, Played):
            worker.job = None
            return heard
        if heard is not None and worker.job is not None:
            care = worker.job.care
            worker.job = replace(worker.job, care=replace(care, steps=[*care.steps, *heard]))
        return None

    def _replace(self, worker: _Worker, waiting: deque[_Job], *, late: bool = False) -> None:
        """End a worker; its chunk is played again by another, with what has been learned."""
        if not late:
            worker.process.join()  # so that its exit code is its own
        code = worker.process.exitcode
        asked, job = worker.end(), worker.job
        self._workers.remove(worker)
        died = Fault("died", f"the process ended with exit code {code}")
        if not worker.ready:
            raise MascaradeError(f"a worker could not start: {died.message}; {_FINDABLE}")
        if job is not None:
            if not late:
                job = _learned(job, asked, died)
            elif not worker.went_on:  # or it has answered in the last moment
                overran = Fault("overran", f"no decision within {self._plan.seconds:g} s")
                job = _learned(job, asked, overran)
            waiting.appendleft(job)
        self._hire()


def _learned(job: _Job, asked: Sequence[int], fault: Fault) -> _Job:
    """Return a job with what the end of a worker has taught, in which an agent was asked so."""
    agent, tick, care = asked[AGENT], asked[TICK], job.care
    if agent == NONE:
        if job.deaths + 1 < _DEATHS:
            return replace(job, deaths=job.deaths + 1)
        agent = asked[LAST]
        if agent == NONE:
            raise MascaradeError(
                f"workers died before any agent was asked: {fault.message}; if memory is short, "
                "use fewer workers"
            )
        why = "no agent was being asked then, so the one asked last is blamed"
        fault = Fault(fault.kind, f"{fault.message}; {why}")
        care = replace(care, steps=care.steps[:tick])  # so that this tick is decided again
    if asked[ROWS] > 1:
        return replace(job, care=replace(care, singly={**care.singly, agent: tick}))
    place = (tick, asked[ROW])
    care = replace(care, faults={**care.faults, place: fault})
    if fault.kind == "overran":
        # From here on the agent is asked row by row, in the same order in every attempt.
        care = replace(
            care,
            singly={**care.singly, agent: min(tick, care.singly.get(agent, tick))},
            stalls={**care.stalls, agent: (*care.stalls.get(agent, ()), place)},
        )
    return replace(job, care=care)
