"""Copies of the tables of our Gymnasium environments, each followed by a `Game`."""

import copy
from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env.envs._learner_tables import LearnerTables
from mascarade_env.envs._opponents import RANDOM
from mascarade_env.game._game import Game
from mascarade_env.observation._blocks import Track

_MOST_STEPS = 2000  # limit of steps in the games that test whether opponents are repeatable


class Truth(NamedTuple):
    """The correct results of the last step at a table."""

    observation: NDArray[np.float32]
    mask: NDArray[np.int8]
    learner: int
    reward: float
    terminated: bool
    truncated: bool
    illegal: bool


class Twin(LearnerTables):
    """Copies of some tables, with a `Game` that follows the game at each table.

    `LearnerTables` determines the learner, the legal actions and the opponents' actions. `Game`
    determines the learner's observation, the reward, and the end of the game.

    Args:
        original: the tables to copy, opponents included.
    """

    def __init__(self, original: LearnerTables) -> None:
        track = cast("Track", original.schema.track)
        super().__init__(
            original.scenario,
            len(original),
            opponents=RANDOM if original.pool is None else copy.deepcopy(original.pool),
            seat=original.seat,
            track=track,
            padded=original.schema.padded,
            shaping=original.shaping,
            illegal_actions=original.illegal_actions,
            recording=True,
        )
        self._track = track
        self._followed: dict[int, Game] = {}
        self._taken = [0] * len(self)  # decisions that each `Game` has followed
        self._before: list[float] = []  # the learners' potentials before the last step
        self._fresh = np.zeros(len(self), np.bool_)  # whether a deal followed the last step

    def repeatable(self, seeds: Sequence[int]) -> bool:
        """Return whether the opponents repeat their decisions when the seeds are the same."""
        if self.pool is None:
            return True
        return self._decisions_of_a_game(seeds) == self._decisions_of_a_game(seeds)

    def _decisions_of_a_game(self, seeds: Sequence[int]) -> list[list[int]]:
        """Return all decisions of a random game at each table."""
        rng = np.random.default_rng(0)
        self.reset(seed=seeds)
        for _ in range(_MOST_STEPS):
            if self.over.all():
                break
            self.step((rng.random(self.mask.shape) * self.mask).argmax(axis=1))
        return [self._histories.of(row) for row in range(len(self))]

    def reset(
        self,
        *,
        seed: Sequence[int] | NDArray[np.int64] | None = None,
        rows: NDArray[np.bool_] | None = None,
    ) -> None:
        """Deal as `LearnerTables` does, and start a `Game` at each table."""
        super().reset(seed=seed, rows=rows)
        for row in np.flatnonzero(np.ones(len(self)) if rows is None else rows).tolist():
            dealt = int(self.batch.state["seed"][row])
            self._followed[row] = Game(self.scenario, seed=dealt)
            self._taken[row] = 0
            self._fresh[row] = True
            self._follow(row)

    def step(self, actions: ArrayLike) -> None:
        """Step as `LearnerTables` does, and play the same decisions in each `Game`."""
        self._before = [self._lead(row) for row in range(len(self))]
        self._fresh[:] = False
        super().step(actions)
        for row in range(len(self)):
            self._follow(row)

    def truth(self, row: int) -> Truth:
        """Return the correct results of a table after the last step, or after a later deal."""
        game, learner = self._followed[row], int(self.learner[row])
        # An illegal action can end the game at the table, while the `Game` is not over.
        forfeited = bool(self.illegal[row]) and self.illegal_actions == "terminate"
        terminated = forfeited or (game.over and not game.truncated)
        reward = 0.0
        if not self._fresh[row]:
            reward = -1.0 if forfeited else game.returns()[learner]
            reward += (0.0 if terminated else self._lead(row)) - self._before[row]
        return Truth(
            game.observation(learner, self._track, padded=self.batch.padded),
            self.mask[row],
            learner,
            reward,
            terminated,
            game.truncated,
            bool(self.illegal[row]),
        )

    def _follow(self, row: int) -> None:
        taken = self._histories.of(row)
        for action in taken[self._taken[row] :]:
            self._followed[row].play(action)
        self._taken[row] = len(taken)

    def _lead(self, row: int) -> float:
        """Return the learner's potential (see envs/_shaping.py)."""
        if not self.shaping:
            return 0.0
        game = self._followed[row]
        own = game.coins[game.player_at.index(int(self.learner[row]))]
        average = sum(game.coins) / self.scenario.players
        return self.shaping * (own - average) / self.scenario.goal_coins
