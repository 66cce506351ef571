"""The Gymnasium environment: one learner; its opponents are part of the environment."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError, whole
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
from mascarade_env.game._game import Game
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._blocks import Track


class MascaradeEnv(gymnasium.Env[Any, Any]):
    """Games with one learner. The environment plays the opponents.

    Observations hold the knowledge of the learner, in the layout of `mascarade_env.Schema`. Actions
    are the ids that ACTIONS.md lists. Infos hold "action_mask" [A] int8 and "learner", the player
    number of the learner. After an illegal action, infos also hold "illegal_action", which is True.
    The reward is 0 until the end of the game. At the end it is the return (zero-sum; 1 for a sole
    win).

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        render_mode: None, "ansi", "rgb_array" or "human".
        perspective: the viewer of rendered pictures: "learner", a player, "onlooker" or "all".
        opponents: the policies on the other seats: "random" or another name such as "stopper" or
            "bluffer:0.3", a `mascarade_env.Policy` such as an agent, a function of observations and
            masks, or a `Pool` of these. Policies that need views of whole games make steps slower.
        seat: the seat of the learner at the deal: a number, "rotate" (the next seat in each game)
            or "random". It is also the learner's player number.
        track: the content of the learner's observations: "memory", "belief" or "both". It does not
            limit the opponents: they get the observations that they read.
        padded: whether observations and actions have one width for all scenarios, as for `Batch`.
        shaping: scale of rewards before the end of the game; 0 for none. These rewards do not
            change the value of any policy (see `_shaping.py`).
        illegal_actions: the effect of an illegal action of the learner: "raise" raises an error,
            "terminate" ends the game with a reward of -1, and "random" takes a random legal action
            instead.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(  # noqa: PLR0913  options by name
        self,
        scenario: str | Path | Mapping[str, Any] | Scenario = "6A",
        *,
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
            1,
            opponents=opponents,
            seat=seat,
            track=track,
            padded=padded,
            shaping=shaping,
            illegal_actions=illegal_actions,
            recording=render_mode is not None,
        )
        self.perspective = checked_view(perspective, self.tables.scenario.players)
        self.observation_space = box_of(self.tables.schema)
        self.action_space = action_space(self.tables.batch)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal a game, and let the opponents play until the learner must decide.

        Args:
            seed: seed of the game; None for the next game of the series.
            options: must be None or empty, because there are no options.
        """
        if options:
            raise MascaradeError(f"reset takes no options: leave out {sorted(options)}")
        super().reset(seed=seed)
        self.tables.reset(seed=None if seed is None else [seed])
        return self.tables.observation[0], self._info()

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Take the learner's action, and let the opponents play.

        The opponents play until the learner must decide again, or until the game is over.
        """
        tables = self.tables
        if tables.over[0]:
            raise MascaradeError("the game is over: call reset")
        tables.step([whole(action, "an action id")])
        return (
            tables.observation[0],
            float(tables.reward[0]),
            bool(tables.terminated[0]),
            bool(tables.truncated[0]),
            self._info(),
        )

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action mask [A] as bools, for sb3-contrib and other libraries."""
        legal: NDArray[np.bool_] = self.tables.mask[0] == 1
        return legal

    @property
    def game(self) -> Game:
        """The game so far with its full state. The environment needs a `render_mode` for this."""
        return self.tables.game()

    def render(self) -> Frame | None:
        """Return a picture of the table in the format of `render_mode`."""
        if self.render_mode is None:
            raise MascaradeError(
                'this environment has no render_mode: make it with one, such as render_mode="ansi"'
            )
        learner = int(self.tables.learner[0])
        viewer = learner if self.perspective == LEARNER else self.perspective
        return frame(self.game, self.render_mode, viewer)

    def _info(self) -> dict[str, Any]:
        tables = self.tables
        info: dict[str, Any] = {
            "action_mask": tables.mask[0],
            "learner": int(tables.learner[0]),
        }
        if tables.illegal[0]:
            info["illegal_action"] = True
        return info
