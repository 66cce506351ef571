"""Checks of what a batch is given."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError
from mascarade_env.game._rng import NO_EPISODE, given_seed
from mascarade_env.game._rng import row_seeds as series_seeds
from mascarade_env.game._scenarios import Scenario

Seeds: TypeAlias = int | Sequence[int] | NDArray[np.integer[Any]] | None


def check_learning(scenario: Scenario) -> None:
    """Refuse a scenario whose games can be over before a learner has decided anything."""
    limit = scenario.turn_limit or 0
    if 0 < limit < scenario.players:
        raise MascaradeError(
            f"{scenario.name} ends after {limit} turns, before all players had one: "
            "a learner might never decide; use a longer turn_limit"
        )


def whole_numbers(values: ArrayLike, size: int) -> NDArray[np.integer[Any]]:
    array = plain_array(values)
    if array.shape != (size,) or array.dtype.kind not in "iu":
        raise IllegalActionError(
            f"actions is an array of {size} whole numbers, one a game, not {kind_of(array)}"
        )
    return array


def kind_of(array: NDArray[Any]) -> str:
    return f"{array.dtype} of shape {array.shape}"


def plain_array(values: ArrayLike) -> NDArray[Any]:
    """Return a new array, with what cannot be one as an array of an object."""
    try:
        return np.array(values, order="C")  # not another's: kernels need whole, writable arrays
    except ValueError:  # ragged
        return np.array(None)


def chosen_rows(rows: ArrayLike, size: int) -> NDArray[np.bool_]:
    """Return [B] the rows chosen."""
    which = plain_array(rows)
    if which.shape != (size,) or which.dtype != np.bool_:
        raise MascaradeError(f"rows is an array of {size} bools, one a game, not {kind_of(which)}")
    return which


def checked_series(series: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return [B, 2] as `series`, if such games can be dealt."""
    given = plain_array(series)
    if given.shape != (size, 2) or given.dtype != np.int64:
        raise MascaradeError(
            f"series is an array of int64 of shape ({size}, 2), a seed and a number for "
            f"each game, not {given.dtype} of shape {given.shape}"
        )
    if (given < 0).any() or (given[:, 1] >= NO_EPISODE).any():
        raise MascaradeError(
            f"a series is a seed of 0 or more, and the number of a game from 0 to {NO_EPISODE - 1}"
        )
    return given


def row_seeds(seed: Seeds, size: int) -> NDArray[np.int64]:
    """Return a seed for each row, or none at all."""
    if seed is None:
        return np.empty(0, np.int64)
    if isinstance(seed, list | tuple | range) or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != size:
            raise MascaradeError(f"seed has {len(seed)} entries for {size} games")
        return np.array([given_seed(entry) for entry in seed], np.int64)
    return series_seeds(given_seed(seed), size)
