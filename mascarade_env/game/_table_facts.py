"""Public facts about the table, which `Game` and `AgentView` share."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from mascarade_env.game import _actions as actions
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import NOBODY, OVER, PHASES, Rows, slots_under_table
from mascarade_env.game._scenarios import Scenario


class TableFacts(ABC):
    """What all players see of a table, read from one element of GAME or FACTS."""

    __slots__ = ()

    scenario: Scenario

    # An array whose first row is one of GAME or of FACTS.
    _rows: Rows

    @abstractmethod
    def legal_ids(self) -> list[int]:
        """Return the legal actions as ids, ascending."""

    @property
    def over(self) -> bool:
        """Whether the game has ended, by a win or at the turn limit."""
        return bool(self._rows["phase"][0] == OVER)

    @property
    def phase(self) -> str:
        """The kind of the next decision, for example "turn" or "challenge"; "over" at the end."""
        return PHASES[self._rows["phase"][0]]

    @property
    def num_actions(self) -> int:
        """The number of action ids of the scenario."""
        return int(actions.count_ids(self._rows[0]))

    def legal_mask(self) -> NDArray[np.int8]:
        """Return the action mask, [num_actions]: 1 for each legal id, else 0."""
        mask = np.zeros(self.num_actions, np.int8)
        mask[self.legal_ids()] = 1
        return mask

    @property
    def turn(self) -> int:
        """The number of turns that have ended."""
        return int(self._rows["turn"][0])

    @property
    def marker(self) -> int:
        """The seat whose turn it is."""
        return int(self._rows["marker"][0])

    @property
    def coins(self) -> list[int]:
        """The coins on each seat."""
        return self._by_seat("coins")

    @property
    def tribunal(self) -> int:
        """The coins on the tribunal."""
        return int(self._rows["tribunal"][0])

    @property
    def player_at(self) -> list[int]:
        """The player on each seat."""
        return self._by_seat("player_at")

    @property
    def barred(self) -> list[int]:
        """The players who may not announce on this turn (rules 4.3)."""
        return self._members("barred")

    @property
    def claims(self) -> list[int]:
        """The seats that have claimed the announced mask so far."""
        return self._members("claims")

    @property
    def under_table(self) -> tuple[int, int] | None:
        """The two slots whose masks are under the table, None if there are none."""
        return slots_under_table(self._rows[0])

    @property
    def announced(self) -> str | None:
        """The id of the mask announced on this turn, None if there is none."""
        mask = int(self._rows["announced"][0])
        return None if mask == NOBODY else MASK_IDS[mask]

    def _by_seat(self, field: str) -> list[int]:
        values: list[int] = self._rows[field][0, : self.scenario.players].tolist()
        return values

    def _members(self, field: str) -> list[int]:
        members = int(self._rows[field][0])
        return [member for member in range(self.scenario.players) if members >> member & 1]
