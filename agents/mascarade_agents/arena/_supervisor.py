"""Starts worker processes, ends those that hang, and repeats the chunks that they had begun."""

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

# A call for many rows may take at most the time limit of this number of decisions. If it takes
# longer, the agent is asked for one row at a time, because the time limit is for one decision.
_ROWS_COUNTED = 8
_GLANCE = 0.2  # seconds between two looks at the workers
_FINDABLE = (
    "define each class of agents at the top level of a module that workers can import; in a "
    "script, "
    'call run under `if __name__ == "__main__":`; or use workers=0'
)
# A worker may die while no agent is being asked, for example if there is not enough memory. After
# this number of deaths in one chunk, the agent that was asked last forfeits.
_DEATHS = 3


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Block signals that end a process in processes that are started in this context.

    Only the parent acts on these signals. It receives them after the context if they arrive in it.
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
    """A chunk to play."""

    chunk: int
    care: Care = field(default_factory=Care)
    deaths: int = 0  # number of workers that died while no agent was being asked


class _Worker:
    """A worker process, with the parent's end of its connection."""

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
        """Send a chunk to the worker. If the worker has died, `Crew.play` notices that later."""
        self.job = job
        with contextlib.suppress(OSError):
            self.connection.send((job.chunk, job.care))

    def overdue(self, seconds: float) -> bool:
        """Return whether the agent that the worker is asking has exceeded its time limit."""
        now, shared = time.monotonic(), self.shared
        if shared[COUNT] != self._seen or shared[AGENT] == NONE or shared[COMPILING]:
            self._seen, self._since = shared[COUNT], now
        allowed: float = seconds * min(shared[ROWS], _ROWS_COUNTED)
        return now - self._since > allowed

    def end(self) -> list[int]:
        """Kill the worker. Return its shared memory, which describes the last call of an agent."""
        self.process.kill()
        self.process.join()
        self.connection.close()
        return list(self.shared)

    @property
    def went_on(self) -> bool:
        """Whether the worker has made progress since the last call of `overdue`."""
        return bool(self.shared[COUNT] != self._seen)


class Crew:
    """Processes that play chunks. Use it in a `with` block, which ends them on exit.

    Args:
        plan: the plan of the arena.
        entrants: the agents that take part.
        size: number of processes.

    Raises:
        MascaradeError: an agent cannot be sent to another process.
    """

    def __init__(self, plan: Plan, entrants: Sequence[Entrant], size: int) -> None:
        try:
            pickle.dumps(entrants)
        except Exception as error:
            raise MascaradeError(f"workers cannot import all agents: {_FINDABLE}") from error
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
        """Yield the results of each chunk when it is finished, in any order."""
        waiting = deque(map(_Job, chunks))
        left = len(waiting)
        while len(self._workers) < min(self._size, left):
            self._hire()
        while left:
            by_end: dict[Any, _Worker] = {w.connection: w for w in self._workers}
            for end in wait(list(by_end), min(_GLANCE, self._plan.seconds / 4)):
                worker = by_end[end]
                played = self._receive(worker, waiting)
                if played is not None:
                    left -= 1
                    yield played
            for worker in list(self._workers):
                if worker.overdue(self._plan.seconds):
                    self._replace(worker, waiting, late=True)
                elif not worker.process.is_alive() and not worker.connection.poll():
                    # The worker is dead, but a process that it has started keeps the connection
                    # open.
                    self._replace(worker, waiting)
            for worker in self._workers:
                if waiting and worker.ready and worker.job is None:
                    worker.give(waiting.popleft())

    def _hire(self) -> None:
        self._workers.append(_Worker(self._plan, self._entrants))

    def _receive(self, worker: _Worker, waiting: deque[_Job]) -> Played | None:
        """Receive a message of a worker: the results of a chunk, or some steps of one.

        Results are returned. Steps are added to the job, for another attempt.

        Raises:
            MascaradeError: the worker could not make an agent.
        """
        try:
            message = worker.connection.recv()
        except (EOFError, OSError):
            self._replace(worker, waiting)
            return None
        if isinstance(message, MascaradeError):
            raise message
        worker.ready = True
        if isinstance(message, Played):
            worker.job = None
            return message
        if message is not None and worker.job is not None:
            care = worker.job.care
            worker.job = replace(worker.job, care=replace(care, steps=[*care.steps, *message]))
        return None

    def _replace(self, worker: _Worker, waiting: deque[_Job], *, late: bool = False) -> None:
        """End a worker and start another one, which repeats the chunk from the steps so far."""
        if not late:
            worker.process.join()  # before `end` kills the process, which changes the exit code
        code = worker.process.exitcode
        asked, job = worker.end(), worker.job
        self._workers.remove(worker)
        died = Fault("died", f"the process ended with exit code {code}")
        if not worker.ready:
            raise MascaradeError(f"a worker could not start: {died.message}; {_FINDABLE}")
        if job is not None:
            if not late:
                job = _learned(job, asked, died)
            elif not worker.went_on:  # otherwise the agent has just answered
                overran = Fault("overran", f"no decision within {self._plan.seconds:g} s")
                job = _learned(job, asked, overran)
            waiting.appendleft(job)
        self._hire()


def _learned(job: _Job, asked: Sequence[int], fault: Fault) -> _Job:
    """Return the job for its next attempt, after its worker ended.

    Its `care` then holds the fault, or asks this agent for one row at a time, to find the row at
    fault. If no agent was deciding, the first attempts only count the deaths.

    Args:
        job: the job of the worker.
        asked: the shared memory of the worker, which describes the last call of an agent.
        fault: the fault of this agent.
    """
    agent, tick, care = asked[AGENT], asked[TICK], job.care
    if agent == NONE:
        if job.deaths + 1 < _DEATHS:
            return replace(job, deaths=job.deaths + 1)
        agent = asked[LAST]
        if agent == NONE:
            raise MascaradeError(
                f"workers ended before any agent was asked: {fault.message}; if there is not "
                "enough memory, use fewer workers"
            )
        why = "no agent was being asked at that moment, so the agent that was asked last forfeits"
        fault = Fault(fault.kind, f"{fault.message}; {why}")
        care = replace(care, steps=care.steps[:tick])  # ask again for the decisions of this tick
    if asked[ROWS] > 1:
        return replace(job, care=replace(care, singly={**care.singly, agent: tick}))
    place = (tick, asked[ROW])
    care = replace(care, faults={**care.faults, place: fault})
    if fault.kind == "overran":
        # From this tick on, the agent is asked for one row at a time, in the same order every time.
        care = replace(
            care,
            singly={**care.singly, agent: min(tick, care.singly.get(agent, tick))},
            stalls={**care.stalls, agent: (*care.stalls.get(agent, ()), place)},
        )
    return replace(job, care=care)
