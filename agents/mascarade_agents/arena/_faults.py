"""What can be wrong with an agent's answer, and what earlier attempts at a chunk have taught."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: It raised an error; answered what is no legal action; took too long; ended its process.
Kind: TypeAlias = Literal["raised", "answered", "overran", "died"]


class Fault(NamedTuple):
    """Why an agent forfeits a game."""

    kind: Kind
    message: str


class Step(NamedTuple):
    """What was decided in one tick of a chunk.

    Attributes:
        taken: [B] the decision in each row; 0 where there was none.
        faults: by row, the agent that forfeits and why.
    """

    taken: NDArray[np.int64]
    faults: dict[int, tuple[int, Fault]]


#: An agent that has overrun its time so often in a chunk is not asked any more in it.
PATIENCE = 20


@dataclass(frozen=True, slots=True)
class Care:
    """What earlier attempts at a chunk have taught.

    Attributes:
        steps: the first ticks, as they were decided then. They are not decided again.
        singly: by agent, the tick from which it is asked row by row: a call for many rows failed
            there in a way that ended the process.
        faults: the faults that ended it, by tick and row. These decisions are not asked for again.
        stalls: by agent, the ticks and rows where it overran its time, in the order of play.
    """

    steps: Sequence[Step] = ()
    singly: Mapping[int, int] = field(default_factory=dict)
    faults: Mapping[tuple[int, int], Fault] = field(default_factory=dict)
    stalls: Mapping[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    def known(self, agent: int, tick: int, row: int) -> Fault | None:
        """Return what is wrong with a decision, if that is known without asking for it."""
        stalls = self.stalls.get(agent, ())
        # What came before the last stall was answered once, and must be again.
        if len(stalls) >= PATIENCE and (tick, row) > stalls[PATIENCE - 1]:
            return Fault("overran", f"not asked any more after {PATIENCE} stalls in a chunk")
        return self.faults.get((tick, row))


class Watch:
    """Notes what agents are asked for, and what came of it; does nothing here."""

    #: Whether a KeyboardInterrupt is the user's; in a worker only an agent can have raised it.
    interruptible = True

    def asking(self, agent: int, tick: int, rows: int, row: int) -> None:
        """Note that an agent is about to be asked.

        Args:
            agent: which.
            tick: of the chunk.
            rows: how many it is asked for at once.
            row: which, if it is one.
        """

    def answered(self) -> None:
        """Note that it has answered or raised."""

    def decided(self, step: Step) -> None:
        """Note that all of a tick is decided."""
