"""Checks of what a batch is given."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError
from mascarade_env.game._scenarios import Scenario


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
    """A new array, with what cannot be one as an array of an object."""
    try:
        return np.array(values, order="C")  # not another's: kernels need whole, writable arrays
    except ValueError:  # ragged
        return np.array(None)
