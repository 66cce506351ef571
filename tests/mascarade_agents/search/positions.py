"""Positions to search from, and the input of a search there."""

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._ladder.observation_reader import Reading
from mascarade_agents._search.word_evidence import Evidence, read
from mascarade_agents._search.worlds import Position, position
from mascarade_env import Game
from mascarade_env.game._positions import NOBODY


def evidence_of(game: Game) -> Evidence:
    """Return the evidence of the deciding player."""
    assert game.player is not None
    view = game.view(game.player)
    reading = Reading(
        game.scenario, view.observation()[None], view.legal_mask()[None], np.zeros(1, np.bool_)
    )
    return read(reading, view.seat, view.player_at)


def seen(game: Game, *, hide: bool = False) -> Position:
    """Return the position of the deciding player, from the game's row.

    The row has coins that a test set, which no view has. With `hide` it has no masks.
    """
    assert game.player is not None
    row = game._rows.copy()
    if hide:
        row["mask_at"] = NOBODY
    return position(row, game.view(game.player).held(), evidence_of(game))


def random_positions(scenario: str, count: int, seed: int = 0) -> list[Game]:
    """Return positions from random games, in all phases."""
    games: list[Game] = []
    rng = np.random.default_rng(seed)
    while len(games) < count:
        game = Game(scenario, seed=int(rng.integers(2**31)))
        game.play_randomly(int(rng.integers(60)))
        if not game.over:
            games.append(game)
    return games


def legal(game: Game) -> NDArray[np.int64]:
    """Return the legal action ids of the deciding player."""
    return np.array(game.legal_ids(), np.int64)
