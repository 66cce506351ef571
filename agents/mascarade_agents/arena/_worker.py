"""A process that plays chunks. It writes each call of an agent to shared memory."""

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from typing import Any

from numba.core import event

from mascarade_agents.arena._entrants import Entrant
from mascarade_agents.arena._faults import Step, Watch
from mascarade_agents.arena._plan import Plan
from mascarade_agents.arena._play import play_chunk
from mascarade_env._errors import MascaradeError
from mascarade_env.cli._interrupts import ENDING

#: Indices into the shared memory: the number of calls and answers so far; the agent that is being
#: asked, or -1; the tick; the number of rows; the first row; the number of running compilations;
#: the agent that was asked last in this chunk, or -1.
COUNT, AGENT, TICK, ROWS, ROW, COMPILING, LAST = range(7)
FIELDS = 7
NONE = -1
_PR_SET_PDEATHSIG = 1  # Linux's option for the signal that a process gets when its parent ends
_SECONDS = 1.0  # between two messages to the parent with decisions


class _SharedWatch(Watch):
    """A `Watch` that writes calls to shared memory, and sends decisions to the parent.

    It sends decisions about once a second, so few are lost if this process ends.
    """

    interruptible = False

    def __init__(self, shared: Any, connection: Connection) -> None:
        self._shared = shared
        self._connection = connection
        self.begin()

    def begin(self) -> None:
        """Forget the decisions that were not sent, and restart the time."""
        self._unsent: list[Step] = []
        self._sent = time.monotonic()

    def asking(self, agent: int, tick: int, rows: int, row: int) -> None:
        shared = self._shared
        shared[TICK], shared[ROWS], shared[ROW] = tick, rows, row
        shared[AGENT] = shared[LAST] = agent
        shared[COUNT] += 1

    def answered(self) -> None:
        self._shared[AGENT] = NONE
        self._shared[COUNT] += 1

    def decided(self, step: Step) -> None:
        self._unsent.append(step)
        if time.monotonic() - self._sent > _SECONDS:
            self._connection.send(self._unsent)
            self.begin()


class _Compiling(event.Listener):
    """A counter of running compilations, because their time does not count as an agent's time."""

    def __init__(self, shared: Any) -> None:
        self._shared = shared

    def on_start(self, event: Any) -> None:
        self._shared[COMPILING] += 1

    def on_end(self, event: Any) -> None:
        self._shared[COMPILING] -= 1


def work(connection: Connection, shared: Any, plan: Plan, entrants: Sequence[Entrant]) -> None:
    """Play the chunks that the parent asks for, until the connection is closed."""
    for number in ENDING:  # the parent acts on these signals
        signal.signal(number, signal.SIG_IGN)
    os.environ["OMP_NUM_THREADS"] = "1"  # for libraries loaded later: each worker has one core
    _die_with_parent()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    event.register("numba:compile", _Compiling(shared))  # type: ignore[no-untyped-call]
    try:
        agents = [entrant.make(plan.scenario) for entrant in entrants]
    except MascaradeError as error:
        connection.send(error)
        return
    connection.send(None)
    watch = _SharedWatch(shared, connection)
    while True:
        try:
            chunk, care = connection.recv()
        except EOFError:
            return
        watch.begin()
        shared[LAST] = NONE
        connection.send(play_chunk(plan, chunk, agents, care, watch))


def _die_with_parent() -> None:
    """Make the system end this process when its parent ends. This works only on Linux.

    A thread that waits for the end is not enough, because an agent can block all Python threads.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _end_with_parent() -> None:
    """End this process when its parent ends, even while an agent is busy."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
