"""Games with chosen masks and decisions, for tests of behaviour."""

from collections.abc import Sequence
from dataclasses import replace

from mascarade_agents.behaviour import Tally
from mascarade_env import Game, Scenario

#: Player 0 holds the Judge, player 1 the King, player 2 the Thief, and all players have seen it.
TRIO = Scenario(
    "trio", 3, ("judge", "king", "thief"), opening_turns=0, fixed_deal=True, strict=False
)


def trio(*masks: str, start: int = 6, goal: int = 13, limit: int | None = None) -> Scenario:
    """Return the scenario TRIO with other masks, coins or turn limit."""
    return replace(
        TRIO, masks=masks or TRIO.masks, start_coins=start, goal_coins=goal, turn_limit=limit
    )


def played(words: str, scenario: Scenario = TRIO, names: Sequence[str] | None = None) -> Game:
    """Return a game after decisions in words, with blanks between them."""
    game = Game(scenario, seed=0, names=names)
    for word in words.split():
        game.play(word)
    return game


def random_games(scenario: str = "6A", count: int = 8) -> list[Game]:
    """Return games of two agents; alice plays on all even seats."""
    games = []
    for seed in range(count):
        game = Game(scenario, seed=seed)
        game.names = [("alice", "bob")[p % 2] for p in range(game.scenario.players)]
        game.play_randomly(400)
        games.append(game)
    return games


def tallied(games: Sequence[Game]) -> Tally:
    """Return the measures of some games."""
    return sum((Tally.of(game) for game in games), Tally())


def reseeded(game: Game, seed: int) -> Game:
    """Set the seed in the meta of a game, and return the game."""
    game.meta["seed"] = seed
    return game
