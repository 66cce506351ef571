"""Drive the three kinds of environment in the same way, by their public interfaces."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from mascarade_env._errors import MascaradeError
from mascarade_env.envs._learner_tables import ILLEGAL
from mascarade_env.testing._errors import Where
from mascarade_env.testing._spaces import mask_of

#: Keys that Gymnasium's RecordEpisodeStatistics adds to infos; they hold times.
_CLOCKS = ("episode", "_episode")


class Asked(NamedTuple):
    """An agent that must decide: "player_3", or "table 3" of a vector environment."""

    who: str
    mask: NDArray[np.int8]


@dataclass
class Moment:
    """The results of an environment after a reset or a step.

    Attributes:
        shown: all returned values, not copied.
        asked: the agents that must decide now, with their masks; empty at the end of the game.
        reward: by player or table, the reward of the agent that decided last.
        over: by player or table, whether the game has ended.
        flags: by player or table, whether an illegal action was reported.
    """

    shown: Any
    asked: list[Asked]
    reward: dict[str, float]
    over: dict[str, bool]
    flags: dict[str, bool] = field(default_factory=dict)


class Driver(Protocol):
    """A driver of one kind of environment."""

    kind: str
    env: Any
    where: Where

    def reset(self, seed: int) -> Moment:
        """Deal the game of a seed."""

    def step(self, actions: Sequence[int]) -> Moment:
        """Take one action for each agent that must decide."""


def driver_of(env: Any, where: Where) -> Driver:
    """Return the driver for an environment."""
    if isinstance(env, AECEnv):
        return AecDriver(env, where)
    if isinstance(env, gymnasium.vector.VectorEnv):
        return VectorDriver(env, where)
    if isinstance(env, gymnasium.Env):
        return SingleDriver(env, where)
    raise MascaradeError(
        "check_env needs a PettingZoo AECEnv, a Gymnasium Env or a Gymnasium VectorEnv, "
        f"not {type(env).__name__}"
    )


def attribute_of(env: Any, name: str, otherwise: Any = None) -> Any:
    """Return an attribute of the innermost environment or of its tables."""
    inner = env.unwrapped
    if hasattr(inner, name):
        return getattr(inner, name)
    return getattr(getattr(inner, "tables", None), name, otherwise)


def illegal_mode(env: Any) -> str | None:
    """Return the declared effect of illegal actions; None if the environment declares none."""
    layer = env
    while layer is not None:
        if isinstance(layer, TerminateIllegalWrapper):
            return "terminate"
        layer = vars(layer).get("env")
    mode = attribute_of(env, "illegal_actions")
    return mode if mode in ILLEGAL else None


class AecDriver:
    """A driver of PettingZoo environments. After each step it reads all agents' observations."""

    kind = "PettingZoo AEC"

    def __init__(self, env: Any, where: Where) -> None:
        self.env = env
        self.where = where

    def reset(self, seed: int) -> Moment:
        """Deal the game of a seed."""
        with self.where.running("reset"):
            self.env.reset(seed=seed)
        return self._moment(None)

    def step(self, actions: Sequence[int]) -> Moment:
        """Take the action of the selected agent."""
        actor = self.env.agent_selection
        with self.where.running("step with a legal action", actor):
            self.env.step(actions[0])
        return self._moment(actor)

    def _moment(self, actor: str | None) -> Moment:
        env = self.env
        with self.where.running("reading the environment"):
            selected = env.agent_selection
            agents = list(env.agents)
            shown = {
                "agents": agents,
                "agent_selection": selected,
                "last": env.last(),
                "observe": {agent: env.observe(agent) for agent in agents},
                "rewards": dict(env.rewards),
                "terminations": dict(env.terminations),
                "truncations": dict(env.truncations),
                "infos": {agent: dict(env.infos[agent]) for agent in agents},
            }
        over = {
            agent: shown["terminations"][agent] or shown["truncations"][agent] for agent in agents
        }
        if (
            len({(shown["terminations"][agent], shown["truncations"][agent]) for agent in agents})
            > 1
        ):
            raise self.where.error(
                "the agents do not agree on the end of the game: "
                f"terminations are {shown['terminations']}, truncations are {shown['truncations']}",
                "All agents must have the same termination and the same truncation.",
            )
        flags = {a: bool(shown["infos"][a].get("illegal_action", False)) for a in agents}
        agents_asked = []
        if any(over.values()):
            shown["farewell"] = self._farewell(agents)
        else:
            agents_asked = [Asked(selected, self._mask(selected, shown["last"]))]
        reward = {} if actor is None else {actor: float(shown["rewards"][actor])}
        return Moment(shown, agents_asked, reward, over, flags)

    def _mask(self, agent: str, last: tuple[Any, ...]) -> NDArray[np.int8]:
        shape = (int(self.env.action_space(agent).n),)
        return mask_of(self.where, last[0], last[4], shape, agent)

    def _farewell(self, agents: Sequence[str]) -> list[Any]:
        """Step each agent with None, as PettingZoo requires; return the last results of each."""
        departures: list[Any] = []
        for _ in agents:
            agent = self.env.agent_selection
            with self.where.running("the last step, with None", agent):
                departures.append([agent, *self.env.last()])
                self.env.step(None)
        departures.append(list(self.env.agents))
        return departures


class SingleDriver:
    """A driver of Gymnasium environments with one learner."""

    kind = "Gymnasium Env"

    def __init__(self, env: Any, where: Where) -> None:
        self.env = env
        self.where = where

    def reset(self, seed: int) -> Moment:
        """Deal the game of a seed."""
        with self.where.running("reset"):
            observation, info = self.env.reset(seed=seed)
        return self._moment(observation, 0.0, False, False, info)

    def step(self, actions: Sequence[int]) -> Moment:
        """Take the action of the learner."""
        with self.where.running("step with a legal action", "learner"):
            results = self.env.step(actions[0])
        return self._moment(*results)

    def _moment(
        self, observation: Any, reward: Any, terminated: Any, truncated: Any, info: dict[str, Any]
    ) -> Moment:
        shape = (int(self.env.action_space.n),)
        mask = mask_of(self.where, observation, info, shape, "learner")
        over = bool(terminated or truncated)
        return Moment(
            {
                "observation": observation,
                "reward": reward,
                "terminated": terminated,
                "truncated": truncated,
                "info": _without_clocks(info),
            },
            [] if over else [Asked("learner", mask)],
            {"learner": float(reward)},
            {"learner": over},
            {"learner": bool(info.get("illegal_action", False))},
        )


class VectorDriver:
    """A driver of Gymnasium vector environments.

    If an environment does not reset finished tables itself, the driver resets them.
    """

    kind = "Gymnasium VectorEnv"

    def __init__(self, env: Any, where: Where) -> None:
        self.env = env
        self.where = where
        mode = env.metadata.get("autoreset_mode")
        if mode is None:
            raise where.error(
                'the vector environment has no metadata["autoreset_mode"], which declares when it '
                "resets",
                'Put a gymnasium.vector.AutoresetMode into metadata["autoreset_mode"].',
            )
        self.mode = AutoresetMode(mode)
        self.tables = [f"table {table}" for table in range(env.num_envs)]

    def reset(self, seed: int) -> Moment:
        """Deal at all tables."""
        with self.where.running("reset"):
            observation, info = self.env.reset(seed=seed)
        shown = {"observation": observation, "info": _without_clocks(info)}
        mask = self._mask(observation, info)
        none = dict.fromkeys(self.tables, False)
        return Moment(
            shown, self._tables_asked(mask), dict.fromkeys(self.tables, 0.0), none, none.copy()
        )

    def step(self, actions: Sequence[int]) -> Moment:
        """Take an action at each table; tables that wait for a reset ignore it."""
        with self.where.running("step with legal actions"):
            observation, reward, terminated, truncated, info = self.env.step(
                np.array(actions, np.int64)
            )
        shown: dict[str, Any] = {
            "observation": observation,
            "reward": reward,
            "terminated": terminated,
            "truncated": truncated,
            "info": _without_clocks(info),
        }
        self._check_shapes(shown)
        over = terminated | truncated
        flagged = np.zeros(len(over), np.bool_)
        for source in (info, info.get("final_info", {})):
            flagged |= np.asarray(source.get("illegal_action", flagged), np.bool_)
        mask = self._mask(observation, info)
        if self.mode == AutoresetMode.DISABLED and over.any():
            with self.where.running("reset with a reset_mask"):
                observation_after_reset, info = self.env.reset(options={"reset_mask": over.copy()})
            shown["reset"] = {"observation": observation_after_reset, "info": _without_clocks(info)}
            mask = self._mask(observation_after_reset, info)
        return Moment(
            shown,
            self._tables_asked(mask),
            dict(zip(self.tables, reward.tolist(), strict=True)),
            dict(zip(self.tables, over.tolist(), strict=True)),
            dict(zip(self.tables, flagged.tolist(), strict=True)),
        )

    def _check_shapes(self, shown: dict[str, Any]) -> None:
        kinds = {"reward": "f", "terminated": "b", "truncated": "b"}
        for name, kind in kinds.items():
            value = shown[name]
            fits = isinstance(value, np.ndarray) and value.shape == (len(self.tables),)
            if not fits or value.dtype.kind != kind:
                raise self.where.error(
                    f"{name} is {value!r}",
                    f"It must be an array of {len(self.tables)} "
                    f"{'floats' if kind == 'f' else 'bools'}, one for each table.",
                )

    def _tables_asked(self, mask: NDArray[np.int8]) -> list[Asked]:
        return [Asked(*row) for row in zip(self.tables, mask, strict=True)]

    def _mask(self, observation: Any, info: dict[str, Any]) -> NDArray[np.int8]:
        shape = (len(self.tables), int(self.env.single_action_space.n))
        return mask_of(self.where, observation, info, shape)


def _without_clocks(info: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in info.items() if key not in _CLOCKS}
