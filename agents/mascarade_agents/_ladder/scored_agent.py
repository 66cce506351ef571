"""The base class of the hand-written agents, which scores the actions of each phase."""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._agent import Agent
from mascarade_agents._ladder.choices import swap_or_keep, targets
from mascarade_agents._ladder.observation_reader import Bools, Floats, Ids, Reading
from mascarade_agents._ladder.power_values import holding, in_coins
from mascarade_env import Positions
from mascarade_env.game._positions import CHALLENGE, DECLARE, TABLE, TARGET, TURN
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._schema import schema_of

#: Actions whose scores differ by less are tied, and one of them is drawn at random.
_EQUAL = 1e-4


class PhasedAgent(Agent):
    """An agent that takes the legal action with the best score; subclasses compute the scores.

    Attributes:
        ids: the ranges of the scenario's action ids.
        boldness: the fraction of decisions that are drawn to be bold (`Reading.bold`). Subclasses
            may score actions differently there.
    """

    boldness: float = 0.0

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
        """Return [k, m + kinds] the scores of takes, look and announcements."""

    @abstractmethod
    def challenge(self, reading: Reading) -> Floats:
        """Return [k, 2] the scores of claim and pass."""

    def table(self, reading: Reading) -> Floats:
        """Return [k, 2] the scores of swap and keep."""
        return swap_or_keep(reading, reading.belief, holding(reading))

    def target(self, reading: Reading) -> Floats:
        """Return [k, n] the scores of the other seats clockwise, and of decline."""
        return targets(reading, holding(reading), in_coins)

    def declare(self, reading: Reading) -> Floats:
        """Return [k, kinds] the scores of the masks to name for the Guru."""
        return reading.own

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return [k] action ids with the best score; ties are broken at random."""
        masks = positions.masks
        drawn = rng.random((len(masks), masks.shape[1] + 1), np.float32)
        best = self._best(positions.observations, masks, drawn[:, -1] < self.boldness)
        taken: NDArray[np.int64] = np.where(best, drawn[:, :-1], -1).argmax(axis=1)
        return taken

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """Return [k, A]: the best actions share the probability of bold and of other decisions."""
        masks = positions.masks
        probabilities = np.zeros(masks.shape)
        for bold, share in ((True, self.boldness), (False, 1 - self.boldness)):
            if share:
                best = self._best(positions.observations, masks, np.full(len(masks), bold))
                probabilities += share * best / best.sum(axis=1, keepdims=True)
        return probabilities

    def _best(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], bold: Bools
    ) -> Bools:
        """Return [k, A] the legal actions with the best score."""
        phases = observations[:, self._phase : self._phase + len(self._scorers)].argmax(axis=1)
        best = np.zeros(masks.shape, np.bool_)
        for phase, score in self._scorers.items():
            rows = np.flatnonzero(phases == phase)
            if rows.size:
                span = slice(*self.ids.spans[phase])
                reading = Reading(self.scenario, observations[rows], masks[rows], bold[rows])
                scores = np.where(reading.masks[:, span] > 0, score(reading), -np.inf)
                best[rows, span] = scores >= scores.max(axis=1, keepdims=True) - _EQUAL
        return best
