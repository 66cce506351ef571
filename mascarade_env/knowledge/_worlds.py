"""A belief as a list of possible placements with their probabilities."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env.game._masks import mask_number


class Worlds(NamedTuple):
    """A neutral belief (rules 8) as W possible placements of the masks, with probabilities.

    A possible placement is also called a world.

    Attributes:
        placements: [W, slots] the mask at each slot, as an index of `MASKS`.
        weights: [W] the probabilities of the placements, which sum to 1.
        exact: whether these are all possible placements. It is False if placements were dropped
            since the deal, because there were too many.
    """

    placements: NDArray[np.int8]
    weights: NDArray[np.float64]
    exact: bool


def placements(keys: NDArray[np.int64], slots: int, masks: tuple[str, ...]) -> NDArray[np.int8]:
    """Return the mask numbers of W worlds, [W, slots].

    Args:
        keys: [W] the keys of the worlds, see WORLD.
        slots: the number of slots of the scenario.
        masks: the id of the mask of each column.
    """
    numbers = np.array([mask_number(mask) for mask in masks], np.int8)
    return numbers[(keys[:, None] >> 4 * np.arange(slots)) & 15]
