"""Random scenarios, for tests that must pass with any masks in play."""

import random

from mascarade_env import MASKS, Scenario, ScenarioError


def random_scenario(chance: random.Random) -> Scenario:
    """Return a random scenario: any masks and number of players, research scenarios included."""
    while True:
        players = chance.randint(2, 12)
        slots = chance.randint(players, min(14, players + 3))
        deck: list[str] = []
        for mask in chance.sample(MASKS, len(MASKS)):
            if len(deck) + mask.copies <= slots:
                deck += [mask.id] * mask.copies
        goal = chance.choice([4, 7, 10, 11, 13, 13, 13, 20])
        limit = chance.choice([None, None, 1, 5, 12, 40])
        try:
            return Scenario(
                name="random",
                players=players,
                masks=tuple(deck),
                start_coins=chance.choice([1, 2, goal - 1, min(6, goal - 1), min(6, goal - 1)]),
                goal_coins=goal,
                opening_turns=chance.choice([0, 1, 4, 4, players]),
                turn_limit=limit,
                at_limit=chance.choice(["void", "richest"]),
                strict=False,
                fixed_deal=chance.random() < 0.2,
            )
        except ScenarioError:
            continue  # for example, a Fool with two players


class Whim:
    """A random player with habits: the weights of its kinds of actions are random in each game.

    Uniformly random players claim nearly every announcement. With few claims more powers are used;
    with many claims there are challenges with many players.
    """

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._weights = {
            verb: 10 ** chance.uniform(-1.5, 0.5)
            for verb in ("look", "take", "announce", "claim", "pass", "decline", "target")
        }

    def choose(self, legal: list[str]) -> str:
        """Return one of the legal actions."""
        weights = [self._weights.get(word.partition(":")[0], 1.0) for word in legal]
        return self._chance.choices(legal, weights)[0]
