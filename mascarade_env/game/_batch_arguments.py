"""Checks of the arguments of a batch."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError
from mascarade_env.game._positions import NOBODY
from mascarade_env.game._rng import NO_EPISODE, given_seed
from mascarade_env.game._rng import row_seeds as series_seeds
from mascarade_env.game._scenarios import Scenario

Seeds: TypeAlias = int | Sequence[int] | NDArray[np.integer[Any]] | None


def check_learning(scenario: Scenario) -> None:
    """Refuse a scenario whose games can end before the learner has decided anything."""
    limit = scenario.turn_limit or 0
    if 0 < limit < scenario.players:
        raise MascaradeError(
            f"{scenario.name} ends after {limit} turns, but has {scenario.players} players, so a "
            f"learner might never decide; set turn_limit to {scenario.players} or more"
        )


def whole_numbers(values: ArrayLike, size: int) -> NDArray[np.integer[Any]]:
    """Return actions as an array of whole numbers, [size]."""
    array = plain_array(values)
    if array.shape != (size,) or array.dtype.kind not in "iu":
        raise IllegalActionError(
            f"actions must be an array of {size} whole numbers, one for each game, "
            f"not {kind_of(array)}"
        )
    return array


def kind_of(array: NDArray[Any]) -> str:
    """Return the dtype and shape of an array, for a message."""
    return f"{array.dtype} of shape {array.shape}"


def plain_array(values: ArrayLike) -> NDArray[Any]:
    """Return the values as a new array; if they do not form an array, one of dtype object."""
    try:
        return np.array(values, order="C")  # a copy: kernels need contiguous, writable arrays
    except ValueError:  # ragged
        return np.array(None)


def chosen_rows(rows: ArrayLike, size: int) -> NDArray[np.bool_]:
    """Return whether each row is chosen, [B]."""
    which = plain_array(rows)
    if which.shape != (size,) or which.dtype != np.bool_:
        raise MascaradeError(
            f"rows must be an array of {size} bools, one for each game, not {kind_of(which)}"
        )
    return which


def chosen_players(player: ArrayLike, size: int, players: int) -> NDArray[np.int64]:
    """Return a player for each of `size` games, 0..players-1 or -1 for no player, [B]."""
    given = plain_array(player)
    if given.dtype.kind not in "iu" or given.shape not in ((), (size,)):
        raise MascaradeError(
            f"a player must be one whole number, or {size} of them, one for each game, "
            f"not {kind_of(given)}"
        )
    wrong = given[(given < NOBODY) | (given >= players)]
    if wrong.size:
        raise MascaradeError(
            f"a player must be 0..{players - 1}, or -1 for no player, not {wrong.flat[0]}"
        )
    return np.broadcast_to(given, size).astype(np.int64)


def checked_series(series: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return a seed and a game number for each row, [B, 2], after checking them."""
    given = plain_array(series)
    if given.shape != (size, 2) or given.dtype != np.int64:
        raise MascaradeError(
            f"series must be an array of int64 of shape ({size}, 2), a seed and a game number for "
            f"each row, not {kind_of(given)}"
        )
    if (given < 0).any() or (given[:, 1] >= NO_EPISODE).any():
        raise MascaradeError(
            f"a row of series must be a seed of 0 or more and a game number 0..{NO_EPISODE - 1}"
        )
    return given


def row_seeds(seed: Seeds, size: int) -> NDArray[np.int64]:
    """Return a seed for each row, [B]; an empty array if `seed` is None."""
    if seed is None:
        return np.empty(0, np.int64)
    if isinstance(seed, list | tuple | range) or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != size:
            raise MascaradeError(
                f"seed must be one number, or {size} numbers, one for each game; not {len(seed)}"
            )
        return np.array([given_seed(entry) for entry in seed], np.int64)
    return series_seeds(given_seed(seed), size)
