"""The Gymnasium environment: one learner at a table, the others played inside."""

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
    """One game after another for one learner among opponents who play inside.

    Observations are what the learner may know, laid out by `mascarade_env.Schema`; actions are the
    ids listed in ACTIONS.md. Infos hold "action_mask" [A] int8 and "learner", the
    learner's number; after an illegal action "illegal_action" is True. The reward is the return of
    the game at its end (zero-sum; 1 for a sole win), else 0.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        render_mode: None, "ansi", "rgb_array" or "human".
        perspective: who looks on when it is rendered: "learner", a player, "onlooker" or "all".
        opponents: who holds the other seats: "random" or another name such as "stopper" or
            "bluffer:0.3", a `mascarade_env.Policy` such as an agent, a function of observations and
            masks, or a `Pool` of these. One that needs views of whole games makes steps slower.
        seat: where the learner sits when the masks are dealt, which is also the learner's number:
            a number, "rotate" (the next seat in each game) or "random".
        track: what the learner observes: "memory", "belief" or "both". Opponents observe what they
            read, whatever the learner observes.
        padded: one width of observations and actions for 4 to 12 players, as for `Batch`.
        shaping: scale of the rewards on the way, which leave the value of every policy as it is; 0
            for none.
        illegal_actions: what an illegal action of the learner does: "raise" an error, "terminate"
            the game with a reward of -1, or have a "random" legal action taken instead.
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
        """Deal, and let the others play until it is for the learner to decide.

        Args:
            seed: of the game; without, the next game of the series begins.
            options: none are known.
        """
        if options:
            raise MascaradeError(f"reset knows no options, not {sorted(options)}")
        super().reset(seed=seed)
        self.tables.reset(seed=None if seed is None else [seed])
        return self.tables.observation[0], self._info()

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Take a decision, and let the others play until the learner's next one, or the end."""
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
        """Return [A] which actions are legal, as sb3-contrib and others ask for it."""
        legal: NDArray[np.bool_] = self.tables.mask[0] == 1
        return legal

    @property
    def game(self) -> Game:
        """The game up to now, the whole truth; it takes a `render_mode`."""
        return self.tables.game()

    def render(self) -> Frame | None:
        """Return a picture of the table, as `render_mode` says."""
        if self.render_mode is None:
            raise MascaradeError('give the environment a render_mode, such as "ansi"')
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
