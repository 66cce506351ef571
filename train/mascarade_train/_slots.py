"""The numbers of an observation about each slot, side by side, for a layer that reads every slot.

A slot is a place for a mask: a seat, or a place in the centre. A layer that reads a whole
observation must learn separately for each seat how to recognise a rich player. `--slots` adds a
layer that reads every slot with the same weights. For each slot it reads, in this order:

- the columns of the block `slots`;
- if the track has beliefs, the viewer's belief: for each mask, the probability that it is in this
  slot; then the probability that the mask announced on this turn is in this slot;
- the same numbers from the belief of an onlooker, who sees only public events.

The output gives scores for the actions that name a slot: to take its mask, or to target its player.
"""

from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled
from mascarade_env.observation._schema import Schema

#: The blocks that hold the probability of each mask in each slot.
BELIEFS = ("own_belief", "onlooker_belief")


def slot_numbers(schema: Schema) -> dict[str, slice]:
    """Return the place of each part in the numbers of a slot.

    Returns:
        A slice for each part, by name: "columns", the columns that are equal in every scenario;
        "said", with a number for each mask; and each belief, with a number for each mask and then
        the probability of the announced mask.
    """
    masks, end = len(schema.masks), schema.columns["said"].start
    parts = {"columns": slice(end)}
    for name in ("said", *BELIEFS):
        if name == "said" or name in schema.places:
            width = masks + (name != "said")
            parts[name] = slice(end, end + width)
            end += width
    return parts


def slot_width(schema: Schema) -> int:
    """Return the count of numbers for each slot."""
    return max(int(part.stop) for part in slot_numbers(schema).values())


class _Layout(NamedTuple):
    """Places in an observation.

    Attributes:
        columns: the number of columns of the block `slots`.
        masks: the number of masks.
        announced: the first index of the block `announced`.
        beliefs: the first index of each belief.
    """

    columns: int
    masks: int
    announced: int
    beliefs: NDArray[np.int64]


@final
class SlotReader:
    """Reads observations slot by slot.

    Args:
        schema: the layout of the observations.

    Attributes:
        shape: the number of slots, and the count of numbers for each.
        takes: the ids of the actions that take the mask from slot 1, 2, ... Slot 0 is the acting
            player's seat.
        targets: the ids of the actions that target the player on seat 1, 2, ...
    """

    def __init__(self, schema: Schema) -> None:
        self.shape = (schema.slots, slot_width(schema))
        first = schema.slots + len(schema.masks) + 4  # follows the ids in game/_actions.py
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
        """Return the numbers of each slot, [k, slots, numbers], from observations [k, D]."""
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
