"""The base class of the hand-written agents: it takes the legal action with the best score."""

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

#: Actions whose scores differ by less than this count as equal, and the agent samples one of them.
_EQUAL = 1e-4


class PhasedAgent(Agent):
    """An agent that takes the legal action with the best score; subclasses compute the scores.

    Attributes:
        ids: the ranges of the scenario's action ids.
        boldness: the probability that a decision is bold. Subclasses may give other scores in bold
            decisions (`Reading.bold`).
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
        """Return the scores of takes, look and announcements, [k, m + kinds]."""

    @abstractmethod
    def challenge(self, reading: Reading) -> Floats:
        """Return the scores of claim and pass, [k, 2]."""

    def table(self, reading: Reading) -> Floats:
        """Return the scores of swap and keep, [k, 2]."""
        return swap_or_keep(reading, reading.belief, holding(reading))

    def target(self, reading: Reading) -> Floats:
        """Return the scores of the other seats as targets, clockwise, and of decline, [k, n]."""
        return targets(reading, holding(reading), in_coins)

    def declare(self, reading: Reading) -> Floats:
        """Return the score of naming each mask when the Guru asks, [k, kinds]."""
        return reading.own

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return an action id with the best score for each position, [k]; break ties at random."""
        masks = positions.masks
        drawn = rng.random((len(masks), masks.shape[1] + 1), np.float32)
        best = self._best(positions.observations, masks, drawn[:, -1] < self.boldness)
        taken: NDArray[np.int64] = np.where(best, drawn[:, :-1], -1).argmax(axis=1)
        return taken

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """Return the probabilities with which `act_batch` takes each action, [k, A].

        In bold and in other decisions, all actions with the best score are equally probable.
        """
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
        """Return whether each action is legal and has the best score, [k, A]."""
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
