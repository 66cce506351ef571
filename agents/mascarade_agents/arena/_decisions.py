"""Asks agents for decisions. If a call fails, finds the games in which the agent is at fault."""

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
    """Games that are played in step (one decision in each game per tick), and their agents.

    Attributes:
        batch: the games.
        histories: the decisions so far in these games.
        agents: the agents, by number.
        seed: seed of the agents' random numbers. Those of one call depend only on this seed, the
            number of the agent and the tick, and not on other calls.
        care: what is known from earlier attempts to play these games.
        watch: an object that is notified of calls of agents.
    """

    batch: Batch
    histories: Histories
    agents: list[Policy]
    seed: tuple[int, ...]
    care: Care
    watch: Watch

    def decide(self, tick: int, rows: NDArray[np.int64], deciding: NDArray[np.int16]) -> Step:
        """Return all decisions of a tick.

        Args:
            tick: number of the tick, from 0. In each tick, every running game takes one decision.
            rows: the games in which a decision is due, as rows of the batch, [k].
            deciding: the number of the agent that decides in each of them, [k].
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
        """Return the decisions of an agent in these rows, and its faults by row."""
        if len(rows) > 1 and tick < self.care.singly.get(agent, math.inf):
            answer = self._call(agent, tick, rows, self._rng(agent, tick))
            if not isinstance(answer, Fault):
                return answer
        return self._ask_singly(agent, tick, rows)

    def _ask_singly(
        self, agent: int, tick: int, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], dict[int, Fault]]:
        """Return the decisions and faults of an agent, which is called once for each row."""
        rng = self._rng(agent, tick)
        taken, faults = np.zeros(len(rows), np.int64), {}
        for place, row in enumerate(rows.tolist()):
            known_fault = self.care.known(agent, tick, row)
            if known_fault is not None:
                faults[row] = known_fault
                continue
            answer = self._call(agent, tick, rows[place : place + 1], rng)
            if isinstance(answer, Fault):
                faults[row] = answer
            else:
                taken[place] = answer[0][0]
                faults |= answer[1]
        return taken, faults

    def _rng(self, agent: int, tick: int) -> np.random.Generator:
        # An agent can read the seed of its generator. If that were the seed of the arena, the agent
        # could repeat the deal. So the seed is a digest, which cannot be reversed.
        words = " ".join(map(str, (*self.seed, agent, tick)))
        digest = hashlib.blake2b(words.encode(), digest_size=16).digest()
        return np.random.default_rng(int.from_bytes(digest, "little"))

    def _call(
        self, agent: int, tick: int, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[NDArray[np.int64], dict[int, Fault]] | Fault:
        """Call an agent once. Return its decisions and faults, or one fault of the whole call."""
        batch = self.batch
        policy = self.agents[agent]
        positions = self.histories.positions(rows, policy)
        self.watch.asking(agent, tick, len(rows), int(rows[0]))
        try:
            answer = policy.act_batch(positions, rng)
            actions = np.array(answer)
        except BaseException as error:  # SystemExit too, because an agent must not end an arena
            if isinstance(error, KeyboardInterrupt) and self.watch.interruptible:
                raise
            return Fault("raised", in_short(error))
        finally:
            self.watch.answered()
        return _checked(actions, batch.mask[rows], rows, batch)


def _checked(
    answer: NDArray[Any], masks: NDArray[np.int8], rows: NDArray[np.int64], batch: Batch
) -> tuple[NDArray[np.int64], dict[int, Fault]] | Fault:
    if answer.shape != (len(rows),) or answer.dtype.kind not in "iu":
        words = answer.dtype.kind in "US" and answer.size
        return Fault(
            "answered",
            f"an array of type {answer.dtype} and shape {answer.shape} instead of {len(rows)} "
            "action ids"
            + (f", such as {str(answer.flat[0])!r:.80}" if words else "")
            + ". Return action ids that are legal according to `positions.masks`",
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
