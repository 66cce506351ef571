"""Stable-Baselines3: a `VecEnv` that plays many tables in one process.

    from sb3_contrib import MaskablePPO
    from mascarade_env.adapters.sb3 import MascaradeVecEnv

    env = MascaradeVecEnv(128, "4A", track="belief", seed=0)
    MaskablePPO("MlpPolicy", env).learn(1_000_000)

Use the track "belief" with "MlpPolicy". The other tracks ("both" is the default) hold a window of
events as category numbers. They are for networks that embed these numbers; "MlpPolicy" reads them
as quantities and learns much worse.

`MaskablePPO` reads the action masks, also through `VecMonitor` and `VecNormalize`. Other algorithms
ignore masks; `illegal_actions` defines the effect of their illegal actions. The infos already hold
the statistics of games. But sb3-contrib's `evaluate_policy` warns if there is no `VecMonitor`; pass
`warn=False` to it.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env.envs._learner_tables import Illegal, LearnerTables, Seat
from mascarade_env.envs._opponents import RANDOM, Opponent, Pool
from mascarade_env.envs._spaces import action_space, box_of
from mascarade_env.game._rng import checked_seed, row_seeds
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._blocks import Track

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as missing:
    raise ImportError(
        "mascarade_env.adapters.sb3 needs Stable-Baselines3: pip install 'mascarade-env[sb3]'"
    ) from missing

__all__ = ["MascaradeVecEnv"]

Indices = int | Iterable[int] | None


class MascaradeVecEnv(VecEnv):
    """Many games that are stepped together, each with one learner.

    The environment plays the opponents. The step that ends a game also deals the next one. Table i
    plays the same games as `MascaradeEnv` after a reset with the i-th seed and further resets
    without a seed. There are two exceptions: seat="rotate" begins at seat i, and opponents with
    random decisions share one generator for all tables. Each call returns new arrays.

    Infos always hold "TimeLimit.truncated". After an illegal action they also hold
    "illegal_action". At the end of a game they also hold "terminal_observation" and "episode", as
    from SB3's `Monitor`: "r" is the sum of the learner's rewards, "l" is the number of the
    learner's decisions, and "t" is the number of seconds since this environment was made. "r"
    contains the rewards of `shaping`, which change the sum only in a truncated game.

    Args:
        num_envs: number of tables.
        seed: seed of all games; None for a random seed. The method `seed` sets another one for the
            next reset, and returns the seed of each table's first game.
        scenario, opponents, seat, track, padded, shaping, illegal_actions: as for `MascaradeEnv`;
            with seat="rotate" table i begins at seat i.
    """

    def __init__(  # noqa: PLR0913  options by name
        self,
        num_envs: int,
        scenario: str | Path | Mapping[str, Any] | Scenario = "6A",
        *,
        opponents: Opponent | Pool = RANDOM,
        seat: Seat = "rotate",
        track: Track = "both",
        padded: bool = False,
        shaping: float = 0.0,
        illegal_actions: Illegal = "terminate",
        seed: int | None = None,
    ) -> None:
        self.tables = LearnerTables(
            scenario,
            num_envs,
            opponents=opponents,
            seat=seat,
            track=track,
            padded=padded,
            shaping=shaping,
            illegal_actions=illegal_actions,
        )
        self.render_mode: str | None = None
        self._actions: NDArray[Any] | None = None
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._begun = time.time()
        self._whole = True  # False after an interrupted step or reset
        batch = self.tables.batch
        super().__init__(num_envs, box_of(self.tables.schema), action_space(batch))
        self.seed(seed)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Compute the seeds of all tables for the next reset from one seed; return these seeds.

        Table i does not get seed + i, because two runs with neighbouring seeds would then play
        almost the same games.

        Args:
            seed: the seed; None for a random seed.
        """
        self._seeds = list(row_seeds(checked_seed(seed), self.num_envs).tolist())
        return self._seeds

    def reset(self) -> NDArray[np.float32]:
        """Deal new games at all tables.

        Seeds that were set since the last reset apply. Without them, each table continues its
        series of games.
        """
        if any(self._options):
            self._reset_options()
            raise MascaradeError("reset takes no options: do not call set_options")
        seeds = [seed for seed in self._seeds if seed is not None]
        self._whole = False
        self.tables.reset(seed=seeds or None)
        self._reset_seeds()
        self._actions = None
        self._returns[:] = 0
        self._lengths[:] = 0
        self._whole = True
        return self.tables.observation

    def step_async(self, actions: NDArray[Any]) -> None:
        """Store the learners' actions for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Take the stored actions; at each table whose game ends, deal the next game."""
        if self._actions is None:
            raise MascaradeError(
                "there are no actions to take: call step_async before step_wait, or call step"
            )
        if not self._whole:
            raise MascaradeError("the last step was interrupted: call reset")
        tables = self.tables
        actions, self._actions = self._actions, None
        self._whole = False
        try:
            tables.step(actions)
        except MascaradeError:
            self._whole = tables.dealt  # if an action was refused, nothing has changed
            raise
        rewards, over = tables.reward.copy(), tables.over
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]
        for row in np.flatnonzero(tables.illegal).tolist():
            infos[row]["illegal_action"] = True
        observation = tables.observation
        if over.any():
            self._note_ends(over, observation, infos)
            tables.reset(rows=over)
            observation = tables.observation
        self._whole = True
        return observation, rewards, over, infos

    def _note_ends(
        self,
        over: NDArray[np.bool_],
        observation: NDArray[np.float32],
        infos: list[dict[str, Any]],
    ) -> None:
        """Write the last observation and the statistics of ended games into their infos.

        Then set the statistics of these tables to 0.
        """
        seconds = round(time.time() - self._begun, 6)
        cut_off = self.tables.truncated & ~self.tables.terminated
        for row in np.flatnonzero(over).tolist():
            infos[row]["TimeLimit.truncated"] = bool(cut_off[row])
            infos[row]["terminal_observation"] = observation[row].copy()
            infos[row]["episode"] = {
                "r": round(float(self._returns[row]), 6),
                "l": int(self._lengths[row]),
                "t": seconds,
            }
        self._returns[over] = 0
        self._lengths[over] = 0

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action masks [B, A] as bools."""
        return self.tables.mask.astype(np.bool_)

    # SB3's methods for access to single environments. This class has no single environments: the
    # tables share everything but their games.

    def has_attr(self, attr_name: str) -> bool:
        """Return whether `get_attr` can return the attribute."""
        return attr_name == "learner" or hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return the value of an attribute for each of some tables.

        "learner" is the player number of the learner. "action_masks" is a function that returns the
        mask of the table. Every other attribute is the same for all tables.
        """
        rows = list(self._get_indices(indices))
        if attr_name == "learner":
            return [int(self.tables.learner[row]) for row in rows]
        if attr_name == "action_masks":
            return [partial(self._action_mask, row) for row in rows]
        return [getattr(self, attr_name)] * len(rows)

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Set a new attribute for all tables.

        Raises:
            AttributeError: this class already has the attribute, or `indices` are not all tables.
        """
        rows = list(self._get_indices(indices))
        if self.has_attr(attr_name):
            raise AttributeError(f"{attr_name} cannot be changed: make another MascaradeVecEnv")
        if sorted(rows) != list(range(self.num_envs)):
            raise AttributeError(
                f"{attr_name} cannot be set for the tables {rows} only, because all tables share "
                "their attributes: set it without indices"
            )
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return the action mask of each of some tables, if `method_name` is "action_masks".

        Raises:
            AttributeError: the method has another name.
        """
        if method_name != "action_masks":
            raise AttributeError(
                f"the only method of a table of MascaradeVecEnv is action_masks, not {method_name}"
            )
        masks = self.action_masks(*method_args, **method_kwargs)
        return [masks[row] for row in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Indices = None) -> list[bool]:
        """Return False for each of some tables, because no table has a wrapper."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _action_mask(self, row: int) -> NDArray[np.bool_]:
        mask: NDArray[np.bool_] = self.action_masks()[row]
        return mask
