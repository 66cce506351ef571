"""Takes any legal action, all with the same chance: the floor of the ladder."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._agent import Agent
from mascarade_env.knowledge._agent_view import AgentView


class RandomAgent(Agent):
    """Uniformly random among the legal actions."""

    def chances(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        views: Sequence[AgentView],
    ) -> NDArray[np.float64]:
        """[k, A] the same for all legal actions of a row."""
        found: NDArray[np.float64] = masks / masks.sum(axis=1, keepdims=True, dtype=np.float64)
        return found

    def act_batch(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        views: Sequence[AgentView],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """The action ids for k players who decide."""
        drawn: NDArray[np.int64] = np.where(masks, rng.random(masks.shape), -1.0).argmax(axis=1)
        return drawn
