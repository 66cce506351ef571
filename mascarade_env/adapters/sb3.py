"""Stable-Baselines3: a native `VecEnv` over many tables, without a process or an object per game.

    from sb3_contrib import MaskablePPO
    from mascarade_env.adapters.sb3 import MascaradeVecEnv

    env = MascaradeVecEnv(128, "4A", track="belief", seed=0)
    MaskablePPO("MlpPolicy", env).learn(1_000_000)

The other tracks, `both` by default, hold a window of events whose numbers are words; "MlpPolicy"
takes them for quantities and learns much worse. They are for networks that read them as words.
`MaskablePPO` finds the masks by itself, also through `VecMonitor` and `VecNormalize`. Plain
algorithms ignore masks; their illegal actions are dealt with as `illegal_actions` says. Statistics
of games are in the infos already; sb3-contrib's `evaluate_policy` asks for a `VecMonitor` all the
same, or for `warn=False`.
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
    """Many games in step, each with one learner among opponents who play inside.

    Table i plays what `MascaradeEnv` plays when it is reset with the i-th seed and, whenever its
    game is over, without one (seat="rotate" begins at seat i, and opponents' random numbers are
    drawn for all tables together): a game that ends is followed by the next within the same step.
    Arrays that are handed out are new ones.

    Infos hold "TimeLimit.truncated"; after an illegal action "illegal_action"; and at the end of a
    game "terminal_observation" and "episode", as from SB3's `Monitor`: "r" is the sum of the
    learner's rewards, shaping included (which leaves the sum as it is unless the game is cut off),
    "l" the learner's decisions, "t" the seconds since this environment was made.

    Args:
        num_envs: number of tables.
        seed: determines all games; drawn if None. `seed()` sets it anew for the next reset, and
            returns the seed of each table's first game.
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
        self._whole = True  # no step or reset was cut short
        batch = self.tables.batch
        super().__init__(num_envs, box_of(self.tables.schema), action_space(batch))
        self.seed(seed)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds for the next reset, one for each table, made from one; None draws it.

        They are not seed + i: runs with neighbouring seeds would then play almost the same games.
        """
        self._seeds = list(row_seeds(checked_seed(seed), self.num_envs).tolist())
        return self._seeds

    def reset(self) -> NDArray[np.float32]:
        """Deal at all tables: by the seeds if they were set since the last reset."""
        if any(self._options):
            self._reset_options()
            raise MascaradeError("reset knows no options")
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
        """Keep the learners' decisions for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Take the decisions; where that ends a game, the next one has begun."""
        if self._actions is None:
            raise MascaradeError("call step_async before step_wait, or step for both")
        if not self._whole:
            raise MascaradeError("the last step was cut short: call reset")
        tables = self.tables
        actions, self._actions = self._actions, None
        self._whole = False
        try:
            tables.step(actions)
        except MascaradeError:
            self._whole = tables.dealt  # refused, and nothing has changed
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
        """Tell how games ended, and forget what was counted for them."""
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
        """Return [B, A] which actions are legal."""
        return self.tables.mask.astype(np.bool_)

    # What SB3 asks of single environments. There are none: tables share all but their games.

    def has_attr(self, attr_name: str) -> bool:
        """Return whether `get_attr` knows it."""
        return attr_name == "learner" or hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute for each of some tables.

        "learner" is the learner's number, "action_masks" a function that gives the table's mask;
        everything else is the same for all tables.
        """
        rows = list(self._get_indices(indices))
        if attr_name == "learner":
            return [int(self.tables.learner[row]) for row in rows]
        if attr_name == "action_masks":
            return [partial(self._action_mask, row) for row in rows]
        return [getattr(self, attr_name)] * len(rows)

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Set an attribute, which is one for all tables; those of this class stay as they are."""
        rows = list(self._get_indices(indices))
        if self.has_attr(attr_name):
            raise AttributeError(
                f"{attr_name} is fixed when MascaradeVecEnv is made: make another one"
            )
        if sorted(rows) != list(range(self.num_envs)):
            raise AttributeError(
                f"{attr_name} cannot be set for some tables alone: they share all attributes"
            )
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return what "action_masks" gives for each of some tables; they have no other methods."""
        if method_name != "action_masks":
            raise AttributeError(
                f"a table of MascaradeVecEnv has the method action_masks alone, not {method_name}"
            )
        masks = self.action_masks(*method_args, **method_kwargs)
        return [masks[row] for row in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Indices = None) -> list[bool]:
        """False for each of some tables."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Nothing is held that must be given back."""

    def _action_mask(self, row: int) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.action_masks()[row]
        return found
