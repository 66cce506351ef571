"""Faults of agents, and the results of earlier attempts at a chunk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: The agent raised an error; answered with an illegal action; took too long; ended its process.
Kind: TypeAlias = Literal["raised", "answered", "overran", "died"]


class Fault(NamedTuple):
    """The reason why an agent forfeits a game."""

    kind: Kind
    message: str


class Step(NamedTuple):
    """The decisions of one tick of a chunk.

    Attributes:
        taken: [B] the action in each row; 0 in rows without a decision.
        faults: by row, the agent that forfeits, and the reason.
    """

    taken: NDArray[np.int64]
    faults: dict[int, tuple[int, Fault]]


#: After this number of stalls in a chunk, an agent is not asked again in it.
PATIENCE = 20


@dataclass(frozen=True, slots=True)
class Care:
    """The results of earlier attempts at a chunk, which a worker did not survive.

    Attributes:
        steps: the decisions of the first ticks. They are not asked for again.
        singly: by agent, the tick from which it is asked row by row, because a call for many rows
            ended the process there.
        faults: by tick and row, the faults that ended the process. These decisions are not asked
            for again.
        stalls: by agent, the ticks and rows in which it took too long, in the order of play.
    """

    steps: Sequence[Step] = ()
    singly: Mapping[int, int] = field(default_factory=dict)
    faults: Mapping[tuple[int, int], Fault] = field(default_factory=dict)
    stalls: Mapping[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    def known(self, agent: int, tick: int, row: int) -> Fault | None:
        """Return the fault of a decision if earlier attempts show it, else None."""
        stalls = self.stalls.get(agent, ())
        # Decisions before the last stall were answered once, and must be again.
        if len(stalls) >= PATIENCE and (tick, row) > stalls[PATIENCE - 1]:
            return Fault("overran", f"not asked again after {PATIENCE} stalls in a chunk")
        return self.faults.get((tick, row))


class Watch:
    """Observer of calls of agents; this base class ignores them."""

    #: Whether the user may have raised a KeyboardInterrupt; in a worker only an agent can.
    interruptible = True

    def asking(self, agent: int, tick: int, rows: int, row: int) -> None:
        """Note that an agent is about to be called.

        Args:
            agent: number of the agent.
            tick: tick of the chunk.
            rows: number of decisions in the call.
            row: the row, if it is only one.
        """

    def answered(self) -> None:
        """Note that the agent has answered or raised an error."""

    def decided(self, step: Step) -> None:
        """Note the decisions of a whole tick."""
