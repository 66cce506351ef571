"""Trained networks by name, as agents: "net:runs/sb3-4A"."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.agent import Agent
from mascarade_env.core.actions import padded_ids
from mascarade_env.core.agent_view import AgentView
from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.scenarios import Scenario
from mascarade_env.core.schema import schema_of
from mascarade_env.core.state import new_rows


class NetAgent(Agent):
    """A network that was trained by `mascarade_train.sb3`; it decides by chance, as it learned.

    One that was trained padded plays every scenario, others the one they have learned.

    Args:
        scenario: what it plays.
        argument: the checkpoint, or the folder of a run. Only load what you trust: a checkpoint of
            Stable-Baselines3 can hold code.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        if not argument:
            raise MascaradeError('a net is named by its file, as in "net:runs/sb3-4A"')
        try:
            from mascarade_train.snapshots import load  # noqa: PLC0415 (torch is heavy)
        except ImportError as missing:
            raise MascaradeError(
                f"agents of networks need the extra train: pip install '.[train]' ({missing})"
            ) from missing

        self._net = load(argument, scenario=scenario)
        schema = schema_of(scenario, self._net.schema.track, self._net.schema.padded)
        self._places = schema.indices_in(schema_of(scenario, "both", False))
        self._ids = np.arange(self._net.actions)
        if schema.padded:
            self._ids = np.array(padded_ids(new_rows(scenario, 1)[0]))

    def act_batch(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        views: Sequence[AgentView],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """The action ids for k players who decide."""
        scores = self._scores(observations, masks)
        # The largest of scores with this noise is a draw by their chances.
        drawn: NDArray[np.int64] = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)
        return drawn

    def chances(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        views: Sequence[AgentView],
    ) -> NDArray[np.float64]:
        """[k, A] as the network says."""
        scores = self._scores(observations, masks).astype(np.float64)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        found: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return found

    def _scores(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """[k, A] the logarithms of chances, but for a summand; minus infinity where illegal."""
        zero = np.zeros((len(masks), 1), np.float32)
        seen = np.concatenate([observations, zero], axis=1)[:, self._places]
        legal = np.zeros((len(masks), self._net.actions), np.int8)
        legal[:, self._ids] = masks
        return self._net.scores(seen, legal)[:, self._ids]
