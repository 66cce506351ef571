"""Games set by hand, for tests of behaviour."""

from collections.abc import Sequence
from dataclasses import replace

from mascarade_agents.behaviour import Tally
from mascarade_env import Game, Scenario

#: Player 0 holds the Judge, player 1 the King, player 2 the Thief, and everybody has seen it.
TRIO = Scenario(
    "trio", 3, ("judge", "king", "thief"), opening_turns=0, fixed_deal=True, strict=False
)


def trio(*masks: str, start: int = 6, goal: int = 13, limit: int | None = None) -> Scenario:
    """A trio of other masks, fortunes or length, without an opening."""
    return replace(
        TRIO, masks=masks or TRIO.masks, start_coins=start, goal_coins=goal, turn_limit=limit
    )


def played(words: str, scenario: Scenario = TRIO, names: Sequence[str] | None = None) -> Game:
    """A game after some decisions, in words that spaces part."""
    game = Game(scenario, seed=0, names=names)
    for word in words.split():
        game.play(word)
    return game


def random_games(scenario: str = "6A", count: int = 8) -> list[Game]:
    """Games of two agents, alice in all even seats."""
    games = []
    for seed in range(count):
        game = Game(scenario, seed=seed)
        game.names = [("alice", "bob")[p % 2] for p in range(game.scenario.players)]
        game.play_randomly(400)
        games.append(game)
    return games


def tallied(games: Sequence[Game]) -> Tally:
    """The measures of some games."""
    return sum((Tally.of(game) for game in games), Tally())


def reseeded(game: Game, seed: int) -> Game:
    """The same game, told to be of the deal of a seed."""
    game.meta["seed"] = seed
    return game
