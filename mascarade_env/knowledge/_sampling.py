"""Other courses that a game may have taken, as far as one viewer can know.

What others did with the masks under the table is drawn backwards: first a world as it may be now,
then for each swap or keep, the last first, whether it was a swap, by how likely the viewer held
the two worlds before it. So each course is drawn by its exact probability.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._jit import compiled
from mascarade_env.game._replay import Replay
from mascarade_env.knowledge._beliefs import swapped

_OWN_KEEP, _OWN_SWAP, _OTHERS = range(3)


class _Returns(NamedTuple):
    """R returns of masks from under the table."""

    slots: NDArray[np.int64]  # [R, 2]
    kinds: NDArray[np.int64]  # [R] what the viewer knows: _OWN_KEEP, _OWN_SWAP, _OTHERS
    begins: NDArray[np.int64]  # [R + 1] where the viewer's worlds before each begin
    keys: NDArray[np.int64]  # of these worlds, sorted for each
    weights: NDArray[np.float64]


def courses(
    replay: Replay, taken: Sequence[int], viewer: int, count: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Decisions that may have been taken instead, one row a course.

    Args:
        replay: at the start of the game.
        taken: the decisions that were taken, as ids.
        viewer: who knows; the number of players is the onlooker.
        count: how many courses.
        rng: draws them.
    """
    swap = replay.swap_id
    drawn = np.repeat(np.array(taken, np.int64)[None, :], count, axis=0)
    numbers: list[int] = []  # of the decisions by which masks came back
    slots: list[tuple[int, int]] = []
    kinds: list[int] = []
    keys: list[NDArray[np.int64]] = []  # of the viewer's worlds before each, sorted
    weights: list[NDArray[np.float64]] = []
    for number, action in enumerate(taken):
        if (pair := replay.under_table) is not None:
            own = replay.player == viewer
            numbers.append(number)
            slots.append(pair)
            kinds.append((_OWN_SWAP if action == swap else _OWN_KEEP) if own else _OTHERS)
            held = replay.follower.held(viewer)
            order = np.argsort(held["key"])
            keys.append(held["key"][order])
            weights.append(held["weight"][order])
        replay.take([action])
    held = replay.follower.held(viewer)
    ends = rng.choice(len(held), size=count, p=held["weight"] / held["weight"].sum())
    if numbers:
        swaps = np.zeros((count, len(numbers)), np.bool_)
        returns = _Returns(
            slots=np.array(slots),
            kinds=np.array(kinds),
            begins=np.cumsum([0, *map(len, keys)]),
            keys=np.concatenate(keys),
            weights=np.concatenate(weights),
        )
        if not _go_back(returns, held["key"][ends], rng.random(swaps.shape), swaps):
            raise MascaradeError(
                "what this viewer has seen has become improbable beyond what was kept of the "
                f"more than {replay.follower.most_worlds} possible worlds; no course fits"
            )
        drawn[:, numbers] = np.where(swaps, swap, swap + 1)
    return drawn


@compiled
def _go_back(
    returns: _Returns,
    ends: NDArray[np.int64],
    draws: NDArray[np.float64],
    swaps: NDArray[np.bool_],
) -> bool:
    """Draw for each end whether each return of masks was a swap.

    Args:
        returns: R of them.
        ends: [K] worlds as they are now.
        draws: [K, R] uniform random numbers.
        swaps: [K, R] to write to.

    Returns:
        False if no course fits.
    """
    for k in range(len(ends)):
        key = int(ends[k])
        for r in range(len(returns.kinds) - 1, -1, -1):
            twin = swapped(key, returns.slots[r, 0], returns.slots[r, 1])
            if returns.kinds[r] == _OTHERS:
                kept, moved = _weight(returns, r, key), _weight(returns, r, twin)
                if kept + moved == 0.0:
                    return False
                swaps[k, r] = draws[k, r] * (kept + moved) < moved
            else:
                swaps[k, r] = returns.kinds[r] == _OWN_SWAP
            if swaps[k, r]:
                key = twin
    return True


@compiled
def _weight(returns: _Returns, r: int, key: int) -> float:
    """Return the weight of a world before a return of masks, 0 if it was not possible."""
    low, end = int(returns.begins[r]), int(returns.begins[r + 1])
    high = end
    while low < high:
        middle = (low + high) // 2
        if returns.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return returns.weights[low] if low < end and returns.keys[low] == key else 0.0
