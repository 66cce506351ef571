"""Positions set by hand, for directed tests.

Coins that are set by hand are no part of a game's history: do not undo, log or record such a game.
"""

from typing import Any

from mascarade_env import Game, Scenario, scenarios

#: The named scenarios by the printed rules; those of the exact suite are left out.
PRINTED = [name for name, scenario in scenarios().items() if scenario.strict]


def table(*masks: str, players: int | None = None, **settings: Any) -> Game:
    """A game at its first free turn, with these masks at the slots, in order.

    Args:
        masks: the mask at each slot, seats first, then the centre.
        players: number of seats; all slots by default.
        settings: `coins` by seat and `tribunal` set the table; the rest goes to the Scenario, a
            research one without an opening unless said otherwise.
    """
    coins = settings.pop("coins", None)
    tribunal = settings.pop("tribunal", 0)
    scenario = Scenario(
        name="table",
        players=players or len(masks),
        masks=masks,
        **{"opening_turns": 0, "strict": False, **settings},
    )
    game = Game(scenario, seed=0, deal=masks)
    if coins is not None:
        assert len(coins) == scenario.players
        game._rows["coins"][0, : scenario.players] = coins
    game._rows["tribunal"][0] = tribunal
    return game


def play(game: Game, *actions: str) -> Game:
    """Play actions in words, one after the other; "pass*3" passes three times."""
    for action in actions:
        word, _, times = action.partition("*")
        for _ in range(int(times or 1)):
            game.play(word)
    return game


def announce(game: Game, mask: str, *claimants: int) -> Game:
    """Announce a mask; the seats named claim it, all others pass."""
    announcer = game.seat
    game.play(f"announce:{mask}")
    while game.phase == "challenge" and game.seat != announcer:
        game.play("claim" if game.seat in claimants else "pass")
    return game
