"""Positions that tests set up directly.

Coins that a test sets are not in the history of the game: do not undo, log or record the game.
"""

from typing import Any

from mascarade_env import Game, Scenario, scenarios

#: The named scenarios by the printed rules; those of the exact suite are left out.
PRINTED = [name for name, scenario in scenarios().items() if scenario.strict]


def table(*masks: str, players: int | None = None, **settings: Any) -> Game:
    """Return a game at its first turn after the opening, with given masks at the slots.

    Args:
        masks: the mask at each slot, seats first, then the centre.
        players: number of seats; by default one for each slot.
        settings: `coins` by seat, `tribunal`, and arguments of `Scenario`. By default it is a
            research scenario without an opening.
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
