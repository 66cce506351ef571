"""What an observation has about each slot, side by side, for a layer that reads all alike.

A layer that reads a whole observation must learn for each seat what a rich player is, or one who
is likely to hold the King. A network may have a layer beside it that reads one slot after the other
(`--slots`). For each it gets, in this order:

- the columns of the block `slots`;
- the viewer's belief of each mask, and the onlooker's, if the track has them;
- by each belief, the probability that the mask announced on this turn lies there.

From that come scores for the actions about a slot: to take from it, to target it.
"""

from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled
from mascarade_env.observation._schema import Schema

#: The blocks with the probability of each mask at each slot.
BELIEFS = ("own_belief", "onlooker_belief")


def slot_numbers(schema: Schema) -> dict[str, slice]:
    """Return where each part is among the numbers that are read of a slot.

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
    """Return how many numbers are read of each slot."""
    return max(int(part.stop) for part in slot_numbers(schema).values())


class _Layout(NamedTuple):
    """Where an observation has what is read.

    Attributes:
        columns: how many columns of the block `slots` are read.
        masks: how many masks there are.
        announced: the first place of the mask announced.
        beliefs: the first place of each belief.
    """

    columns: int
    masks: int
    announced: int
    beliefs: NDArray[np.int64]


@final
class SlotReader:
    """Reads observations slot by slot.

    Args:
        schema: of the observations.

    Attributes:
        shape: how many slots there are, and the numbers of each.
        takes: the action ids that are about the slots from 1 on, in their order; slot 0 is the
            player's own.
        targets: those about the seats from 1 on.
    """

    def __init__(self, schema: Schema) -> None:
        self.shape = (schema.slots, slot_width(schema))
        first = schema.slots + len(schema.masks) + 4  # as ids are laid out, see game/_actions.py
        self.takes = slice(0, schema.slots - 1)
        self.targets = slice(first, first + schema.seats - 1)
        beliefs = [schema.places[name].start for name in BELIEFS if name in schema.places]
        self._layout = _Layout(
            columns=schema.columns["said"].stop,
            masks=len(schema.masks),
            announced=schema.places["announced"].start,
            beliefs=np.array(beliefs, np.int64),
        )

    def __call__(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return [k, slots, numbers] from [k, D] observations."""
        numbers = np.empty((len(observation), *self.shape), np.float32)
        _read(observation, self._layout, numbers)
        return numbers


@compiled
def _read(observation: NDArray[np.float32], layout: _Layout, numbers: NDArray[np.float32]) -> None:
    columns, masks = layout.columns, layout.masks
    for row in range(observation.shape[0]):
        for slot in range(numbers.shape[1]):
            end = columns
            for column in range(columns):
                numbers[row, slot, column] = observation[row, slot * columns + column]
            for place in layout.beliefs:
                announced = np.float32(0)
                for mask in range(masks):
                    probability = observation[row, place + slot * masks + mask]
                    numbers[row, slot, end + mask] = probability
                    announced += probability * observation[row, layout.announced + mask]
                numbers[row, slot, end + masks] = announced
                end += masks + 1
