"""Compare our Gymnasium environments with the games that they must have played."""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from mascarade_env.envs._single import MascaradeEnv
from mascarade_env.envs._vector import MascaradeVectorEnv
from mascarade_env.game._rng import MAX_SEED
from mascarade_env.testing._compare import difference
from mascarade_env.testing._drivers import Driver, Moment, SingleDriver, VectorDriver, driver_of
from mascarade_env.testing._errors import Where
from mascarade_env.testing._spaces import MASK
from mascarade_env.testing._twin_games import Twin

_CLOSE = 1e-4  # the rewards of an environment are float32
_GAMES = 3  # at each table; after the first game some actions are illegal
_ILLEGAL = 0.2  # probability of an illegal action in these games
_MOST_STEPS = 4000


def compare_with_game(env: Any, where: Where, seed: int) -> int:
    """Play the same games in the innermost environment and in its twin, and compare the results.

    Args:
        env: the environment. Reset it after the check.
        where: the place of the check. This function updates it.
        seed: seed of the games.

    Returns:
        The number of compared observations. It is 0 if the innermost environment is not one of
        ours, or if its opponents do not repeat their decisions with the same seeds.
    """
    inner = env.unwrapped
    if not isinstance(inner, MascaradeEnv | MascaradeVectorEnv):
        return 0
    where.seed, where.step = seed, 0
    with where.running("a copy of the tables"):
        twin = Twin(inner.tables)
        seeds = [(seed + row) & MAX_SEED for row in range(len(twin))]
        if not twin.repeatable(seeds):
            return 0
    return _Comparison(driver_of(inner, where), twin, seeds).play()


class _Comparison:
    """An environment and its twin, which take the same actions."""

    def __init__(self, driver: Driver, twin: Twin, seeds: list[int]) -> None:
        self.driver = driver
        self.twin = twin
        self.seeds = seeds
        self.rng = np.random.default_rng(seeds)
        self.compared = 0
        self._ended = np.zeros(len(twin), np.int64)  # ended games at each table
        self._everywhere = np.ones(len(twin), np.bool_)
        # A single environment has one table; the next game needs a reset.
        self._single = isinstance(driver, SingleDriver)
        self._mode = driver.mode if isinstance(driver, VectorDriver) else AutoresetMode.DISABLED
        self._names = driver.tables if isinstance(driver, VectorDriver) else ["learner"]

    def play(self) -> int:
        """Play some games at each table; return the number of compared observations."""
        moment = self.driver.reset(self.seeds[0])
        self.twin.reset(seed=self.seeds)
        self._compare_tables(moment.shown, self._everywhere)
        for step in range(1, _MOST_STEPS):
            self.driver.where.step = step
            self._step()
            if (self._ended >= _GAMES).all():
                break
        return self.compared

    def _sample_actions(self) -> list[int]:
        """Return an action for each table: some are illegal, unless illegal actions raise."""
        mask = self.twin.mask.astype(np.bool_)
        if self.twin.illegal_actions != "raise":
            stray = (self._ended > 0) & (self.rng.random(len(mask)) < _ILLEGAL)
            mask[stray & ~mask.all(axis=1)] ^= True
        return [int(self.rng.choice(np.flatnonzero(row))) for row in mask]

    def _step(self) -> None:
        twin = self.twin
        actions = self._sample_actions()
        moment = self.driver.step(actions)
        waited = twin.over  # tables that wait for a deal, only with NEXT_STEP
        twin.step(actions)
        if waited.any():
            twin.reset(rows=waited)
        over = twin.over
        self._ended += over
        for row in range(len(twin)):
            self._look_at_outcome(moment, row)
        shown = moment.shown
        if self._mode == AutoresetMode.SAME_STEP and over.any():
            info = shown["info"]
            self._compare_tables(
                {"observation": info["final_obs"], "info": info["final_info"]}, over
            )
            twin.reset(rows=over)
        self._compare_tables(shown, self._everywhere)
        if self._mode == AutoresetMode.DISABLED and over.any():
            twin.reset(rows=over)
            self._compare_tables(self._next_deal(shown), over)

    def _next_deal(self, shown: dict[str, Any]) -> dict[str, Any]:
        """Deal the next game, and return the results of the deal.

        In a vector environment, the driver has already dealt this game.
        """
        if not self._single:
            dealt: dict[str, Any] = shown["reset"]
            return dealt
        with self.driver.where.running("reset without a seed"):
            observation, info = self.driver.env.reset()
        return {"observation": observation, "info": info}

    def _look_at_outcome(self, moment: Moment, row: int) -> None:
        """Check the results of the last step at a table, before another game is dealt."""
        truth, name, where = self.twin.truth(row), self._names[row], self.driver.where
        ended = tuple(
            bool(self._of_row(moment.shown[key], row)) for key in ("terminated", "truncated")
        )
        if ended != (truth.terminated, truth.truncated):
            raise where.error(
                f"terminated is {ended[0]} and truncated is {ended[1]}, but by the rules they are "
                f"{truth.terminated} and {truth.truncated}",
                "A won game is terminated; a game cut off by the turn limit is truncated.",
                name,
            )
        if abs(moment.reward[name] - truth.reward) > _CLOSE:
            raise where.error(
                f"the reward is {moment.reward[name]}, but by the rules it is {truth.reward:.5f}",
                "The reward must be 0 before the end of the game, and the return (RULES.md 7) at "
                "the end, plus the reward of `shaping`.",
                name,
            )
        if moment.flags[name] != truth.illegal:
            raise where.error(
                f'info["illegal_action"] is {moment.flags[name]}, but must be {truth.illegal}',
                "It must be True only after an illegal action.",
                name,
            )

    def _compare_tables(self, shown: dict[str, Any], rows: NDArray[np.bool_]) -> None:
        """Compare the results of the games at some tables with the results of their twins."""
        where, info = self.driver.where, shown["info"]
        for row in np.flatnonzero(rows).tolist():
            truth, name = self.twin.truth(row), self._names[row]
            if differs := difference(self._of_row(shown["observation"], row), truth.observation):
                raise where.error(
                    f"the observation differs from Game.observation: {differs}",
                    "It must hold the knowledge of the learner, also at the end of the game. "
                    "Return an observation of the next game only after its deal.",
                    name,
                )
            self.compared += 1
            if differs := difference(self._of_row(info[MASK], row), truth.mask):
                raise where.error(
                    f"the mask differs from the legal actions of the game: {differs}",
                    "It must be 1 for each legal action, and all ones when the game is over.",
                    name,
                )
            if (learner := int(self._of_row(info["learner"], row))) != truth.learner:
                raise where.error(
                    f'info["learner"] is {learner}, but player {truth.learner} is the learner',
                    "`seat` determines the learner. A reset without a seed must deal the next "
                    "game, not the same one.",
                    name,
                )

    def _of_row(self, shown: Any, row: int) -> Any:
        return shown if self._single else shown[row]
