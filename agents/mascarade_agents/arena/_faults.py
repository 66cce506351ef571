"""Faults of agents, and what is known from earlier attempts to play a chunk of games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: The agent raised an error, answered with an illegal action, took too long, or ended its process.
Kind: TypeAlias = Literal["raised", "answered", "overran", "died"]


class Fault(NamedTuple):
    """The reason why an agent forfeits a game."""

    kind: Kind
    message: str


class Step(NamedTuple):
    """The decisions of one tick in a chunk of B games.

    Attributes:
        taken: the action in each row, [B]; 0 in rows without a decision.
        faults: for each row with a fault, the number of the agent that forfeits, and the reason.
    """

    taken: NDArray[np.int64]
    faults: dict[int, tuple[int, Fault]]


#: After this number of stalls (calls that took too long) in a chunk, an agent is not asked again.
PATIENCE = 20


@dataclass(frozen=True, slots=True)
class Care:
    """What is known about a chunk from earlier attempts, in which the worker process died.

    Attributes:
        steps: the decisions of the first ticks. Agents are not asked for these again.
        singly: for an agent, a tick in which a call for many rows ended the process. From this
            tick on, the agent is asked for one row at a time.
        faults: the faults that ended the process, by tick and row. The agent is not asked for
            these decisions again.
        stalls: for each agent, the tick and row of each decision for which it took too long, in
            the order of play.
    """

    steps: Sequence[Step] = ()
    singly: Mapping[int, int] = field(default_factory=dict)
    faults: Mapping[tuple[int, int], Fault] = field(default_factory=dict)
    stalls: Mapping[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    def known(self, agent: int, tick: int, row: int) -> Fault | None:
        """Return the fault of a decision if it is known from earlier attempts, else None."""
        stalls = self.stalls.get(agent, ())
        # The agent answered all decisions before the last stall, and must answer them again.
        if len(stalls) >= PATIENCE and (tick, row) > stalls[PATIENCE - 1]:
            return Fault("overran", f"not asked again after {PATIENCE} stalls in a chunk")
        return self.faults.get((tick, row))


class Watch:
    """An object that is notified of calls of agents. This base class ignores them."""

    #: Whether a KeyboardInterrupt may come from the user. In a worker it can come only from an
    #: agent.
    interruptible = True

    def asking(self, agent: int, tick: int, rows: int, row: int) -> None:
        """Record that an agent is about to be called.

        Args:
            agent: number of the agent.
            tick: tick of the chunk.
            rows: number of decisions in the call.
            row: the row, if there is only one decision.
        """

    def answered(self) -> None:
        """Record that the agent has answered or raised an error."""

    def decided(self, step: Step) -> None:
        """Record the decisions of a whole tick."""
