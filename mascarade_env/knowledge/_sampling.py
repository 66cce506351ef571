"""Other courses that a game may have taken, as far as one viewer can know.

What others did with the masks under the table is drawn backwards: first a world as it may be now,
then for each swap or keep, the last first, whether it was a swap, by how likely the viewer held
the two worlds before it. So each course is drawn by its exact probability.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._jit import compiled
from mascarade_env.game._replay import Replay
from mascarade_env.knowledge._beliefs import swapped

_OWN_KEEP, _OWN_SWAP, _OTHERS = range(3)


def courses(
    replay: Replay, taken: Sequence[int], viewer: int, count: int, chance: np.random.Generator
) -> NDArray[np.int64]:
    """Decisions that may have been taken instead, one row a course.

    Args:
        replay: at the start of the game.
        taken: the decisions that were taken, as ids.
        viewer: who knows; the number of players is the onlooker.
        count: how many courses.
        chance: draws them.
    """
    swap = replay.swap_id
    drawn = np.repeat(np.array(taken, np.int64)[None, :], count, axis=0)
    returns: list[int] = []  # decisions by which masks came back
    slots: list[tuple[int, int]] = []
    kinds: list[int] = []
    keys: list[NDArray[np.int64]] = []  # of the viewer's worlds before each, sorted
    weights: list[NDArray[np.float64]] = []
    for number, action in enumerate(taken):
        if (pair := replay.under_table) is not None:
            own = replay.player == viewer
            returns.append(number)
            slots.append(pair)
            kinds.append((_OWN_SWAP if action == swap else _OWN_KEEP) if own else _OTHERS)
            held = replay.follower.held(viewer)
            order = np.argsort(held["key"])
            keys.append(held["key"][order])
            weights.append(held["weight"][order])
        replay.take([action])
    held = replay.follower.held(viewer)
    ends = chance.choice(len(held), size=count, p=held["weight"] / held["weight"].sum())
    if returns:
        bits = np.zeros((count, len(returns)), np.bool_)
        found = _go_back(
            held["key"][ends],
            np.array(slots),
            np.array(kinds),
            np.cumsum([0, *map(len, keys)]),
            np.concatenate(keys),
            np.concatenate(weights),
            chance.random(bits.shape),
            bits,
        )
        if not found:
            raise MascaradeError(
                "what this viewer has seen has become improbable beyond what was kept of the "
                f"more than {replay.follower.most_worlds} possible worlds; no course fits"
            )
        drawn[:, returns] = np.where(bits, swap, swap + 1)
    return drawn


@compiled
def _go_back(
    ends: NDArray[np.int64],
    slots: NDArray[np.int64],
    kinds: NDArray[np.int64],
    begins: NDArray[np.int64],
    keys: NDArray[np.int64],
    weights: NDArray[np.float64],
    chances: NDArray[np.float64],
    bits: NDArray[np.bool_],
) -> bool:
    """Draw for each end whether each return of masks was a swap; False if none fits."""
    for k in range(len(ends)):
        key = int(ends[k])
        for r in range(len(kinds) - 1, -1, -1):
            twin = swapped(key, slots[r, 0], slots[r, 1])
            if kinds[r] == _OTHERS:
                kept = _weight(keys, weights, begins[r], begins[r + 1], key)
                moved = _weight(keys, weights, begins[r], begins[r + 1], twin)
                if kept + moved == 0.0:
                    return False
                bits[k, r] = chances[k, r] * (kept + moved) < moved
            else:
                bits[k, r] = kinds[r] == _OWN_SWAP
            if bits[k, r]:
                key = twin
    return True


@compiled
def _weight(
    keys: NDArray[np.int64], weights: NDArray[np.float64], first: int, end: int, key: int
) -> float:
    """The weight of a world among sorted ones, 0 if it is not there."""
    low, high = int(first), int(end)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return weights[low] if low < end and keys[low] == key else 0.0
