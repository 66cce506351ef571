"""The events of a game in order, in an array that grows at its end."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mascarade_env.game._events import EVENT, LOG_SIZE

# Events as plain bytes: NumPy copies arrays with fields one field at a time, which is slow.
_BYTES = np.dtype((np.void, EVENT.itemsize))


class EventBuffer:
    """Events in the order in which they happened.

    Adding events costs time by their number, however many came before. What `events` returned
    stays as it is.
    """

    __slots__ = ("_count", "_room")

    def __init__(self) -> None:
        self._room = np.zeros(8 * LOG_SIZE, _BYTES)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def events(self) -> NDArray[Any]:
        """The events so far, an array of EVENT that is read-only."""
        found = self._room[: self._count].view(EVENT)
        found.flags.writeable = False
        return found

    def seen_by(self, viewers: int, first: int = 0) -> NDArray[Any]:
        """Return the events from the first on that one of a bit set of viewers sees."""
        fresh = self.events[first:]
        return fresh.view(_BYTES)[(fresh["seen_by"] & viewers) != 0].view(EVENT)

    def add(self, fresh: NDArray[Any]) -> None:
        """Add events at the end, from a contiguous array."""
        end = self._count + len(fresh)
        if end > len(self._room):
            longer = np.zeros(2 * end, _BYTES)
            longer[: self._count] = self._room[: self._count]
            self._room = longer
        self._room[self._count : end] = fresh.view(_BYTES)
        self._count = end

    def copy(self) -> Self:
        """Return a buffer that continues independently; it shares memory until it grows."""
        twin = object.__new__(type(self))
        twin._room = self._room[: self._count]  # no spare room: the first event moves it
        twin._count = self._count
        return twin
