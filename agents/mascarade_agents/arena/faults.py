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


@dataclass(frozen=True, slots=True)
class Care:
    """What earlier attempts at a chunk have taught.

    Attributes:
        steps: the first ticks, as they were decided then. They are not decided again.
        singly: by agent, the tick from which it is asked row by row: a call for many rows failed
            there in a way that ended the process.
        faults: the faults that ended it, by tick and row. These decisions are not asked for again.
    """

    steps: Sequence[Step] = ()
    singly: Mapping[int, int] = field(default_factory=dict)
    faults: Mapping[tuple[int, int], Fault] = field(default_factory=dict)


class Watch:
    """Is told what an agent is asked for, and what came of it; does nothing here."""

    #: Whether a KeyboardInterrupt is the user's; in a worker only an agent can have raised it.
    interruptible = True

    def asking(self, agent: int, tick: int, rows: int, row: int) -> None:
        """An agent is about to be asked.

        Args:
            agent: which.
            tick: of the chunk.
            rows: how many it is asked for at once.
            row: which, if it is one.
        """

    def answered(self) -> None:
        """It has answered or raised."""

    def decided(self, step: Step) -> None:
        """All of a tick is decided."""
