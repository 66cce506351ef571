"""The three kinds of environment, driven alike: reset, moments, steps. Public interfaces alone."""

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

#: What Gymnasium's RecordEpisodeStatistics adds: it holds the time of day.
_CLOCKS = ("episode", "_episode")


class Asked(NamedTuple):
    """Somebody who is to decide: "player_3", or "table 3" of a vector environment."""

    who: str
    mask: NDArray[np.int8]


@dataclass
class Moment:
    """What an environment shows at one moment.

    Attributes:
        shown: all that it hands out, as handed out.
        asked: who decides now, and what is legal; nobody at the end.
        reward: of who decided last, by player or table.
        over: whether the game has ended, by player or table.
        flags: whether an illegal action was reported, by player or table.
    """

    shown: Any
    asked: list[Asked]
    reward: dict[str, float]
    over: dict[str, bool]
    flags: dict[str, bool] = field(default_factory=dict)


class Driver(Protocol):
    """Plays an environment of one kind."""

    kind: str
    env: Any
    where: Where

    def reset(self, seed: int) -> Moment:
        """Deal the game of a seed."""

    def step(self, picks: Sequence[int]) -> Moment:
        """Take one decision for each who is asked."""


def driver_of(env: Any, where: Where) -> Driver:
    """Return the driver for an environment."""
    if isinstance(env, AECEnv):
        return AecDriver(env, where)
    if isinstance(env, gymnasium.vector.VectorEnv):
        return VectorDriver(env, where)
    if isinstance(env, gymnasium.Env):
        return SingleDriver(env, where)
    raise MascaradeError(
        "check_env takes a PettingZoo AECEnv, a Gymnasium Env or a Gymnasium VectorEnv, "
        f"not {type(env).__name__}"
    )


def attribute_of(env: Any, name: str, otherwise: Any = None) -> Any:
    """Return what the innermost environment, or the tables it holds, says about itself."""
    inner = env.unwrapped
    if hasattr(inner, name):
        return getattr(inner, name)
    return getattr(getattr(inner, "tables", None), name, otherwise)


def illegal_mode(env: Any) -> str | None:
    """Return what the environment says illegal actions do, None if it does not say."""
    layer = env
    while layer is not None:
        if isinstance(layer, TerminateIllegalWrapper):
            return "terminate"
        layer = vars(layer).get("env")
    mode = attribute_of(env, "illegal_actions")
    return mode if mode in ILLEGAL else None


class AecDriver:
    """A PettingZoo environment: at each moment everybody's observation is asked for as well."""

    kind = "PettingZoo AEC"

    def __init__(self, env: Any, where: Where) -> None:
        self.env = env
        self.where = where

    def reset(self, seed: int) -> Moment:
        """Deal the game of a seed."""
        with self.where.running("reset"):
            self.env.reset(seed=seed)
        return self._moment(None)

    def step(self, picks: Sequence[int]) -> Moment:
        """Take the decision of the agent selected."""
        actor = self.env.agent_selection
        with self.where.running("step with a legal action", actor):
            self.env.step(picks[0])
        return self._moment(actor)

    def _moment(self, actor: str | None) -> Moment:
        env = self.env
        with self.where.running("looking at the environment"):
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
                "the game is over for some agents alone", "It ends for all at once, in one way."
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
        """Return what each agent is shown last; then it steps with None, as PettingZoo asks."""
        departures: list[Any] = []
        for _ in agents:
            agent = self.env.agent_selection
            with self.where.running("the last step, with None", agent):
                departures.append([agent, *self.env.last()])
                self.env.step(None)
        departures.append(list(self.env.agents))
        return departures


class SingleDriver:
    """A Gymnasium environment with one learner."""

    kind = "Gymnasium Env"

    def __init__(self, env: Any, where: Where) -> None:
        self.env = env
        self.where = where

    def reset(self, seed: int) -> Moment:
        """Deal the game of a seed."""
        with self.where.running("reset"):
            observation, info = self.env.reset(seed=seed)
        return self._moment(observation, 0.0, False, False, info)

    def step(self, picks: Sequence[int]) -> Moment:
        """Take the learner's decision."""
        with self.where.running("step with a legal action", "learner"):
            answer = self.env.step(picks[0])
        return self._moment(*answer)

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
    """A Gymnasium vector environment; where it does not reset by itself, the driver does."""

    kind = "Gymnasium VectorEnv"

    def __init__(self, env: Any, where: Where) -> None:
        self.env = env
        self.where = where
        mode = env.metadata.get("autoreset_mode")
        if mode is None:
            raise where.error(
                "the vector environment does not say when it resets",
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

    def step(self, picks: Sequence[int]) -> Moment:
        """Take a decision at each table; at those that wait for a reset it counts for nothing."""
        with self.where.running("step with legal actions"):
            observation, reward, terminated, truncated, info = self.env.step(
                np.array(picks, np.int64)
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
        for told in (info, info.get("final_info", {})):
            flagged |= np.asarray(told.get("illegal_action", flagged), np.bool_)
        mask = self._mask(observation, info)
        if self.mode == AutoresetMode.DISABLED and over.any():
            with self.where.running("reset with a reset_mask"):
                again, info = self.env.reset(options={"reset_mask": over.copy()})
            shown["reset"] = {"observation": again, "info": _without_clocks(info)}
            mask = self._mask(again, info)
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
                    f"It is an array of {len(self.tables)} "
                    f"{'numbers' if kind == 'f' else 'bools'}, one a table.",
                )

    def _tables_asked(self, mask: NDArray[np.int8]) -> list[Asked]:
        return [Asked(*row) for row in zip(self.tables, mask, strict=True)]

    def _mask(self, observation: Any, info: dict[str, Any]) -> NDArray[np.int8]:
        shape = (len(self.tables), int(self.env.single_action_space.n))
        return mask_of(self.where, observation, info, shape)


def _without_clocks(info: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in info.items() if key not in _CLOCKS}
