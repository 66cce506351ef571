"""Explain why a value is not in a space, and find the action mask."""

from collections.abc import Mapping
from typing import Any

import gymnasium.spaces
import numpy as np
from numpy.typing import NDArray

from mascarade_env.testing._compare import difference
from mascarade_env.testing._errors import Where

MASK = "action_mask"


def outside(space: gymnasium.Space[Any], value: Any, at: str = "it") -> str | None:
    """Explain why a value is not in a space, dtype included; return None if it is in it."""
    if isinstance(space, gymnasium.spaces.Dict):
        if not isinstance(value, dict) or set(value) != set(space.spaces):
            keys = list(value) if isinstance(value, dict) else type(value).__name__
            return f"{at} has {keys}, but the space has the keys {list(space.spaces)}"
        problems = (
            outside(part, value[key], f"{at}[{key!r}]") for key, part in space.spaces.items()
        )
        return next((words for words in problems if words is not None), None)
    if isinstance(space, gymnasium.spaces.Box):
        return _outside_box(space, value, at)
    return None if space.contains(value) else f"{at} is {value!r}, not in {space}"


def _outside_box(space: gymnasium.spaces.Box, value: Any, at: str) -> str | None:
    if not isinstance(value, np.ndarray):
        return f"{at} is of type {type(value).__name__}, not an array"
    if value.dtype != space.dtype or value.shape != space.shape:
        return (
            f"{at} is {value.dtype} of shape {value.shape}, but the space is {space.dtype} of "
            f"shape {space.shape}"
        )
    wrong = ~((value >= space.low) & (value <= space.high))  # NaN is wrong too
    if not wrong.any():
        return None
    place = tuple(int(number) for number in np.argwhere(wrong)[0])
    low, high = space.low[place], space.high[place]
    return f"{at}{list(place)} is {value[place]}, outside {low}..{high}"


def mask_of(
    where: Where,
    observation: Any,
    info: Mapping[str, Any],
    shape: tuple[int, ...],
    player: str | None = None,
) -> NDArray[np.int8]:
    """Find the action mask in the observation or the info, check it, and return it.

    Raises:
        ConformanceError: there is no mask, there are two different masks, or the mask is not an
            array of zeros and ones with the type int8 and this shape.
    """
    in_observation = observation.get(MASK) if isinstance(observation, dict) else None
    in_info = info.get(MASK)
    mask = in_info if in_observation is None else in_observation
    if mask is None:
        raise where.error(
            f'neither the observation nor the info has the key "{MASK}"',
            "Put the action mask there.",
            player,
        )
    both = in_observation is not None and in_info is not None
    if both and (differs := difference(in_observation, in_info)):
        raise where.error(
            f"the action masks in the observation and in the info differ: {differs}",
            "Return equal masks.",
            player,
        )
    if not isinstance(mask, np.ndarray) or mask.dtype != np.int8 or mask.shape != shape:
        got = f"{mask.dtype} of shape {mask.shape}" if isinstance(mask, np.ndarray) else repr(mask)
        raise where.error(
            f"the action mask is {got}", f"It must be an array of int8 of shape {shape}.", player
        )
    if not np.isin(mask, (0, 1)).all():
        raise where.error(
            f"the action mask holds the numbers {sorted(set(mask.ravel().tolist()))}",
            "It must be 1 for each legal action and 0 for all other actions.",
            player,
        )
    return mask
