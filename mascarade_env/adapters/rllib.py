"""Ray RLlib: a `MultiAgentEnv` (new API stack) in which all players learn.

    from ray.rllib.algorithms.ppo import PPOConfig
    from mascarade_env.adapters.rllib import MascaradeMultiAgentEnv

    config = PPOConfig().environment(MascaradeMultiAgentEnv, env_config={"scenario": "4A"})

| | |
|---|---|
| Agents | `player_0` ... `player_{n-1}`, in the order of their seats when the masks are dealt |
| Actions | `Discrete(A)`: action ids, as listed in ACTIONS.md |
| Observations | `{"observations": Box float32 [D], "action_mask": Box int8 [A]}`, of who decides |
| Rewards | at the end, zero-sum, for all players: as `Batch.rewards` |

The keys of an observation are those that RLlib's action masking asks for. Only the player who
decides is in the dict of observations, until the game is over: then all are, with what they know at
the end and a mask of ones. So RLlib adds what a game has brought to each player's last decision,
whoever ended it, and has an observation to bootstrap from when the turn limit cut the game off. A
player who never decided gets nothing, as there is nothing to credit.

`mascarade rllib` trains with it; train/mascarade_train/requirements-rllib.txt has its requirements.
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
        "mascarade_env.adapters.rllib needs Ray RLlib, in an environment of its own: "
        f"pip install -r train/mascarade_train/requirements-rllib.txt ({missing})"
    ) from missing

__all__ = ["MascaradeMultiAgentEnv"]

Observation = dict[str, NDArray[Any]]
_ALL = "__all__"  # RLlib's key for the whole game


class MascaradeMultiAgentEnv(MultiAgentEnv):
    """Mascarade for all players, one decision at a time.

    `reset(seed=s)` deals the game that `Game(scenario, seed=s)` deals; a reset without seed goes on
    with the next game of the series. RLlib gives neighbouring env runners overlapping seeds, so in
    an env runner that has a number, other than 0, the seed is mixed with it first: no two tables
    play the same deals.

    Args:
        config: RLlib's `env_config`, or another mapping, with any of these.

            - "scenario": a name such as "6A", the default, a `.json` file, a mapping, or a
              `Scenario`.
            - "track": what observations hold: "both", the default, "memory" or "belief" (see
              `Schema`).
            - "padded": observations and actions as if there were 12 seats, 14 slots and all 16
              masks.
            - "illegal_actions": what an illegal action does: "terminate" the game, the default,
              with -1 for who did it and 1/(n-1) for each other; "raise" an error that leaves the
              game as it is; or have a "random" legal action taken instead. The first and the last
              leave "illegal_action" in the info. RLlib's own checks sample without masks.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        options: dict[str, Any] = {"scenario": "6A", "illegal_actions": "terminate"}
        names = [*options, "track", "padded"]
        for name, value in (config or {}).items():
            if name not in names:
                raise MascaradeError(f"no option {name!r} in env_config{did_you_mean(name, names)}")
            options[name] = value
        illegal = options.pop("illegal_actions")
        if illegal not in ILLEGAL:
            raise MascaradeError(f"illegal_actions is one of {', '.join(ILLEGAL)}, not {illegal!r}")
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
        """Deal a game: that of a seed, or the next of the series.

        Args:
            seed: of the game.
            options: not used; RLlib asks that any be taken.
        """
        if seed is not None:
            seed = given_seed(seed)
            if self._runner:
                seed = int(row_seeds(seed, self._runner + 1)[-1])
        self._running = False
        self.batch.reset(seed=None if seed is None else [seed])
        self._running = True
        return self._asked(), {}

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take the decision of the player who is asked.

        Raises:
            IllegalActionError: it is not legal, and so shall raise; nothing has changed.
        """
        batch = self.batch
        if not self._running:
            raise MascaradeError("there is no game to decide in: call reset")
        agent = self.possible_agents[batch.player.item(0)]
        if list(action_dict) != [agent]:
            given = ", ".join(map(str, action_dict)) or "nobody"
            raise IllegalActionError(f"{agent} alone is to decide, not {given}")
        number = whole(action_dict[agent], "an action id")
        legal = bool(0 <= number < batch.num_actions and batch.mask.item(number))
        if not legal and self.illegal_actions == "raise":
            raise batch.refusal(0, number)
        infos = {} if legal else {agent: {"illegal_action": True}}
        self._running = False  # should an interrupt come, a reset is needed
        if not legal and self.illegal_actions == "terminate":
            rewards = dict.fromkeys(self.possible_agents, 1 / (self.scenario.players - 1))
            return self._ended(rewards | {agent: -1.0}, terminated=True, infos=infos)
        self._taken[0] = number if legal else batch.random_actions()[0]
        batch.step(self._taken)
        if batch.player.item(0) == NOBODY:
            rewards = dict(zip(self.possible_agents, batch.rewards[0].tolist(), strict=True))
            return self._ended(rewards, terminated=bool(batch.terminated[0]), infos=infos)
        self._running = True
        return self._asked(), {agent: 0.0}, {_ALL: False}, {_ALL: False}, infos

    def _asked(self) -> dict[str, Observation]:
        """Return who decides, with what that player knows; new arrays, because RLlib keeps them."""
        batch = self.batch
        observed = {
            "observations": batch.observation[0].copy(),
            "action_mask": batch.mask[0].copy(),
        }
        return {self.possible_agents[batch.player.item(0)]: observed}

    def _ended(
        self, rewards: dict[str, float], *, terminated: bool, infos: dict[str, dict[str, Any]]
    ) -> tuple[Any, ...]:
        """Return the game is over: every player gets its return, and what it knows at the end."""
        anything = np.ones(self.batch.num_actions, np.int8)
        observed = {
            agent: {"observations": self.batch.observe(player)[0], "action_mask": anything.copy()}
            for player, agent in enumerate(self.possible_agents)
        }
        return observed, rewards, {_ALL: terminated}, {_ALL: not terminated}, infos
