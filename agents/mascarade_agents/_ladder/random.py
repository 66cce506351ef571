"""The random agent takes each legal action with the same probability."""

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._agent import Agent
from mascarade_env import Positions


class RandomAgent(Agent):
    """An agent that chooses uniformly among the legal actions."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return one action id for each position, [k]."""
        masks = positions.masks
        drawn: NDArray[np.int64] = np.where(masks, rng.random(masks.shape), -1.0).argmax(axis=1)
        return drawn

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """Return the probabilities of actions, [k, A]; they are equal for all legal actions."""
        masks = positions.masks
        uniform: NDArray[np.float64] = masks / masks.sum(axis=1, keepdims=True, dtype=np.float64)
        return uniform
