"""The PettingZoo AEC environment.

| | |
|---|---|
| Agents | `player_0` ... `player_{n-1}`, by the order of their seats at the deal |
| Actions | `Discrete(A)`: action ids, as listed in ACTIONS.md |
| Observations | `{"observation": Box float32 [D], "action_mask": Box int8 [A]}`; D and the meaning of each number: `mascarade_env.Schema` and OBSERVATION.md |
| State | `Box` float32 [F]: the full state, listed from the seat of player 0 (`Schema(..., "full")`) |
| Rewards | at the end of the game, zero-sum: 1 for a sole winner, `(n-w)/(w(n-1))` for each of w winners, `-1/(n-1)` for the others; 0 for all if the game is void at the turn limit |

The action mask is in the observation and in `infos[agent]["action_mask"]`. It is all zeros for an
agent that must not act now. `observe(agent)` works for every agent at any time. `reset(seed=s)`
deals the same game as `Game(scenario, seed=s)`; a reset without a seed deals the next game of the
series. `copy.deepcopy` and `pickle` work during a game, and copies are independent.

Version history: v0 is the first version.
"""  # noqa: E501

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium.spaces
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.envs._frames import RENDER_MODES, Frame, checked_mode, frame
from mascarade_env.envs._learner_tables import ILLEGAL, Illegal
from mascarade_env.envs._shaping import checked_scale, potentials
from mascarade_env.envs._spaces import action_space, box_of, observation_space
from mascarade_env.game._batch import Batch
from mascarade_env.game._game import Game
from mascarade_env.game._positions import NOBODY
from mascarade_env.game._rng import given_seed
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._blocks import FULL, Track
from mascarade_env.observation._schema import schema_of
from mascarade_env.render import checked_perspective

Observation = dict[str, NDArray[Any]]


def env(
    scenario: str | Path | Mapping[str, Any] | Scenario = "6A", **options: Any
) -> OrderEnforcingWrapper:
    """Return `raw_env` in PettingZoo's wrapper that enforces the order of calls.

    No wrapper for illegal actions is needed, because `raw_env` handles them (`illegal_actions`).
    """
    return OrderEnforcingWrapper(raw_env(scenario, **options))


class raw_env(AECEnv[str, Observation, int]):  # noqa: N801  PettingZoo's name for it
    """Mascarade for all players, one decision at a time.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        track: what observations hold: "memory", "belief" or "both" (see `Schema`).
        padded: whether observations and actions have one width for all scenarios: that of 12 seats,
            14 slots and all 16 masks.
        illegal_actions: the effect of an illegal action. "raise" raises an error and leaves the
            game unchanged. "terminate" ends the game with the reward -1 for the acting agent and
            1/(n-1) for each other agent. "random" takes a random legal action instead. "terminate"
            and "random" also set "illegal_action" in the info.
        shaping: scale of rewards before the end of the game (see `_shaping.py`); 0 for none.
        render_mode: None, "ansi", "rgb_array" or "human".
        perspective: the viewer of rendered pictures: a player, "onlooker" or "all".
    """

    metadata: dict[str, Any] = {
        "name": "mascarade_v0",
        "render_modes": RENDER_MODES,
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(  # noqa: PLR0913  options by name
        self,
        scenario: str | Path | Mapping[str, Any] | Scenario = "6A",
        *,
        track: Track = "both",
        padded: bool = False,
        illegal_actions: Illegal = "raise",
        shaping: float = 0.0,
        render_mode: str | None = None,
        perspective: int | str = "onlooker",
    ) -> None:
        super().__init__()
        if illegal_actions not in ILLEGAL:
            raise MascaradeError(
                f"illegal_actions must be one of {', '.join(ILLEGAL)}, not {illegal_actions!r}"
            )
        self.batch = Batch(scenario, 1, autoreset="disabled", track=track, padded=padded)
        self.scenario = self.batch.scenario
        self.illegal_actions: Illegal = illegal_actions
        self.shaping = checked_scale(shaping)
        self.render_mode = checked_mode(render_mode)
        self.perspective = checked_perspective(perspective, self.scenario.players)
        self.possible_agents = [f"player_{player}" for player in range(self.scenario.players)]
        self._observation_space = gymnasium.spaces.Dict(
            {
                "observation": observation_space(self.batch),
                "action_mask": gymnasium.spaces.Box(0, 1, (self.batch.num_actions,), np.int8),
            }
        )
        self._action_space = action_space(self.batch)
        self.state_space = self._state_space()
        self._player_of = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._taken = np.zeros(1, np.int64)
        self._dealt = False

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """Return the space of observations, the same for all agents."""
        self._player(agent)
        return self._observation_space

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """Return the space of actions, the same for all agents."""
        self._player(agent)
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the game of a seed, or the next game of the series.

        Args:
            seed: seed of the game; None for the next game.
            options: ignored; PettingZoo requires that any options are accepted.
        """
        seeds = None if seed is None else [given_seed(seed)]
        self._dealt = False
        self.batch.reset(seed=seeds)
        self._decisions: list[int] = []
        self._followed: tuple[Game, int] | None = None
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: self._unasked() for agent in self.agents}
        self._skip_agent_selection = None
        self._over = False
        self._ask_next()
        self._dealt = True

    def step(self, action: int | None) -> None:
        """Take the action of the selected agent.

        Args:
            action: the action id; None for an agent whose game is over.

        Raises:
            IllegalActionError: the action is illegal and `illegal_actions` is "raise"; nothing has
                changed.
        """
        self._need_reset()
        agent = self.agent_selection
        if not self.agents:
            raise MascaradeError("the game is over and all agents are done: call reset")
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise MascaradeError(
                    f"the game is over for {agent}: call step(None), not step({action!r})"
                )
            self._was_dead_step(None)
        elif action is None:
            raise MascaradeError(
                f"{agent} must choose an action id: None is only for agents whose game is over"
            )
        else:
            self._decide(agent, action if type(action) is int else whole(action, "an action id"))

    def _decide(self, agent: str, number: int) -> None:
        batch = self.batch
        legal = 0 <= number < batch.num_actions and batch.mask.item(number)
        if not legal and self.illegal_actions == "raise":
            raise batch.refusal(0, number)
        self._dealt = False  # after an interrupt in the next line, a reset is needed
        self._take(agent, number, legal=bool(legal))
        self._dealt = True

    def _take(self, agent: str, number: int, *, legal: bool) -> None:
        batch = self.batch
        before = self._potentials() if self.shaping else None
        if legal or self.illegal_actions == "random":
            self._taken[0] = number if legal else batch.random_actions()[0]
            batch.step(self._taken)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = self._unasked()
        if not legal:
            self.infos[agent]["illegal_action"] = True
        if not legal and self.illegal_actions == "terminate":
            others = 1 / (self.scenario.players - 1)
            rewards = {name: -1.0 if name == agent else others for name in self.agents}
            self._end(rewards, terminated=True, before=before)
            return
        self._decisions.append(self._taken.item(0))
        if batch.player.item(0) == NOBODY:
            rewards = dict(zip(self.agents, batch.rewards[0].tolist(), strict=True))
            self._end(rewards, terminated=bool(batch.terminated[0]), before=before)
            return
        if before is not None:
            self._shape(before, self._potentials())
            self._accumulate_rewards()
        self._ask_next()

    def observe(self, agent: str) -> Observation:
        """Return the observation of any agent, acting or not, in new arrays."""
        self._need_reset()
        player, batch = self._player(agent), self.batch
        if player == batch.player.item(0) and not self._over:
            return {"observation": batch.observation[0].copy(), "action_mask": batch.mask[0].copy()}
        mask = np.zeros(batch.num_actions, np.int8)
        return {"observation": batch.observe(player)[0], "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """Return the full state. It is for critics and debugging; agents must not read it."""
        return self._caught_up().full_state(0, padded=self.batch.padded)

    @property
    def game(self) -> Game:
        """A copy of the current game as a `Game`, which has texts, records and the full state."""
        return self._caught_up().clone()

    def _caught_up(self) -> Game:
        """Return a `Game` with all decisions so far. Only this method updates it."""
        self._need_reset()
        # Removed during the update, so that an interrupt leaves no game that is half updated.
        followed, self._followed = self._followed, None
        game, played = followed or (Game(self.scenario, seed=int(self.batch.state["seed"][0])), 0)
        for action in self._decisions[played:]:
            game.play(int(self.batch.unpadded[action]))
        self._followed = game, len(self._decisions)
        return game

    def render(self) -> Frame | None:
        """Return a picture of the table in the format of `render_mode`."""
        if self.render_mode is None:
            raise MascaradeError(
                'this environment has no render_mode: make it with one, such as render_mode="ansi"'
            )
        return frame(self._caught_up(), self.render_mode, self.perspective)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _ask_next(self) -> None:
        agent = self.possible_agents[self.batch.player.item(0)]
        self.infos[agent]["action_mask"] = self.batch.mask[0].copy()
        self.agent_selection = agent

    def _unasked(self) -> dict[str, Any]:
        """Return the info of an agent that must not act now, so that no action is legal.

        The mask is read-only, because it stays in `infos` for many steps.
        """
        mask = np.zeros(self.batch.num_actions, np.int8)
        mask.flags.writeable = False
        return {"action_mask": mask}

    def _end(
        self, rewards: dict[str, float], *, terminated: bool, before: NDArray[Any] | None
    ) -> None:
        """End the game: give every agent its return, and mark it as done."""
        self._over = True
        self.rewards = rewards
        if before is not None:
            self._shape(before, None if terminated else self._potentials())
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, not terminated)
        self._deads_step_first()

    def _potentials(self) -> NDArray[np.float32]:
        by_player: NDArray[np.float32] = potentials(self.batch.state, self.shaping)[0]
        return by_player

    def _shape(self, before: NDArray[Any], after: NDArray[Any] | None) -> None:
        """Add the rise of each player's potential to the rewards.

        Args:
            before: [n] the potentials before the step.
            after: [n] the potentials after the step; None if the game has ended, for zeros.
        """
        if not self._over:
            self._clear_rewards()
        for player, agent in enumerate(self.possible_agents):
            self.rewards[agent] += float((0 if after is None else after[player]) - before[player])

    def _state_space(self) -> gymnasium.spaces.Box:
        return box_of(schema_of(self.scenario, FULL, self.batch.padded))

    def _player(self, agent: str) -> int:
        if agent not in self._player_of:
            agents = ", ".join(self.possible_agents)
            raise MascaradeError(f"there is no agent {agent!r}; the agents are {agents}")
        return self._player_of[agent]

    def _need_reset(self) -> None:
        if not self._dealt:
            raise MascaradeError("no game is dealt: call reset first")
