"""Check the results of each step of a game, for each kind of environment."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from gymnasium.vector import AutoresetMode

from mascarade_env.envs._aec import raw_env
from mascarade_env.game._game import Game
from mascarade_env.testing._compare import difference
from mascarade_env.testing._drivers import (
    AecDriver,
    Driver,
    Moment,
    SingleDriver,
    VectorDriver,
    attribute_of,
)
from mascarade_env.testing._spaces import MASK, outside

_CLOSE = 1e-4  # sums of a few hundred float32 rewards


class Examiner(Protocol):
    """Checks the results of one game, step by step.

    Attributes:
        observations: number of observations that are in their space.
        compared: number of observations that are equal to `Game.observation`.
    """

    observations: int
    compared: int

    def check(self, moment: Moment, actions: Sequence[int] | None) -> None:
        """Check the results of a step with these actions, or of a reset if `actions` is None."""


def examiner_of(driver: Driver) -> Examiner:
    """Return the examiner for one game of a driver."""
    if isinstance(driver, AecDriver):
        return AecExaminer(driver)
    if isinstance(driver, VectorDriver):
        return VectorExaminer(driver)
    assert isinstance(driver, SingleDriver)
    return SingleExaminer(driver)


def _check_asked(driver: Driver, moment: Moment) -> None:
    for agent, mask in moment.asked:
        if not mask.any():
            raise driver.where.error(
                "the agent must act, but its mask has no legal action",
                "An acting agent must have at least one legal action.",
                agent,
            )
    for agent, flagged in moment.flags.items():
        if flagged:
            raise driver.where.error(
                "the environment reported an action as illegal, but its mask is 1",
                "The mask must be 1 only for legal actions.",
                agent,
            )


def _check_space(driver: Driver, space: Any, observation: Any, agent: str | None) -> None:
    if (problem := outside(space, observation, "observation")) is not None:
        raise driver.where.error(
            f"an observation is not in its space: {problem}",
            "Declare another space, which contains it, or change the observation.",
            agent,
        )


def _check_end(driver: Driver, agent: str, terminated: bool, truncated: bool) -> None:
    if terminated and truncated:
        raise driver.where.error(
            "the game is both terminated and truncated",
            "Set terminated if the rules ended the game, and truncated if a limit cut it off.",
            agent,
        )


def _check_on_the_way(driver: Driver, agent: str, reward: float, over: bool) -> None:
    shaped = bool(attribute_of(driver.env, "shaping", 0))
    if reward and not over and not shaped:
        raise driver.where.error(
            f"the reward before the end of the game is {reward}",
            "It must be 0. If you give other rewards, declare them by an attribute `shaping`.",
            agent,
        )
    if not np.isfinite(reward):
        raise driver.where.error(f"the reward is {reward}", "Rewards must be finite.", agent)


class SingleExaminer:
    """Checks one game of an environment with one learner."""

    def __init__(self, driver: SingleDriver) -> None:
        self.driver = driver
        self.observations = 0
        self.compared = 0

    def check(self, moment: Moment, actions: Sequence[int] | None) -> None:
        """Examine a moment."""
        driver, shown = self.driver, moment.shown
        _check_space(driver, driver.env.observation_space, shown["observation"], "learner")
        self.observations += 1
        _check_asked(driver, moment)
        _check_end(driver, "learner", shown["terminated"], shown["truncated"])
        _check_on_the_way(driver, "learner", moment.reward["learner"], moment.over["learner"])


class VectorExaminer:
    """Checks a run of a vector environment."""

    def __init__(self, driver: VectorDriver) -> None:
        self.driver = driver
        self.observations = 0
        self.compared = 0
        self._were_over = dict.fromkeys(driver.tables, False)

    def check(self, moment: Moment, actions: Sequence[int] | None) -> None:
        """Examine a moment."""
        driver, shown = self.driver, moment.shown
        space = driver.env.observation_space
        _check_space(driver, space, shown["observation"], None)
        if "reset" in shown:
            _check_space(driver, space, shown["reset"]["observation"], None)
        self.observations += len(driver.tables)
        _check_asked(driver, moment)
        for table, agent in enumerate(driver.tables):
            if actions is not None:
                _check_end(driver, agent, shown["terminated"][table], shown["truncated"][table])
            _check_on_the_way(driver, agent, moment.reward[agent], moment.over[agent])
            if moment.over[agent] and self._were_over[agent]:
                raise driver.where.error(
                    "a game is over after two steps in a row",
                    "With NEXT_STEP, the step after the end must deal the next game.",
                    agent,
                )
            if moment.over[agent] and driver.mode == AutoresetMode.SAME_STEP:
                self._check_final(shown["info"], table, agent)
        waits = driver.mode == AutoresetMode.NEXT_STEP
        self._were_over = {agent: waits and over for agent, over in moment.over.items()}

    def _check_final(self, info: dict[str, Any], table: int, agent: str) -> None:
        final = info.get("final_obs")
        if final is None or final[table] is None or "final_info" not in info:
            raise self.driver.where.error(
                "the last observation of a game is missing",
                'With SAME_STEP, info["final_obs"] and info["final_info"] must hold the last '
                "observation and info of the game.",
                agent,
            )
        _check_space(self.driver, self.driver.env.single_observation_space, final[table], agent)
        self.observations += 1


class AecExaminer:
    """Checks one game of an environment with all players.

    If the environment is ours, it also compares the game with a `Game`.
    """

    def __init__(self, driver: AecDriver) -> None:
        self.driver = driver
        self.observations = 0
        self.compared = 0
        env = driver.env
        self.agents = list(env.possible_agents)
        self._earned = dict.fromkeys(self.agents, 0.0)
        self._reported = dict.fromkeys(self.agents, 0.0)
        self._game: Game | None = None

    def check(self, moment: Moment, actions: Sequence[int] | None) -> None:
        """Examine a moment."""
        shown, where = moment.shown, self.driver.where
        selected = shown["agent_selection"]
        if shown["agents"] != self.agents:
            raise where.error(
                f"the attribute agents is {shown['agents']}",
                f"From the deal to the end it must be {self.agents}, in this order.",
            )
        if differs := difference(shown["last"][0], shown["observe"][selected]):
            raise where.error(
                f"last() and observe() differ: {differs}",
                "last() must return the result of observe().",
                selected,
            )
        for agent in self.agents:
            observation = shown["observe"][agent]
            _check_space(self.driver, self.driver.env.observation_space(agent), observation, agent)
            self.observations += 1
            mask = observation.get(MASK) if isinstance(observation, dict) else None
            if mask is not None and mask.any() and not (moment.asked and agent == selected):
                raise where.error(
                    "the mask of an agent that must not act now has legal actions",
                    "This mask must be all zeros.",
                    agent,
                )
        _check_asked(self.driver, moment)
        self._check_rewards(moment)
        if isinstance(self.driver.env.unwrapped, raw_env):
            self._compare(moment, actions)

    def _check_rewards(self, moment: Moment) -> None:
        shown, where = moment.shown, self.driver.where
        over = any(moment.over.values())
        for agent in self.agents:
            _check_end(
                self.driver, agent, shown["terminations"][agent], shown["truncations"][agent]
            )
            _check_on_the_way(self.driver, agent, shown["rewards"][agent], over)
            self._earned[agent] += shown["rewards"][agent]
        if abs(total := sum(shown["rewards"].values())) > _CLOSE:
            raise where.error(
                f"the rewards sum to {total}", "The game is zero-sum: they must sum to 0."
            )
        if not over:
            self._reported[shown["agent_selection"]] += shown["last"][1]
            return
        *departures, remaining = shown["farewell"]
        if [agent for agent, *_ in departures] != self.agents or remaining:
            selected = [agent for agent, *_ in departures]
            raise where.error(
                f"after the end, the agents {selected} were selected, and {remaining} remained",
                f"In the order {self.agents}, each agent must be selected once more, and leaves "
                "when it steps with None.",
            )
        for agent, _, reward, *_ in departures:
            self._reported[agent] += reward
            if abs(self._reported[agent] - self._earned[agent]) > _CLOSE:
                raise where.error(
                    f"the rewards that last() returned sum to {self._reported[agent]}, but the "
                    f"values of `rewards` sum to {self._earned[agent]}",
                    "last() must return the rewards since the agent's own last step.",
                    agent,
                )

    def _compare(self, moment: Moment, actions: Sequence[int] | None) -> None:
        """Compare the innermost environment with the same game in a `Game`."""
        env, where = self.driver.env.unwrapped, self.driver.where
        if actions is None:
            dealt = env.game
            self._game = Game(dealt.scenario, seed=dealt.meta["seed"])
        game = self._game
        assert game is not None
        if actions is not None:
            game.play(int(env.batch.unpadded[actions[0]]))
        if game.over != any(moment.over.values()):
            raise where.error(
                f"by the rules the game is {'over' if game.over else 'not over'}, but the "
                f"environment is {'not over' if game.over else 'over'}",
                "The environment must end a game when the rules do (RULES.md 7).",
            )
        if not game.over and self.agents[game.player or 0] != moment.shown["agent_selection"]:
            raise where.error(
                f"{moment.shown['agent_selection']} is selected, but player {game.player} must "
                "decide",
                "Select the agent of the player who must decide.",
            )
        for player, agent in enumerate(self.agents):
            expected = game.observation(player, env.batch.schema.track, padded=env.batch.padded)
            if differs := difference(env.observe(agent)["observation"], expected):
                raise where.error(
                    f"the observation differs from Game.observation: {differs}",
                    "It must hold the player's knowledge in the layout of `mascarade_env.Schema`.",
                    agent,
                )
            self.compared += 1
        if game.over:
            if env.game.history != game.history:
                raise where.error(
                    "`game` is not the game that was played",
                    "It must have the seed and the decisions of the environment's game.",
                )
            self._compare_end(game, moment)

    def _compare_end(self, game: Game, moment: Moment) -> None:
        """Compare the order of the rewards with the rules; wrappers may change their scale."""
        if attribute_of(self.driver.env, "shaping", 0):
            rewards = [self._earned[agent] for agent in self.agents]
            if game.truncated:
                return
        else:
            rewards = [moment.shown["rewards"][agent] for agent in self.agents]
        returns = game.returns()
        for one, agent in enumerate(self.agents):
            for other, rival in enumerate(self.agents[:one]):
                by_rules = np.sign(round(returns[one] - returns[other], 4))
                if np.sign(round(rewards[one] - rewards[other], 4)) != by_rules:
                    raise self.driver.where.error(
                        f"{agent} gets {rewards[one]} and {rival} gets {rewards[other]}, but by "
                        f"the rules they get {returns[one]} and {returns[other]}",
                        "The winners must get the highest rewards, all of them the same "
                        "(RULES.md 7).",
                        agent,
                    )
