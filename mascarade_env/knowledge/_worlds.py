"""A belief as the placements that are possible."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env.game._masks import mask_number


class Worlds(NamedTuple):
    """A neutral belief (rules 8) as the placements that are possible.

    Attributes:
        placements: [W, slots] numbers of masks in `MASKS`, the slots as they are numbered.
        weights: [W] their probabilities, which sum to 1.
        exact: whether these are all; False once there were too many to keep.
    """

    placements: NDArray[np.int8]
    weights: NDArray[np.float64]
    exact: bool


def placements(keys: NDArray[np.int64], slots: int, masks: tuple[str, ...]) -> NDArray[np.int8]:
    """Return [W, slots] the numbers of the masks in W worlds.

    Args:
        keys: [W] of the worlds.
        slots: of the scenario.
        masks: the mask of each column.
    """
    numbers = np.array([mask_number(mask) for mask in masks], np.int8)
    return numbers[(keys[:, None] >> 4 * np.arange(slots)) & 15]
