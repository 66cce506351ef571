"""Positions to search from, and what a search is given of them."""

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._ladder.observation_reader import Reading
from mascarade_agents._search.word_evidence import Evidence, read
from mascarade_agents._search.worlds import Position, position
from mascarade_env import Game
from mascarade_env.game._positions import NOBODY


def evidence_of(game: Game) -> Evidence:
    """What the player who decides may add to their worlds."""
    assert game.player is not None
    view = game.view(game.player)
    reading = Reading(
        game.scenario, view.observation()[None], view.legal_mask()[None], np.zeros(1, np.bool_)
    )
    return read(reading, view.seat, view.player_at)


def seen(game: Game, *, hide: bool = False) -> Position:
    """The position of who decides, from the referee's row, with its masks or without.

    Coins set by hand are in the row alone, a view would not have heard of them.
    """
    assert game.player is not None
    row = game._rows.copy()
    if hide:
        row["mask_at"] = NOBODY
    return position(row, game.view(game.player).held(), evidence_of(game))


def random_positions(scenario: str, count: int, seed: int = 0) -> list[Game]:
    """Positions from random games, the later phases as often as they come."""
    found: list[Game] = []
    chance = np.random.default_rng(seed)
    while len(found) < count:
        game = Game(scenario, seed=int(chance.integers(2**31)))
        game.play_randomly(int(chance.integers(60)))
        if not game.over:
            found.append(game)
    return found


def legal(game: Game) -> NDArray[np.int64]:
    """The ids of who decides."""
    return np.array(game.legal_ids(), np.int64)
