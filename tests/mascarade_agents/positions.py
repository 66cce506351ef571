"""Positions for tests: observations of real games with some parts changed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._agent import Agent
from mascarade_agents._ladder.observation_reader import Reading
from mascarade_env import Game, Positions, Schema
from tests.mascarade_env.game.tables import table

#: The masks of 6A, in order.
KINDS = ("judge", "empress", "king", "trickster", "cheat", "witch")


def belief(*places: dict[str, float]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return [places, kinds] a belief in 6A."""
    return np.array([[place.get(kind, 0) for kind in KINDS] for place in places], np.float32)


def observation(game: Game, **changed: Any) -> NDArray[np.float32]:
    """Return [1, D] the deciding player's observation, with some blocks or columns replaced."""
    vector = game.observation()[None].copy()
    views = Schema(game.scenario, "both").views(vector)
    for name, values in changed.items():
        numbers = np.array(values, np.float32)
        if name in ("coins", "tribunal"):
            numbers /= np.float32(game.scenario.goal_coins)
        view = views[name][0]
        view[: len(numbers)] = numbers
    return vector


def reading(game: Game, **changed: Any) -> Reading:
    """Return the same observation as a Reading."""
    mask = game.legal_mask()[None]
    return Reading(game.scenario, observation(game, **changed), mask, np.zeros(1, np.bool_))


def words(agent: Agent, game: Game, count: int = 1, **changed: Any) -> list[str]:
    """Return `count` decisions of an agent in a position."""
    vectors = np.repeat(observation(game, **changed), count, axis=0)
    masks = np.repeat(game.legal_mask()[None], count, axis=0)
    taken = agent.act_batch(Positions(vectors, masks, agent.reads), np.random.default_rng(0))
    return [game.action_word(int(action)) for action in taken]


def word(agent: Agent, game: Game, **changed: Any) -> str:
    """Return a decision of an agent in a position."""
    return words(agent, game, **changed)[0]


def six(*masks: str, **settings: Any) -> Game:
    """Return a game of 6A after the opening, with its masks on the seats in order."""
    return table(
        *(masks or ("judge", "empress", "king", "trickster", "cheat", "witch")), **settings
    )
