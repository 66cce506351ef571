"""Policies for tests: by views, by observations, and by arrays that they note."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_agents import Agent
from mascarade_env import AgentView, Positions, Schema


class LastByView(Agent):
    """Takes the last legal action, which it finds in its view."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return view.legal_ids()[-1]


class LastByMask(Agent):
    """Takes the last legal action, which it finds in its mask."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        masks = positions.masks
        last: NDArray[np.int64] = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return last


class ByBelief(Agent):
    """Decides by all that a view knows, in a way that any mistake in the view would change."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        known = f"{view} {view.information_state()} {view.belief().tolist()} {view.player}"
        legal = view.legal_ids()
        return legal[sum(known.encode()) % len(legal)]


class Noting:
    """A policy of no base class: takes the first legal action and notes what it is shown."""

    needs_views = False

    def __init__(self, reads: Schema | None = None) -> None:
        self.reads = reads
        self.shown: list[Positions] = []

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Any:
        self.shown.append(positions)
        return positions.masks.argmax(axis=1)

    def probabilities(self, positions: Positions) -> None:
        return None


def last(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> Any:
    """The same as a function."""
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
