"""Sample histories of a game that look the same to one viewer as the true history.

A history is the list of all decisions. Sampled histories differ from the true history in the swaps
and keeps that the viewer did not see. They are sampled backwards. First a world is sampled from the
viewer's belief now. Then each hidden decision is sampled, from the last to the first: a swap or a
keep. Two worlds are possible before it; their weights in the viewer's belief at that moment give
the probabilities. So each history is sampled with its exact neutral probability.
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
    """R returns: decisions by which two masks came back from under the table."""

    slots: NDArray[np.int64]  # [R, 2] the two slots
    kinds: NDArray[np.int64]  # [R] _OWN_KEEP, _OWN_SWAP, or _OTHERS: hidden from the viewer
    begins: NDArray[np.int64]  # [R + 1] where in `keys` the worlds before each return begin
    keys: NDArray[np.int64]  # the keys of the viewer's worlds before each return, sorted
    weights: NDArray[np.float64]  # their weights


def courses(
    replay: Replay, taken: Sequence[int], viewer: int, count: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return sampled histories as action ids, [count, decisions].

    Args:
        replay: a replay at the start of the game.
        taken: the decisions that were taken, as ids.
        viewer: the viewer's number; the number of players for the onlooker.
        count: the number of histories to sample.
        rng: the random generator that samples them.

    Raises:
        MascaradeError: the belief was thinned, and no history fits the worlds that it kept.
    """
    swap = replay.swap_id
    drawn = np.repeat(np.array(taken, np.int64)[None, :], count, axis=0)
    numbers: list[int] = []  # indices of the decisions by which masks came back
    slots: list[tuple[int, int]] = []
    kinds: list[int] = []
    keys: list[NDArray[np.int64]] = []  # keys of the viewer's worlds before each return, sorted
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
                "cannot sample a history that fits all that this viewer has seen: more than "
                f"{replay.follower.most_worlds} placements were possible, and the ones that "
                "the belief kept do not fit; sample for another viewer, or earlier in the game"
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
    """Sample one history that ends in each of the given worlds.

    A history is, for each return of two masks, whether it was a swap or a keep.

    Args:
        returns: R returns of masks.
        ends: [K] keys of worlds now.
        draws: [K, R] uniform random numbers.
        swaps: [K, R] the result, written by this function.

    Returns:
        False if no history fits.
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
    """Return the weight of a world before a return of masks; 0 if the world was impossible."""
    low, end = int(returns.begins[r]), int(returns.begins[r + 1])
    high = end
    while low < high:
        middle = (low + high) // 2
        if returns.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return returns.weights[low] if low < end and returns.keys[low] == key else 0.0
