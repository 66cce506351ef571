"""Hand-written and other agents where a learner plays: as guests, and as teachers."""

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._agent import Agent
from mascarade_agents._registry import make_agent
from mascarade_env._errors import MascaradeError
from mascarade_env.game._actions import padded_ids
from mascarade_env.game._batch import Batch
from mascarade_env.game._scenarios import Scenario
from mascarade_env.game._state import new_rows
from mascarade_env.observation._schema import Schema, schema_of


class NamedAgent:
    """An agent by its name, in any scenario; padded observations are made its own.

    Args:
        name: as for `make_agent`.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._agents: dict[Schema, tuple[Agent, NDArray[np.int64], NDArray[np.int64]]] = {}

    def decide(
        self,
        schema: Schema,
        observation: NDArray[np.float32],
        mask: NDArray[np.int8],
        chance: np.random.Generator,
    ) -> NDArray[np.int64]:
        """[k] actions."""
        agent, places, ids = self._made(schema)
        taken = agent.act_batch(_plain(observation, places), mask[:, ids], (), chance)
        found: NDArray[np.int64] = ids[taken]
        return found

    def chances(
        self, schema: Schema, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """[k, A] by which chances it would act."""
        agent, places, ids = self._made(schema)
        told = agent.chances(_plain(observation, places), mask[:, ids], ())
        if told is None:
            raise MascaradeError(f"{self._name} does not tell its chances, so it cannot teach")
        found = np.zeros(mask.shape, np.float32)
        found[:, ids] = told
        return found

    def check(self, schema: Schema, *, teaching: bool = False) -> None:
        """Whether it can play where such observations are made, and tell its chances if it teaches.

        Raises:
            MascaradeError: it cannot, or there is none of this name.
        """
        self._made(schema)
        if teaching:
            batch = Batch(schema.scenario, 1, seed=0, track="both", padded=schema.padded)
            self.chances(schema, batch.observation, batch.mask)

    def _made(self, schema: Schema) -> tuple[Agent, NDArray[np.int64], NDArray[np.int64]]:
        """The agent in a scenario, and where its observations and action ids are in padded ones."""
        scenario: Scenario = schema.scenario
        if schema not in self._agents:
            agent = make_agent(self._name, scenario)
            if agent.needs_views or schema.track != "both":
                raise MascaradeError(
                    f"{self._name} cannot play here: guests and teachers play by observations "
                    "alone, and take --track both"
                )
            ids = np.array(padded_ids(new_rows(scenario, 1)[0]))
            if not schema.padded:
                ids = np.arange(len(ids))
            places = schema_of(scenario, "both", False).indices_in(schema)
            self._agents[schema] = agent, places, ids
        return self._agents[schema]


def _plain(observation: NDArray[np.float32], places: NDArray[np.int64]) -> NDArray[np.float32]:
    """Observations as the agent reads them; what is not in them is 0."""
    zeros = np.zeros((len(observation), 1), np.float32)
    return np.concatenate([observation, zeros], axis=1)[:, places]
