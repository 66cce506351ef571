"""What all hand-written agents have in common: a score for each action that a phase offers."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.agent import Agent
from mascarade_agents.choices import swap_or_keep, targets
from mascarade_agents.reading import Floats, Ids, Reading
from mascarade_agents.worth import holding, in_coins
from mascarade_env.core.agent_view import AgentView
from mascarade_env.core.scenarios import Scenario
from mascarade_env.core.schema import schema_of
from mascarade_env.core.state import CHALLENGE, DECLARE, TABLE, TARGET, TURN

#: Scores that differ by less are equals, between which chance decides.
_EQUAL = 1e-4


class PhasedAgent(Agent):
    """Takes the legal action with the best score; subclasses say the scores.

    Attributes:
        ids: where the action ids of the scenario begin.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario, argument)
        self.ids = Ids(scenario)
        self._phase = schema_of(scenario, "both", False).places["phase"].start
        self._scorers = {
            TURN: self.turn,
            TABLE: self.table,
            CHALLENGE: self.challenge,
            TARGET: self.target,
            DECLARE: self.declare,
        }

    @abstractmethod
    def turn(self, reading: Reading) -> Floats:
        """[k, m + kinds] of takes, look, announcements."""

    @abstractmethod
    def challenge(self, reading: Reading) -> Floats:
        """[k, 2] of claim and pass."""

    def table(self, reading: Reading) -> Floats:
        """[k, 2] of swap and keep."""
        return swap_or_keep(reading, reading.belief, holding(reading))

    def target(self, reading: Reading) -> Floats:
        """[k, n] of the seats of others from the left on, and of decline."""
        return targets(reading, holding(reading), in_coins)

    def declare(self, reading: Reading) -> Floats:
        """[k, kinds] of the masks to name for the Guru."""
        return reading.own

    def act_batch(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        views: Sequence[AgentView],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """The action ids for k players who decide."""
        chance = rng.random((len(masks), masks.shape[1] + 1), np.float32)
        phases = observations[:, self._phase : self._phase + len(self._scorers)].argmax(axis=1)
        taken = np.zeros(len(masks), np.int64)
        for phase, score in self._scorers.items():
            rows = np.flatnonzero(phases == phase)
            if rows.size:
                first, last = self.ids.spans[phase]
                reading = Reading(self.scenario, observations[rows], masks[rows], chance[rows])
                scores = score(reading) + _EQUAL * reading.chance[:, first:last]
                legal = reading.masks[:, first:last] > 0
                taken[rows] = first + np.where(legal, scores, -np.inf).argmax(axis=1)
        return taken
