"""Environments with one fault each."""

import copy
import random
from typing import Any

import gymnasium
import numpy as np

from mascarade_env import Game
from mascarade_env.envs._aec import Observation, raw_env
from mascarade_env.envs._single import MascaradeEnv
from mascarade_env.envs._vector import MascaradeVectorEnv


class ReusesBuffers(raw_env):
    def observe(self, agent: str) -> Observation:
        result = super().observe(agent)
        if not hasattr(self, "buffer"):
            self.buffer = result["observation"]
        self.buffer[:] = result["observation"]
        return {**result, "observation": self.buffer.view()}


class LeaksTheTable(raw_env):
    """Shows whether player 0 has the Witch."""

    def observe(self, agent: str) -> Observation:
        result = super().observe(agent)
        truth = self.game.masks[0] == "witch"
        if not self._over and self.game.turn > 2:
            result["observation"][0] = truth
        return result


class PaysTheWrongPlayer(raw_env):
    def _end(self, rewards: dict[str, float], **options: Any) -> None:
        super()._end(dict(zip(rewards, np.roll(list(rewards.values()), 1), strict=True)), **options)


class PaysEverybody(raw_env):
    def _end(self, rewards: dict[str, float], **options: Any) -> None:
        super()._end(dict.fromkeys(rewards, 1.0), **options)


class PaysOnTheWay(raw_env):
    def step(self, action: int | None) -> None:
        super().step(action)
        if not self._over:
            self.rewards = dict(zip(self.agents, [1.0, -1.0] + [0.0] * 10, strict=False))


class ForgetsToPay(raw_env):
    """`rewards` are right, but `last` never returns them."""

    def _accumulate_rewards(self) -> None:
        pass


class CopyBeginsAnew(raw_env):
    def __deepcopy__(self, memo: dict[int, Any]) -> "CopyBeginsAnew":
        twin = type(self)(self.scenario)
        twin.reset(seed=0)
        return twin


class CopySharesTheGame(raw_env):
    def __deepcopy__(self, memo: dict[int, Any]) -> "CopySharesTheGame":
        twin = copy.copy(self)
        twin.__dict__ |= {
            name: copy.deepcopy(value) for name, value in vars(self).items() if name != "batch"
        }
        return twin


class PickleBeginsAnew(raw_env):
    def __reduce__(self) -> Any:
        return reborn, (type(self), self.scenario)

    def __deepcopy__(self, memo: dict[int, Any]) -> "PickleBeginsAnew":
        twin = object.__new__(type(self))
        twin.__dict__ |= copy.deepcopy(vars(self), memo)
        return twin


def reborn(kind: Any, scenario: Any) -> Any:
    env = kind(scenario)
    env.reset(seed=0)
    return env


class DrawsFromNumPy(raw_env):
    def step(self, action: int | None) -> None:
        np.random.random()
        super().step(action)


class DrawsFromPython(raw_env):
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        random.random()
        super().reset(seed, options)


class ReadsGlobalNumbers(raw_env):
    """Does not use a generator; it only reads one."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(int(np.random.get_state()[1][0]) + (seed or 0))  # type: ignore[index]


class KeepsOneMask(raw_env):
    """Returns one array as the mask of the acting agent; subclasses put faults into it."""

    def _ask_next(self) -> None:
        super()._ask_next()
        self._mask = self.infos[self.agent_selection]["action_mask"]

    def observe(self, agent: str) -> Observation:
        result = super().observe(agent)
        asked = agent == self.agent_selection and not self._over
        return {**result, "action_mask": self._mask} if asked else result


class AllowsAnIllegalAction(KeepsOneMask):
    def _ask_next(self) -> None:
        super()._ask_next()
        self._mask[-1] = 1  # declares a mask that no player has here


class ForbidsALegalAction(KeepsOneMask):
    def _ask_next(self) -> None:
        super()._ask_next()
        if self._mask.sum() > 1:
            self._mask[self._mask.argmax()] = 0


class AllowsNothing(KeepsOneMask):
    def _ask_next(self) -> None:
        super()._ask_next()
        self._mask[:] = 0


class ShowsMasksToOthers(KeepsOneMask):
    def observe(self, agent: str) -> Observation:
        return {**super().observe(agent), "action_mask": self._mask}


class MasksAreWide(KeepsOneMask):
    def _ask_next(self) -> None:
        super()._ask_next()
        self._mask = self._mask.astype(np.int64)
        self.infos[self.agent_selection] = {"action_mask": self._mask}


class MasksDisagree(KeepsOneMask):
    def _ask_next(self) -> None:
        super()._ask_next()
        self.infos[self.agent_selection] = {"action_mask": 1 - self._mask}


class TrustsItsReader(KeepsOneMask):
    """Uses the array that it has returned to decide what is legal."""

    def step(self, action: int | None) -> None:
        if action is not None and not self._mask[action]:
            action = int(np.flatnonzero(self.batch.mask[0])[0])
        super().step(action)


class ChangesAndRaises(raw_env):
    def step(self, action: int | None) -> None:
        if action is not None and not self.batch.mask[0, action]:
            super().step(int(np.flatnonzero(self.batch.mask[0])[0]))
        super().step(action)


class IgnoresTheSeed(raw_env):
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(7, options)


class DealsAnyGame(raw_env):
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(None, options)


class ShowsDoubles(raw_env):
    def observe(self, agent: str) -> Observation:
        result = super().observe(agent)
        return {**result, "observation": result["observation"].astype(np.float64)}


class ShowsTooMuch(raw_env):
    def observe(self, agent: str) -> Observation:
        result = super().observe(agent)
        result["observation"][3] = np.nan
        return result


class EndsTwice(raw_env):
    def _end(self, rewards: dict[str, float], **options: Any) -> None:
        super()._end(rewards, **options)
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)


class EndsForOne(raw_env):
    def _end(self, rewards: dict[str, float], **options: Any) -> None:
        super()._end(rewards, **options)
        self.terminations["player_2"] = False


class LeavesInDisorder(raw_env):
    """Removes the agents from the last to the first."""

    def _deads_step_first(self) -> str:
        self._skip_agent_selection = None
        if self.agents:
            self.agent_selection = self.agents[-1]
        return str(self.agent_selection)

    def _was_dead_step(self, action: None) -> None:
        agent = self.agent_selection
        self.agents.remove(agent)
        del self._cumulative_rewards[agent], self.infos[agent]
        del self.terminations[agent], self.truncations[agent]
        self._deads_step_first()


class ForgetsTheGame(raw_env):
    @property
    def game(self) -> Game:
        return super().game.at_start()


class PunishesNobody(raw_env):
    """Continues a game that an illegal action must end."""

    def step(self, action: int | None) -> None:
        if action is not None and not self.batch.mask[0, action]:
            action = int(np.flatnonzero(self.batch.mask[0])[0])
        super().step(action)


class TurnsAround(raw_env):
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed, options)
        self.agents.reverse()


class LastIsLate(raw_env):
    def last(self, observe: bool = True) -> Any:
        seen, *options = super().last(observe)
        now = seen["observation"]
        seen = {**seen, "observation": getattr(self, "late", now)}
        self.late = now
        return seen, *options


class Stumbles(raw_env):
    def step(self, action: int | None) -> None:
        if len(self._decisions) == 5:
            raise RuntimeError("stumbled")
        super().step(action)


class ReusesItsBuffer(gymnasium.ObservationWrapper[Any, Any, Any]):
    def observation(self, observation: Any) -> Any:
        if not hasattr(self, "buffer"):
            self.buffer = observation.copy()
        self.buffer[:] = observation
        return self.buffer


class PaysAnOther(gymnasium.RewardWrapper[Any, Any]):
    def reward(self, reward: Any) -> float:
        return float(reward) + 0.01


class TakesAnything(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Replaces an illegal action without reporting it."""

    def step(self, action: Any) -> Any:
        mask = self.env.get_wrapper_attr("action_masks")()
        return self.env.step(action if mask[action] else int(mask.argmax()))


class HidesMasks(gymnasium.Wrapper[Any, Any, Any, Any]):
    def reset(self, **options: Any) -> Any:
        return self.env.reset(**options)[0], {}


class LosesTheEnd(MascaradeVectorEnv):
    def step(self, actions: Any) -> Any:
        *options, info = super().step(actions)
        info.pop("final_obs", None)
        return *options, info


class EndsAgain(MascaradeVectorEnv):
    """Deals one step too late."""

    def step(self, actions: Any) -> Any:
        over = self.tables.over
        observation, reward, terminated, truncated, info = super().step(actions)
        return observation, reward, terminated | over, truncated, info


class PaysWholeNumbers(MascaradeVectorEnv):
    def step(self, actions: Any) -> Any:
        observation, reward, *options = super().step(actions)
        return observation, reward.astype(np.int64), *options


class SaysNothingOfResets(MascaradeVectorEnv):
    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.metadata = {}


class PaysTheNext(MascaradeEnv):
    """Gives the learner the reward of the next player."""

    def step(self, action: Any) -> Any:
        observation, reward, *options = super().step(action)
        batch, learner = self.tables.batch, int(self.tables.learner[0])
        if batch.terminated[0]:
            reward = float(batch.rewards[0, (learner + 1) % self.tables.scenario.players])
        return observation, reward, *options


class PaysNothing(MascaradeEnv):
    def step(self, action: Any) -> Any:
        observation, reward, terminated, truncated, info = super().step(action)
        reward = -1.0 if "illegal_action" in info and terminated else 0.0
        return observation, reward, terminated, truncated, info


class PunishesHalf(MascaradeEnv):
    def step(self, action: Any) -> Any:
        observation, reward, terminated, truncated, info = super().step(action)
        reward /= 2 if "illegal_action" in info else 1
        return observation, reward, terminated, truncated, info


class EndsInTheDark(MascaradeEnv):
    def step(self, action: Any) -> Any:
        observation, reward, terminated, *options = super().step(action)
        return observation * (not terminated), reward, terminated, *options


class NeverMovesOn(MascaradeEnv):
    """Never changes the learner's seat."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self.seed = getattr(self, "seed", 0) if seed is None else seed
        return super().reset(seed=self.seed, options=options)


class PaysTheOthers(MascaradeVectorEnv):
    def step(self, actions: Any) -> Any:
        observation, reward, *options = super().step(actions)
        return observation, -reward, *options


class PaysNobody(MascaradeVectorEnv):
    def step(self, actions: Any) -> Any:
        observation, reward, *options = super().step(actions)
        return observation, 0 * reward, *options


class CutsOffWhatIsWon(MascaradeVectorEnv):
    def step(self, actions: Any) -> Any:
        observation, reward, terminated, truncated, info = super().step(actions)
        return observation, reward, truncated, terminated, info


class EndsInTheNextGame(MascaradeVectorEnv):
    """Returns the first observation of the next game as the final observation."""

    def step(self, actions: Any) -> Any:
        observation, *options, info = super().step(actions)
        for row in np.flatnonzero(info.get("_final_obs", np.zeros(0))):
            info["final_obs"][row] = observation[row].copy()
        return observation, *options, info


class AllEndInTheDark(MascaradeVectorEnv):
    def step(self, actions: Any) -> Any:
        observation, reward, terminated, truncated, info = super().step(actions)
        if "final_obs" in info:
            for row in np.flatnonzero(info["_final_obs"]):
                info["final_obs"][row] *= 0
        else:
            observation[terminated] = 0
        return observation, reward, terminated, truncated, info
