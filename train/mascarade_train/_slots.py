"""What an observation says of each slot, side by side: to be read by the same weights.

A layer that reads a whole observation has to learn for every seat anew what a rich player is, or
one who is likely to hold the King. A network may have a layer beside it that reads one slot after
the other (`--slots`). For each it gets, in this order:

- the columns of the block `slots`;
- the viewer's belief of each mask, and the onlooker's, if the track has them;
- by each belief, the probability that the mask announced on this turn lies there.

From that come scores for the actions that are about a slot: to take from it, to target it.
"""

from typing import final

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled
from mascarade_env.observation._schema import Schema

#: The blocks with the chance of each mask at each slot.
BELIEFS = ("own_belief", "onlooker_belief")


def slot_numbers(schema: Schema) -> dict[str, slice]:
    """What is read of each slot: where it stands among these numbers.

    Returns:
        "columns" for those that are alike in every scenario; then, by mask, "said" and the beliefs,
        each of which ends with the probability of the mask announced.
    """
    masks, end = len(schema.masks), schema.columns["said"].start
    found = {"columns": slice(end)}
    for name in ("said", *BELIEFS):
        if name == "said" or name in schema.places:
            width = masks + (name != "said")
            found[name] = slice(end, end + width)
            end += width
    return found


def slot_width(schema: Schema) -> int:
    """How many numbers are read of each slot."""
    return max(int(part.stop) for part in slot_numbers(schema).values())


@final
class SlotReader:
    """Reads observations slot by slot.

    Args:
        schema: of the observations.

    Attributes:
        shape: how many slots there are, and the numbers of each.
        takes: the action ids that are about the slots from 1 on, in their order; slot 0 is one's
            own.
        targets: those about the seats from 1 on.
    """

    def __init__(self, schema: Schema) -> None:
        self.shape = (schema.slots, slot_width(schema))
        first = schema.slots + len(schema.masks) + 4  # as ids are laid out, see game/_actions.py
        self.takes = slice(0, schema.slots - 1)
        self.targets = slice(first, first + schema.seats - 1)
        self._columns = schema.columns["said"].stop
        self._masks = len(schema.masks)
        self._announced = schema.places["announced"].start
        self._beliefs = np.array(
            [schema.places[name].start for name in BELIEFS if name in schema.places], np.int64
        )

    def __call__(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """[k, slots, numbers] of [k, D] observations."""
        found = np.empty((len(observation), *self.shape), np.float32)
        _read(observation, self._columns, self._masks, self._announced, self._beliefs, found)
        return found


@compiled
def _read(
    observation: NDArray[np.float32],
    columns: int,
    masks: int,
    announced: int,
    beliefs: NDArray[np.int64],
    found: NDArray[np.float32],
) -> None:
    for row in range(observation.shape[0]):
        for slot in range(found.shape[1]):
            end = columns
            for column in range(columns):
                found[row, slot, column] = observation[row, slot * columns + column]
            for kind in range(beliefs.shape[0]):
                there = np.float32(0)
                for mask in range(masks):
                    chance = observation[row, beliefs[kind] + slot * masks + mask]
                    found[row, slot, end + mask] = chance
                    there += chance * observation[row, announced + mask]
                found[row, slot, end + masks] = there
                end += masks + 1
