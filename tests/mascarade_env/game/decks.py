"""Random scenarios of all sorts, for tests that should hold whatever is in play."""

import random

from mascarade_env import MASKS, Scenario, ScenarioError


def random_scenario(chance: random.Random) -> Scenario:
    """A custom scenario: any masks, any number of players, sometimes far from the printed rules."""
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
            continue  # such as a Fool among two players


class Whim:
    """Random play with habits: how often it does what is drawn anew for each game.

    Uniformly random play hardly ever lets an announcement pass or an opening of many takes be;
    a whim with few claims sees many powers, one with many claims sees crowded challenges.
    """

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._weights = {
            verb: 10 ** chance.uniform(-1.5, 0.5)
            for verb in ("look", "take", "announce", "claim", "pass", "decline", "target")
        }

    def choose(self, legal: list[str]) -> str:
        """One of the legal actions."""
        weights = [self._weights.get(word.partition(":")[0], 1.0) for word in legal]
        return self._chance.choices(legal, weights)[0]
