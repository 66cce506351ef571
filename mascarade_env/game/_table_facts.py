"""What everyone can see of a table, for `Game` and `AgentView` alike."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from mascarade_env.game import _actions as actions
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import NOBODY, OVER, PHASES, Rows, slots_under_table
from mascarade_env.game._scenarios import Scenario


class TableFacts(ABC):
    """A table as everyone sees it, read from the row of a game or from facts about it."""

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
        """What kind of decision is asked for, such as "turn" or "challenge"; "over" at the end."""
        return PHASES[self._rows["phase"][0]]

    @property
    def num_actions(self) -> int:
        """How many action ids the scenario has."""
        return int(actions.count_ids(self._rows[0]))

    def legal_mask(self) -> NDArray[np.int8]:
        """One entry per action id, 1 where it is legal."""
        mask = np.zeros(self.num_actions, np.int8)
        mask[self.legal_ids()] = 1
        return mask

    @property
    def turn(self) -> int:
        """Turns already ended."""
        return int(self._rows["turn"][0])

    @property
    def marker(self) -> int:
        """The seat whose turn it is."""
        return int(self._rows["marker"][0])

    @property
    def coins(self) -> list[int]:
        """The fortune on each seat."""
        return self._by_seat("coins")

    @property
    def tribunal(self) -> int:
        """Coins on the tribunal."""
        return int(self._rows["tribunal"][0])

    @property
    def player_at(self) -> list[int]:
        """The player on each seat."""
        return self._by_seat("player_at")

    @property
    def barred(self) -> list[int]:
        """Players who may not announce on this turn (rules 4.3)."""
        return self._members("barred")

    @property
    def claims(self) -> list[int]:
        """Seats that have claimed the announced mask so far."""
        return self._members("claims")

    @property
    def under_table(self) -> tuple[int, int] | None:
        """The slots whose masks are about to come back from under the table, if any are."""
        return slots_under_table(self._rows[0])

    @property
    def announced(self) -> str | None:
        """The mask announced this turn, if any."""
        mask = int(self._rows["announced"][0])
        return None if mask == NOBODY else MASK_IDS[mask]

    def _by_seat(self, field: str) -> list[int]:
        values: list[int] = self._rows[field][0, : self.scenario.players].tolist()
        return values

    def _members(self, field: str) -> list[int]:
        members = int(self._rows[field][0])
        return [member for member in range(self.scenario.players) if members >> member & 1]
