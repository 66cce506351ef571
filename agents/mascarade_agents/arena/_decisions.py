"""Asks agents for decisions, and finds out which rows are to blame when that fails."""

import hashlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.arena._faults import Care, Fault, Step, Watch
from mascarade_env._policies.histories import Histories
from mascarade_env._policies.protocol import Policy
from mascarade_env._policies.short_errors import in_short
from mascarade_env.game._batch import Batch


@dataclass(frozen=True, slots=True)
class Decider:
    """Games in step, and who is asked for their decisions.

    Attributes:
        batch: the games.
        histories: what was decided in them.
        agents: by number.
        seed: of all that agents draw; with the tick and the agent it gives the random numbers of
            one call, so that no call depends on how others went.
        care: what earlier attempts have taught.
        watch: notes which agent is asked, and for what.
    """

    batch: Batch
    histories: Histories
    agents: list[Policy]
    seed: tuple[int, ...]
    care: Care
    watch: Watch

    def decide(self, tick: int, rows: NDArray[np.int64], deciding: NDArray[np.int16]) -> Step:
        """Return all the decisions of a tick.

        Args:
            tick: which.
            rows: in which games there is a decision.
            deciding: the agent that takes it, by place in `rows`.
        """
        step = Step(np.zeros(len(self.batch), np.int64), {})
        for agent in np.unique(deciding).tolist():
            asked = rows[deciding == agent]
            step.taken[asked], faults = self._ask(agent, tick, asked)
            step.faults.update((row, (agent, fault)) for row, fault in faults.items())
        return step

    def _ask(
        self, agent: int, tick: int, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], dict[int, Fault]]:
        """Return the decisions of an agent in some rows, and what was wrong, by row."""
        if len(rows) > 1 and tick < self.care.singly.get(agent, math.inf):
            asked = self._call(agent, tick, rows, self._rng(agent, tick))
            if not isinstance(asked, Fault):
                return asked
        return self._ask_singly(agent, tick, rows)

    def _ask_singly(
        self, agent: int, tick: int, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], dict[int, Fault]]:
        """Return the same row by row."""
        rng = self._rng(agent, tick)
        taken, faults = np.zeros(len(rows), np.int64), {}
        for place, row in enumerate(rows.tolist()):
            known = self.care.known(agent, tick, row)
            if known is not None:
                faults[row] = known
                continue
            asked = self._call(agent, tick, rows[place : place + 1], rng)
            if isinstance(asked, Fault):
                faults[row] = asked
            else:
                taken[place] = asked[0][0]
                faults |= asked[1]
        return taken, faults

    def _rng(self, agent: int, tick: int) -> np.random.Generator:
        # An agent can read the seed of its generator, and with the seed of the arena it could deal
        # all the cards again: it is given a digest, from which there is no way back.
        words = " ".join(map(str, (*self.seed, agent, tick)))
        digest = hashlib.blake2b(words.encode(), digest_size=16).digest()
        return np.random.default_rng(int.from_bytes(digest, "little"))

    def _call(
        self, agent: int, tick: int, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[NDArray[np.int64], dict[int, Fault]] | Fault:
        """Return the decisions, or why the call failed as a whole."""
        batch = self.batch
        asked = self.agents[agent]
        positions = self.histories.positions(rows, asked)
        self.watch.asking(agent, tick, len(rows), int(rows[0]))
        try:
            answer = asked.act_batch(positions, rng)
            found = np.array(answer)
        except BaseException as error:  # SystemExit too: an agent does not end an arena
            if isinstance(error, KeyboardInterrupt) and self.watch.interruptible:
                raise
            return Fault("raised", in_short(error))
        finally:
            self.watch.answered()
        return _checked(found, batch.mask[rows], rows, batch)


def _checked(
    answer: NDArray[Any], masks: NDArray[np.int8], rows: NDArray[np.int64], batch: Batch
) -> tuple[NDArray[np.int64], dict[int, Fault]] | Fault:
    if answer.shape != (len(rows),) or answer.dtype.kind not in "iu":
        return Fault(
            "answered",
            f"{answer.dtype} of shape {answer.shape} instead of {len(rows)} action ids",
        )
    within = (answer >= 0) & (answer < masks.shape[1])
    taken = np.where(within, answer, 0).astype(np.int64)
    legal = within & (masks[np.arange(len(rows)), taken] != 0)
    faults = {
        int(rows[place]): Fault(
            "answered", str(batch.refusal(int(rows[place]), int(answer[place])))
        )
        for place in np.flatnonzero(~legal)
    }
    return taken, faults
