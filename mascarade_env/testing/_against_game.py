"""Our Gymnasium environments held against the games that they must have played."""

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
_GAMES = 3  # at each table; in all but the first the learner may do what is illegal
_ILLEGAL = 0.2  # how often it does then
_MOST_STEPS = 4000


def compare_with_game(env: Any, where: Where, seed: int) -> int:
    """Play the innermost environment, if it is one of ours, and its twin.

    Args:
        env: the environment; it is used up.
        where: where the check is; it moves along.
        seed: of the games.

    Returns:
        How many observations were compared. None are if the environment is not ours, or its
        opponents do not answer the same when asked the same again.
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
        self.chance = np.random.default_rng(seeds)
        self.compared = 0
        self._ended = np.zeros(len(twin), np.int64)  # games at each table
        self._everywhere = np.ones(len(twin), np.bool_)
        # A single environment is one table, at which a reset deals the next game.
        self._single = isinstance(driver, SingleDriver)
        self._mode = driver.mode if isinstance(driver, VectorDriver) else AutoresetMode.DISABLED
        self._names = driver.tables if isinstance(driver, VectorDriver) else ["learner"]

    def play(self) -> int:
        """Play some games at each table; returns how many observations were compared."""
        moment = self.driver.reset(self.seeds[0])
        self.twin.reset(seed=self.seeds)
        self._compare_tables(moment.shown, self._everywhere)
        for step in range(1, _MOST_STEPS):
            self.driver.where.step = step
            self._step()
            if (self._ended >= _GAMES).all():
                break
        return self.compared

    def _picks(self) -> list[int]:
        """Legal actions, and some that are not where that does not raise."""
        mask = self.twin.mask.astype(np.bool_)
        if self.twin.illegal_actions != "raise":
            stray = (self._ended > 0) & (self.chance.random(len(mask)) < _ILLEGAL)
            mask[stray & ~mask.all(axis=1)] ^= True
        return [int(self.chance.choice(np.flatnonzero(row))) for row in mask]

    def _step(self) -> None:
        twin = self.twin
        picks = self._picks()
        moment = self.driver.step(picks)
        waited = twin.over  # for NEXT_STEP alone
        twin.step(picks)
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
            self._compare_tables(self._dealt_again(shown), over)

    def _dealt_again(self, shown: dict[str, Any]) -> dict[str, Any]:
        """What is shown of the next games, which the driver of vector environments has dealt."""
        if not self._single:
            again: dict[str, Any] = shown["reset"]
            return again
        with self.driver.where.running("reset without a seed"):
            observation, info = self.driver.env.reset()
        return {"observation": observation, "info": info}

    def _look_at_outcome(self, moment: Moment, row: int) -> None:
        """What the last step has brought at a table, before another game is dealt."""
        truth, name, where = self.twin.truth(row), self._names[row], self.driver.where
        ended = tuple(
            bool(self._of_row(moment.shown[key], row)) for key in ("terminated", "truncated")
        )
        if ended != (truth.terminated, truth.truncated):
            raise where.error(
                f"terminated and truncated are {ended[0]} and {ended[1]}, where the game says "
                f"{truth.terminated} and {truth.truncated}",
                "A game that is won is terminated, one that the turn limit cuts off is truncated.",
                name,
            )
        if abs(moment.reward[name] - truth.reward) > _CLOSE:
            raise where.error(
                f"the reward is {moment.reward[name]}, where the game says {truth.reward:.5f}",
                "At the end the learner gets the return of the game (RULES.md 7), before it 0; "
                "`shaping` comes on top.",
                name,
            )
        if moment.flags[name] != truth.illegal:
            raise where.error(
                f'info["illegal_action"] says {moment.flags[name]}, which is not so',
                "It is True after an illegal action alone.",
                name,
            )

    def _compare_tables(self, shown: dict[str, Any], rows: NDArray[np.bool_]) -> None:
        """What is shown of the games at some tables as they stand at their twins."""
        where, info = self.driver.where, shown["info"]
        for row in np.flatnonzero(rows).tolist():
            truth, name = self.twin.truth(row), self._names[row]
            if differs := difference(self._of_row(shown["observation"], row), truth.observation):
                raise where.error(
                    f"the observation is not that of Game.observation: {differs}",
                    "It tells what the learner has witnessed up to now, at the end of the game as "
                    "well; the next game is shown when it is dealt.",
                    name,
                )
            self.compared += 1
            if differs := difference(self._of_row(info[MASK], row), truth.mask):
                raise where.error(
                    f"the mask is another than at the table: {differs}",
                    "It is 1 for each legal action, and all ones when the game is over.",
                    name,
                )
            if (learner := int(self._of_row(info["learner"], row))) != truth.learner:
                raise where.error(
                    f'info["learner"] is {learner}, where player {truth.learner} learns',
                    "`seat` says who it is; without a seed, reset goes on with the next game.",
                    name,
                )

    def _of_row(self, shown: Any, row: int) -> Any:
        return shown if self._single else shown[row]
