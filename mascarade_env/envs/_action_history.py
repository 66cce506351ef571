"""The decisions of the games that a batch plays now.

With the seeds of the games they are all that it takes to play them again.
"""

from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError

_FIRST_ROOM = 64  # decisions of a game that there is room for at first


@final
class Histories:
    """Action ids of the games of B rows, since each was dealt.

    Args:
        rows: B.

    Attributes:
        lengths: [B] decisions in the game of each row.
    """

    def __init__(self, rows: int) -> None:
        self._actions = np.zeros((rows, _FIRST_ROOM), np.int16)
        self._rows = np.arange(rows)
        self.lengths = np.zeros(rows, np.int64)

    def add(self, actions: NDArray[Any]) -> None:
        """Append one decision to each row."""
        if self.lengths.max() == self._actions.shape[1]:
            self._actions = np.hstack([self._actions, np.zeros_like(self._actions)])
        self._actions[self._rows, self.lengths] = actions
        self.lengths += 1

    def forget(self, rows: NDArray[np.bool_]) -> None:
        """Begin again with no decision in some rows."""
        self.lengths[rows] = 0

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return copies of the lengths, and of all decisions one row after another."""
        held = np.arange(self._actions.shape[1]) < self.lengths[:, None]
        return {"lengths": self.lengths.copy(), "actions": self._actions[held]}

    @classmethod
    def of(
        cls, lengths: NDArray[np.int64], actions: NDArray[np.int16], longest: int
    ) -> "Histories":
        """Make histories of what `arrays` gave.

        Args:
            lengths: [B].
            actions: [sum of the lengths].
            longest: decisions that a game may have.

        Raises:
            MascaradeError: the lengths do not fit the decisions, or are out of bounds.
        """
        most = min(longest, len(actions))  # no length is so large that their sum could run over
        if not ((lengths >= 0) & (lengths <= most)).all() or lengths.sum() != len(actions):
            raise MascaradeError(
                f"these arrays are damaged: games of 0 to {longest} decisions cannot have "
                f"{len(actions)} in all with these lengths"
            )
        made = cls(len(lengths))
        room = max(_FIRST_ROOM, int(lengths.max()))
        made._actions = np.zeros((len(lengths), room), np.int16)
        made._actions[np.arange(room) < lengths[:, None]] = actions
        made.lengths = lengths.copy()
        return made

    def at(self, number: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Return which rows have a decision of this number, and the decisions, 0 for none."""
        there = self.lengths > number
        return there, np.where(there, self._actions[:, number], 0).astype(np.int64)
