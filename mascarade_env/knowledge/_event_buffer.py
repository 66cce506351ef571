"""The events of a game in order, in an array that grows at its end."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mascarade_env.game._events import EVENT, LOG_SIZE

# Events as plain bytes, because NumPy copies structured arrays field by field, which is slow.
_BYTES = np.dtype((np.void, EVENT.itemsize))


class EventBuffer:
    """Events in the order in which they happened.

    The time to add events does not grow with the number of events in the buffer. An array that
    `events` has returned does not change.
    """

    __slots__ = ("_count", "_room")

    def __init__(self) -> None:
        self._room = np.zeros(8 * LOG_SIZE, _BYTES)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def events(self) -> NDArray[Any]:
        """The events so far, a read-only array of EVENT."""
        so_far = self._room[: self._count].view(EVENT)
        so_far.flags.writeable = False
        return so_far

    def seen_by(self, viewers: int, first: int = 0) -> NDArray[Any]:
        """Return the events, from index `first` on, that at least one of these viewers sees.

        `viewers` is a bit set.
        """
        fresh = self.events[first:]
        return fresh.view(_BYTES)[(fresh["seen_by"] & viewers) != 0].view(EVENT)

    def add(self, fresh: NDArray[Any]) -> None:
        """Append the events of a contiguous array."""
        end = self._count + len(fresh)
        if end > len(self._room):
            longer = np.zeros(2 * end, _BYTES)
            longer[: self._count] = self._room[: self._count]
            self._room = longer
        self._room[self._count : end] = fresh.view(_BYTES)
        self._count = end

    def copy(self) -> Self:
        """Return an independent copy, which shares memory until it grows."""
        twin = object.__new__(type(self))
        twin._room = self._room[: self._count]  # no spare room, so the first new event makes a copy
        twin._count = self._count
        return twin
