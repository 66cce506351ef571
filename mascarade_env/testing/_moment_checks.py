"""What must hold of each moment of a game, by kind of environment."""

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
    """Looks at each moment of one game in turn.

    Attributes:
        observations: how many were found in their space.
        compared: how many were found to be those of `Game.observation`.
    """

    observations: int
    compared: int

    def check(self, moment: Moment, picks: Sequence[int] | None) -> None:
        """Examine a moment; `picks` led to it, None after a reset."""


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
                "nothing is legal", "Who is to decide has at least one legal action.", agent
            )
    for agent, flagged in moment.flags.items():
        if flagged:
            raise driver.where.error(
                "an action that the mask allowed was found illegal",
                "The mask holds 1 for legal actions alone.",
                agent,
            )


def _check_space(driver: Driver, space: Any, observation: Any, agent: str | None) -> None:
    if (problem := outside(space, observation, "observation")) is not None:
        raise driver.where.error(
            f"an observation does not lie in its space: {problem}",
            "Declare another space, or hand out what was declared.",
            agent,
        )


def _check_end(driver: Driver, agent: str, terminated: bool, truncated: bool) -> None:
    if terminated and truncated:
        raise driver.where.error(
            "the game is both terminated and truncated",
            "It is terminated if it was won or lost, truncated if it was cut off.",
            agent,
        )


def _check_on_the_way(driver: Driver, agent: str, reward: float, over: bool) -> None:
    shaped = bool(attribute_of(driver.env, "shaping", 0))
    if reward and not over and not shaped:
        raise driver.where.error(
            f"there is a reward of {reward} while the game goes on",
            "Rewards come at the end of the game; say so by an attribute `shaping` if there "
            "are others.",
            agent,
        )
    if not np.isfinite(reward):
        raise driver.where.error(f"the reward is {reward}", "Rewards are finite numbers.", agent)


class SingleExaminer:
    """One game of one learner."""

    def __init__(self, driver: SingleDriver) -> None:
        self.driver = driver
        self.observations = 0
        self.compared = 0

    def check(self, moment: Moment, picks: Sequence[int] | None) -> None:
        """Examine a moment."""
        driver, shown = self.driver, moment.shown
        _check_space(driver, driver.env.observation_space, shown["observation"], "learner")
        self.observations += 1
        _check_asked(driver, moment)
        _check_end(driver, "learner", shown["terminated"], shown["truncated"])
        _check_on_the_way(driver, "learner", moment.reward["learner"], moment.over["learner"])


class VectorExaminer:
    """A run of a vector environment."""

    def __init__(self, driver: VectorDriver) -> None:
        self.driver = driver
        self.observations = 0
        self.compared = 0
        self._were_over = dict.fromkeys(driver.tables, False)

    def check(self, moment: Moment, picks: Sequence[int] | None) -> None:
        """Examine a moment."""
        driver, shown = self.driver, moment.shown
        space = driver.env.observation_space
        _check_space(driver, space, shown["observation"], None)
        if "reset" in shown:
            _check_space(driver, space, shown["reset"]["observation"], None)
        self.observations += len(driver.tables)
        _check_asked(driver, moment)
        for table, agent in enumerate(driver.tables):
            if picks is not None:
                _check_end(driver, agent, shown["terminated"][table], shown["truncated"][table])
            _check_on_the_way(driver, agent, moment.reward[agent], moment.over[agent])
            if moment.over[agent] and self._were_over[agent]:
                raise driver.where.error(
                    "a game that was over is over again",
                    "With NEXT_STEP the step after the end deals anew, whatever the action.",
                    agent,
                )
            if moment.over[agent] and driver.mode == AutoresetMode.SAME_STEP:
                self._look_at_final(shown["info"], table, agent)
        rests = driver.mode == AutoresetMode.NEXT_STEP
        self._were_over = {agent: rests and over for agent, over in moment.over.items()}

    def _look_at_final(self, info: dict[str, Any], table: int, agent: str) -> None:
        final = info.get("final_obs")
        if final is None or final[table] is None or "final_info" not in info:
            raise self.driver.where.error(
                "how a game ended is lost",
                'With SAME_STEP, info["final_obs"] and info["final_info"] tell.',
                agent,
            )
        _check_space(self.driver, self.driver.env.single_observation_space, final[table], agent)
        self.observations += 1


class AecExaminer:
    """One game of all players, and the same game as a `Game` if the environment is ours."""

    def __init__(self, driver: AecDriver) -> None:
        self.driver = driver
        self.observations = 0
        self.compared = 0
        env = driver.env
        self.agents = list(env.possible_agents)
        self._earned = dict.fromkeys(self.agents, 0.0)
        self._told = dict.fromkeys(self.agents, 0.0)
        self._game: Game | None = None

    def check(self, moment: Moment, picks: Sequence[int] | None) -> None:
        """Examine a moment."""
        shown, where = moment.shown, self.driver.where
        selected = shown["agent_selection"]
        if shown["agents"] != self.agents:
            raise where.error(
                f"agents is {shown['agents']}",
                f"All take part from the deal to the end, in the order {self.agents}.",
            )
        if found := difference(shown["last"][0], shown["observe"][selected]):
            raise where.error(
                f"last() and observe() differ: {found}", "last() hands out observe().", selected
            )
        for agent in self.agents:
            observation = shown["observe"][agent]
            _check_space(self.driver, self.driver.env.observation_space(agent), observation, agent)
            self.observations += 1
            mask = observation.get(MASK) if isinstance(observation, dict) else None
            if mask is not None and mask.any() and not (moment.asked and agent == selected):
                raise where.error(
                    "an agent that is not asked has legal actions", "Its mask is all zeros.", agent
                )
        _check_asked(self.driver, moment)
        self._look_at_rewards(moment)
        if isinstance(self.driver.env.unwrapped, raw_env):
            self._compare(moment, picks)

    def _look_at_rewards(self, moment: Moment) -> None:
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
                f"the rewards sum to {total}", "What one player wins the others lose."
            )
        if not over:
            self._told[shown["agent_selection"]] += shown["last"][1]
            return
        *departures, remaining = shown["farewell"]
        if [agent for agent, *_ in departures] != self.agents or remaining:
            selected = [agent for agent, *_ in departures]
            raise where.error(
                f"after the end {selected} were selected, and {remaining} stayed",
                f"Each agent in turn is told the end and leaves: {self.agents}.",
            )
        for agent, _, reward, *_ in departures:
            self._told[agent] += reward
            if abs(self._told[agent] - self._earned[agent]) > _CLOSE:
                raise where.error(
                    f"last() has told of rewards of {self._told[agent]} in all, and there were "
                    f"{self._earned[agent]}",
                    "last() tells what came since the agent's own last step.",
                    agent,
                )

    def _compare(self, moment: Moment, picks: Sequence[int] | None) -> None:
        """The environment below all wrappers, and the same game played alone."""
        env, where = self.driver.env.unwrapped, self.driver.where
        if picks is None:
            dealt = env.game
            self._game = Game(dealt.scenario, seed=dealt.meta["seed"])
        game = self._game
        assert game is not None
        if picks is not None:
            game.play(int(env.batch.unpadded[picks[0]]))
        if game.over != any(moment.over.values()):
            raise where.error("the game ends at another time than the rules say", "See RULES.md 7.")
        if not game.over and self.agents[game.player or 0] != moment.shown["agent_selection"]:
            raise where.error(
                f"{moment.shown['agent_selection']} is asked", f"Player {game.player} is to decide."
            )
        for player, agent in enumerate(self.agents):
            expected = game.observation(player, env.batch.schema.track, padded=env.batch.padded)
            if differs := difference(env.observe(agent)["observation"], expected):
                raise where.error(
                    f"the observation is not that of Game.observation: {differs}",
                    "It tells what the player has witnessed, laid out by `mascarade_env.Schema`.",
                    agent,
                )
            self.compared += 1
        if game.over:
            if env.game.history != game.history:
                raise where.error(
                    "`game` is not the game that was played",
                    "It has the seed and the decisions of the environment's game.",
                )
            self._compare_end(game, moment)

    def _compare_end(self, game: Game, moment: Moment) -> None:
        """Who gets more than whom; wrappers may change the scale."""
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
                        f"{agent} gets {rewards[one]} and {rival} {rewards[other]}, where the "
                        f"rules say {returns[one]} and {returns[other]}",
                        "The winners get the most, all of them the same (RULES.md 7).",
                        agent,
                    )
