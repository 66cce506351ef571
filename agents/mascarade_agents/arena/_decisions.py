"""Asks agents for decisions, and finds the rows at fault when a call fails."""

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
    """Games that are played in step, and the agents that decide in them.

    Attributes:
        batch: the games.
        histories: the decisions in them so far.
        agents: the agents, by number.
        seed: seed of the random numbers of agents. With the tick and the number of the agent it
            determines those of one call, so no call depends on other calls.
        care: results of earlier attempts at these games.
        watch: the observer of calls of agents.
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
            tick: number of the tick: each one is a decision in every running game.
            rows: [k] the games in which a decision is due.
            deciding: [k] the number of the agent that takes it.
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
        """Return the decisions of an agent in some rows, and its faults by row."""
        if len(rows) > 1 and tick < self.care.singly.get(agent, math.inf):
            answer = self._call(agent, tick, rows, self._rng(agent, tick))
            if not isinstance(answer, Fault):
                return answer
        return self._ask_singly(agent, tick, rows)

    def _ask_singly(
        self, agent: int, tick: int, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], dict[int, Fault]]:
        """Return the same from one call for each row."""
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
        # An agent can read the seed of its generator. With the seed of the arena it could repeat
        # the deal, so its seed is a digest, which cannot be reversed.
        words = " ".join(map(str, (*self.seed, agent, tick)))
        digest = hashlib.blake2b(words.encode(), digest_size=16).digest()
        return np.random.default_rng(int.from_bytes(digest, "little"))

    def _call(
        self, agent: int, tick: int, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[NDArray[np.int64], dict[int, Fault]] | Fault:
        """Return the decisions, or why the call failed as a whole."""
        batch = self.batch
        policy = self.agents[agent]
        positions = self.histories.positions(rows, policy)
        self.watch.asking(agent, tick, len(rows), int(rows[0]))
        try:
            answer = policy.act_batch(positions, rng)
            actions = np.array(answer)
        except BaseException as error:  # SystemExit too: an agent must not end an arena
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
            f"{answer.dtype} of shape {answer.shape} instead of {len(rows)} action ids"
            + (f", such as {str(answer.flat[0])!r:.80}" if words else "")
            + ". Answer with ids that are legal by `positions.masks`",
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
