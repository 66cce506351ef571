"""The upper bounds for the length of games: no game is longer, and some reach them."""

from itertools import pairwise

import pytest

from mascarade_env import Game, Scenario, scenarios
from mascarade_env.adapters._openspiel_core import Longest, longest
from mascarade_env.game._masks import MASKS
from tests.mascarade_env.adapters.openspiel_games import load_game

#: The power of the Cheat ends the game, so no turn of it is as long as one of another mask.
POWERS = [mask.id for mask in MASKS if mask.id != "cheat"]


@pytest.mark.parametrize("name", [*scenarios()])
def test_no_game_is_longer_than_the_bound(name: str) -> None:
    scenario = load_game(name, turn_limit=12).scenario
    bound = longest(scenario)
    for seed in range(25):
        game = Game(scenario, seed=seed)
        assert game.play_randomly() <= bound.decisions
        for player in range(scenario.players):
            assert len(game.log(player)) <= bound.events


def told(game: Game) -> int:
    """Return the largest number of events that a viewer has seen."""
    return max(len(game.log(player)) for player in range(game.scenario.players))


def table(mask: str, **options: int) -> Scenario:
    """Return a scenario of four players; the last one has the mask."""
    cards = next(kind.copies for kind in MASKS if kind.id == mask)
    others = [other for other in ("king", "judge", "empress", "widow") if other != mask]
    masks = (*others[: 4 - cards], *[mask] * cards)
    numbers = {"start_coins": 6, "goal_coins": 900, "opening_turns": 0, "turn_limit": 7} | options
    return Scenario("4", 4, masks, **numbers, strict=False, fixed_deal=True)  # type: ignore[arg-type]


def choice(game: Game, mask: str) -> str:
    """Return actions that make a turn long: all players claim a mask, also the one who has it."""
    words = game.legal_actions()
    wanted = [f"announce:{mask}", "claim", "keep"]
    if mask == "beggar" and game.turn < 4:  # player 3, who has it, must be the poorest
        assert game.player is not None
        own = f"announce:{game.masks[game.player]}"
        wanted = ["look"] if game.turn == 3 else [own, "claim" if game.player == 3 else "pass"]
    return next((word for word in wanted if word in words), words[0])


@pytest.mark.parametrize("mask", POWERS)
def test_a_turn_of_each_power_reaches_the_bound(mask: str) -> None:
    scenario = table(mask)
    game = Game(scenario, seed=0)
    marks = [(0, told(game))]
    while not game.over:
        turn = game.turn
        game.play(choice(game, mask))
        if game.turn > turn:
            marks.append((len(game.taken), told(game)))
    grown = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(marks)]
    one, two = longest(table(mask, turn_limit=1)), longest(table(mask, turn_limit=2))
    assert max(decisions for decisions, _ in grown) == two.decisions - one.decisions
    assert max(events for _, events in grown) == two.events - one.events


@pytest.mark.parametrize(("mask", "options"), [("fool", {}), ("king", {"opening_turns": 9})])
def test_a_game_of_one_turn_reaches_the_bound(mask: str, options: dict[str, int]) -> None:
    """It is void at the limit; with winners there would be more events."""
    scenario = table(mask, turn_limit=1, **options)
    game = Game(scenario, seed=0)
    while not game.over:
        game.play(choice(game, mask))
    assert longest(scenario) == Longest(len(game.taken), told(game) + scenario.players)


def test_a_whole_game_reaches_the_bound_of_decisions() -> None:
    """The Fool on every turn: without claims, every player may announce it again."""
    scenario = table("fool", opening_turns=2)
    game = Game(scenario, seed=0)
    while not game.over:
        words = game.legal_actions()
        game.play("announce:fool" if "announce:fool" in words else words[-1])
    assert len(game.taken) == longest(scenario).decisions
