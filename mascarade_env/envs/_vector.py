"""Gymnasium's `VectorEnv`: many tables with one learner each, stepped in one call."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env.envs._frames import (
    LEARNER,
    RENDER_MODES,
    Frame,
    checked_mode,
    checked_view,
    frame,
)
from mascarade_env.envs._learner_tables import Illegal, LearnerTables, Seat
from mascarade_env.envs._opponents import RANDOM, Opponent, Pool
from mascarade_env.envs._spaces import action_space, box_of
from mascarade_env.game._batch_arguments import plain_array
from mascarade_env.game._rng import MAX_SEED, given_seed
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._blocks import Track


class MascaradeVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many games that are stepped together, each with one learner.

    The environment plays the opponents. Table i plays the same games as `MascaradeEnv` after a
    reset with the i-th seed. There are two exceptions: seat="rotate" begins at seat i, and
    opponents with random decisions share one generator for all tables. Returned arrays are copies
    and do not change later. Infos hold "action_mask" [B, A] int8 and "learner" [B], the player
    numbers of the learners. After an illegal action, infos also hold "illegal_action" [B] of bool.

    Args:
        num_envs: number of tables.
        autoreset_mode: Gymnasium's setting for the deal after a game has ended. "NextStep" deals in
            the next step. "SameStep" deals in the step that ends a game, and puts the last
            observation and info into `info["final_obs"]` and `info["final_info"]`. "Disabled" deals
            only in `reset(options={"reset_mask": rows})`.
        render_mode: None, "ansi", "rgb_array" or "human". With any mode but None, opponents decide
            more slowly.
        perspective: the viewer of rendered pictures: "learner", a player, "onlooker" or "all".
        scenario, opponents, seat, track, padded, shaping, illegal_actions: as for `MascaradeEnv`;
            with seat="rotate" table i begins at seat i.
    """

    metadata: dict[str, Any] = {
        "render_modes": RENDER_MODES,
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(  # noqa: PLR0913  options by name
        self,
        num_envs: int = 1,
        scenario: str | Path | Mapping[str, Any] | Scenario = "6A",
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        perspective: int | str = LEARNER,
        opponents: Opponent | Pool = RANDOM,
        seat: Seat = 0,
        track: Track = "both",
        padded: bool = False,
        shaping: float = 0.0,
        illegal_actions: Illegal = "terminate",
    ) -> None:
        self.render_mode = checked_mode(render_mode)
        self.tables = LearnerTables(
            scenario,
            num_envs,
            opponents=opponents,
            seat=seat,
            track=track,
            padded=padded,
            shaping=shaping,
            illegal_actions=illegal_actions,
            recording=render_mode is not None,
        )
        self.perspective = checked_view(perspective, self.tables.scenario.players)
        self.num_envs = num_envs
        self.autoreset_mode = _checked_autoreset(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = box_of(self.tables.schema)
        self.single_action_space = action_space(self.tables.batch)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int] | NDArray[np.integer[Any]] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal new games at all tables, or only at the tables in `options["reset_mask"]`.

        Args:
            seed: a list with a seed for each table, or a number s, which gives the tables the seeds
                s, s+1, s+2 ...; None for the next game of each table.
            options: may hold "reset_mask", [B] of bool: True for each table at which to deal.
        """
        rows = _reset_mask(options, self.num_envs)
        self.tables.reset(seed=_seeds(seed, self.num_envs), rows=rows)
        everywhere = np.ones(self.num_envs, np.bool_)
        return self.tables.observation, self._info(everywhere if rows is None else rows)

    def step(
        self, actions: Any
    ) -> tuple[
        NDArray[np.float32],
        NDArray[np.float32],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Take one action of each learner; `autoreset_mode` defines when the next game is dealt."""
        tables = self.tables
        before = tables.over
        if before.any() and self.autoreset_mode == AutoresetMode.DISABLED:
            raise MascaradeError(
                f"the games at tables {np.flatnonzero(before).tolist()} are over: call "
                'reset(options={"reset_mask": mask}), with a mask that is True for these tables'
            )
        tables.step(actions)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and before.any():
            tables.reset(rows=before)
        reward, terminated, truncated = tables.reward, tables.terminated, tables.truncated
        everywhere = np.ones(self.num_envs, np.bool_)
        over = tables.over
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            final: dict[str, Any] = {
                "final_obs": _split_rows(tables.observation, over),
                "_final_obs": over.copy(),
                "final_info": self._info(over),
                "_final_info": over.copy(),
            }
            reward, terminated, truncated = reward.copy(), terminated.copy(), truncated.copy()
            tables.reset(rows=over)
            return tables.observation, reward, terminated, truncated, self._info(everywhere) | final
        return (
            tables.observation,
            reward.copy(),
            terminated.copy(),
            truncated.copy(),
            self._info(everywhere),
        )

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action masks [B, A] as bools, for sb3-contrib and other libraries."""
        legal: NDArray[np.bool_] = self.tables.mask == 1
        return legal

    def render(self) -> tuple[Frame, ...] | None:
        """Return a picture of each table. With "human", show the first table and return None."""
        if self.render_mode is None:
            raise MascaradeError(
                'this environment has no render_mode: make it with one, such as render_mode="ansi"'
            )
        if self.render_mode == "human":
            frame(self.tables.game(0), self.render_mode, self._viewer(0))
            return None
        return tuple(self._frame(row) for row in range(self.num_envs))

    def _frame(self, row: int) -> Frame:
        assert self.render_mode is not None
        picture = frame(self.tables.game(row), self.render_mode, self._viewer(row))
        assert picture is not None
        return picture

    def _viewer(self, row: int) -> int | str:
        learner = int(self.tables.learner[row])
        return learner if self.perspective == LEARNER else self.perspective

    def _info(self, rows: NDArray[np.bool_]) -> dict[str, Any]:
        tables = self.tables
        info = {"action_mask": tables.mask, "learner": tables.learner.copy()}
        info |= {f"_{name}": rows.copy() for name in info}
        illegal = tables.illegal & rows
        if illegal.any():
            info |= {"illegal_action": illegal, "_illegal_action": illegal.copy()}
        return info


def _checked_autoreset(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(repr(member.value) for member in AutoresetMode)
        raise MascaradeError(f"autoreset_mode must be one of {modes}, not {mode!r}") from None


def _split_rows(observation: NDArray[np.float32], rows: NDArray[np.bool_]) -> NDArray[np.object_]:
    """Return an array of objects: a copy of the observation for each of some rows, else None."""
    copies = np.full(len(rows), None, dtype=object)
    for row in np.flatnonzero(rows):
        copies[row] = observation[row].copy()
    return copies


def _seeds(seed: Any, count: int) -> list[int] | None:
    if seed is None:
        return None
    if isinstance(seed, Sequence) or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != count:
            raise MascaradeError(
                f"seed must have {count} entries, one for each table, not {len(seed)}"
            )
        return list(seed)
    first = given_seed(seed)
    return [(first + row) & MAX_SEED for row in range(count)]


def _reset_mask(options: dict[str, Any] | None, count: int) -> NDArray[np.bool_] | None:
    if not options:
        return None
    unknown = sorted(set(options) - {"reset_mask"})
    if unknown:
        raise MascaradeError(f'the only option of reset is "reset_mask", not {unknown}')
    mask = plain_array(options["reset_mask"])
    if mask.shape != (count,) or mask.dtype != np.bool_ or not mask.any():
        raise MascaradeError(f"reset_mask must be an array of {count} bools with at least one True")
    return mask
