"""Ray RLlib: a `MultiAgentEnv` (new API stack) in which all players can learn.

    from ray.rllib.algorithms.ppo import PPOConfig
    from mascarade_env.adapters.rllib import MascaradeMultiAgentEnv

    config = PPOConfig().environment(MascaradeMultiAgentEnv, env_config={"scenario": "4A"})

- Agents: `player_0` to `player_{n-1}`, in the order of their seats at the deal.
- Actions: `Discrete(A)`, the action ids that ACTIONS.md lists.
- Observations: a dict for the acting player, with `observations` (float32 [D]) and `action_mask`
  (int8 [A]).
- Rewards: at the end of the game, zero-sum, for all players, as `Batch.rewards`.

The observations have the keys that RLlib's action masking expects. During the game, the dict of
observations holds only the acting player. At the end it holds all players, with their last
observations and masks of ones. So RLlib credits the return to the last decision of each player. If
the turn limit truncates the game, RLlib has an observation to bootstrap from. A player who never
decided gets no reward, because there is no decision to credit.

`mascarade rllib` trains with this class. train/mascarade_train/requirements-rllib.txt lists the
packages that the command needs.
"""

from collections.abc import Mapping
from typing import Any

import gymnasium.spaces
import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError, did_you_mean, whole
from mascarade_env.envs._learner_tables import ILLEGAL, Illegal
from mascarade_env.envs._spaces import action_space, observation_space
from mascarade_env.game._batch import Batch
from mascarade_env.game._positions import NOBODY
from mascarade_env.game._rng import given_seed, row_seeds

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError as missing:
    raise ImportError(
        "mascarade_env.adapters.rllib needs Ray RLlib, in a separate environment: "
        f"pip install -r train/mascarade_train/requirements-rllib.txt ({missing})"
    ) from missing

__all__ = ["MascaradeMultiAgentEnv"]

Observation = dict[str, NDArray[Any]]
_ALL = "__all__"  # RLlib's key for the whole game


class MascaradeMultiAgentEnv(MultiAgentEnv):
    """Mascarade for all players, one decision at a time.

    `reset(seed=s)` deals the same game as `Game(scenario, seed=s)`. A reset without a seed deals
    the next game of the series. The seeds that RLlib gives to neighbouring env runners overlap. So
    an env runner with a number other than 0 first mixes the seed with its number. Without this, two
    tables could play the same deals.

    Args:
        config: RLlib's `env_config`, or another mapping, with any of these.

            - "scenario": a name such as "6A", the default, a `.json` file, a mapping, or a
              `Scenario`.
            - "track": the content of observations: "both", the default, "memory" or "belief" (see
              `Schema`).
            - "padded": True for one width of observations and actions in all scenarios: that of 12
              seats, 14 slots and all 16 masks.
            - "illegal_actions": the effect of an illegal action. "terminate", the default, ends the
              game with the reward -1 for the acting player and 1/(n-1) for each other player.
              "raise" raises an error and leaves the game unchanged. "random" takes a random legal
              action instead. "terminate" and "random" also set "illegal_action" in the info. Do not
              use "raise" with RLlib's own checks, because they sample actions without masks.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        options: dict[str, Any] = {"scenario": "6A", "illegal_actions": "terminate"}
        names = [*options, "track", "padded"]
        for name, value in (config or {}).items():
            if name not in names:
                raise MascaradeError(
                    f"env_config has no option {name!r}{did_you_mean(name, names)}"
                )
            options[name] = value
        illegal = options.pop("illegal_actions")
        if illegal not in ILLEGAL:
            raise MascaradeError(
                f"illegal_actions must be one of {', '.join(ILLEGAL)}, not {illegal!r}"
            )
        self.illegal_actions: Illegal = illegal
        self.batch = Batch(size=1, autoreset="disabled", **options)
        self.scenario = self.batch.scenario
        self.possible_agents = [f"player_{player}" for player in range(self.scenario.players)]
        self.agents = self.possible_agents.copy()
        observed = gymnasium.spaces.Dict(
            {
                "observations": observation_space(self.batch),
                "action_mask": gymnasium.spaces.Box(0, 1, (self.batch.num_actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.agents, observed)
        self.action_spaces = dict.fromkeys(self.agents, action_space(self.batch))
        self._runner = int(getattr(config, "worker_index", 0) or 0)
        self._taken = np.zeros(1, np.int64)
        self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal the game of a seed, or the next game of the series.

        Args:
            seed: seed of the game; None for the next game.
            options: ignored; RLlib requires that any options are accepted.
        """
        if seed is not None:
            seed = given_seed(seed)
            if self._runner:
                seed = int(row_seeds(seed, self._runner + 1)[-1])
        self._running = False
        self.batch.reset(seed=None if seed is None else [seed])
        self._running = True
        return self._observed(), {}

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take the action of the acting player.

        Raises:
            IllegalActionError: another player acts, or the action is illegal and
                `illegal_actions` is "raise"; nothing has changed.
        """
        batch = self.batch
        if not self._running:
            raise MascaradeError(
                "no game is running, because it is over or a step was interrupted: call reset"
            )
        agent = self.possible_agents[batch.player.item(0)]
        if list(action_dict) != [agent]:
            names = ", ".join(map(str, action_dict)) or "no player"
            raise IllegalActionError(
                f"action_dict must have one key, {agent}, who must decide now, not {names}"
            )
        number = whole(action_dict[agent], "an action id")
        legal = bool(0 <= number < batch.num_actions and batch.mask.item(number))
        if not legal and self.illegal_actions == "raise":
            raise batch.refusal(0, number)
        infos = {} if legal else {agent: {"illegal_action": True}}
        self._running = False  # after an interrupt in the next lines, a reset is needed
        if not legal and self.illegal_actions == "terminate":
            rewards = dict.fromkeys(self.possible_agents, 1 / (self.scenario.players - 1))
            return self._ended(rewards | {agent: -1.0}, terminated=True, infos=infos)
        self._taken[0] = number if legal else batch.random_actions()[0]
        batch.step(self._taken)
        if batch.player.item(0) == NOBODY:
            rewards = dict(zip(self.possible_agents, batch.rewards[0].tolist(), strict=True))
            return self._ended(rewards, terminated=bool(batch.terminated[0]), infos=infos)
        self._running = True
        return self._observed(), {agent: 0.0}, {_ALL: False}, {_ALL: False}, infos

    def _observed(self) -> dict[str, Observation]:
        """Return the observation of the acting player, in new arrays, because RLlib keeps them."""
        batch = self.batch
        observed = {
            "observations": batch.observation[0].copy(),
            "action_mask": batch.mask[0].copy(),
        }
        return {self.possible_agents[batch.player.item(0)]: observed}

    def _ended(
        self, rewards: dict[str, float], *, terminated: bool, infos: dict[str, dict[str, Any]]
    ) -> tuple[Any, ...]:
        """Return the results of the last step: returns and last observations of all players."""
        all_ones = np.ones(self.batch.num_actions, np.int8)
        observed = {
            agent: {"observations": self.batch.observe(player)[0], "action_mask": all_ones.copy()}
            for player, agent in enumerate(self.possible_agents)
        }
        return observed, rewards, {_ALL: terminated}, {_ALL: not terminated}, infos
