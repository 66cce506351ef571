"""What was decided in games played in step, and what players may know of it, made on demand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import NDArray

from mascarade_env.game._game import Game
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._agent_view import AgentView

_NONE = -1


@dataclass
class _Followed:
    """A game of which views have been asked for."""

    game: Game
    played: int = 0  # decisions
    views: dict[int, AgentView] = field(default_factory=dict)  # by player


class Histories:
    """The decisions of games that are played in step, one of each at a time.

    Views need the game as a `Game`. It is played again, up to now, when a view is asked for.
    """

    def __init__(self, scenario: Scenario, seeds: NDArray[np.int64]) -> None:
        self._scenario = scenario
        self._seeds = seeds
        self._taken = np.empty((64, len(seeds)), np.int16)  # [decision, row]
        self._ticks = 0
        self._games: dict[int, _Followed] = {}

    def add(self, taken: NDArray[np.int64], rows: NDArray[np.bool_]) -> None:
        """Note one decision in each of some rows; a row that rests once rests for ever."""
        if self._ticks == len(self._taken):
            self._taken = np.concatenate([self._taken, np.empty_like(self._taken)])
        self._taken[self._ticks] = np.where(rows, taken, _NONE)
        self._ticks += 1

    def of(self, row: int) -> list[int]:
        """The decisions of a game so far, as ids."""
        taken = self._taken[: self._ticks, row]
        ids: list[int] = taken[taken != _NONE].tolist()
        return ids

    def view(self, row: int, player: int) -> AgentView:
        """What a player of a row may know now."""
        if row not in self._games:
            self._games[row] = _Followed(Game(self._scenario, seed=int(self._seeds[row])))
        followed = self._games[row]
        game, views = followed.game, followed.views
        since = self._taken[followed.played : self._ticks, row]
        for action in since[since != _NONE].tolist():
            game.play(action)
            followed.played += 1
        if player in views:
            game.tell(views[player])
        else:
            views[player] = game.view(player)
        return views[player]

    def views(self, rows: NDArray[np.int64], players: NDArray[np.int64]) -> "Views":
        """The views of a player of each of some rows."""

        def view(place: int) -> AgentView:
            return self.view(int(rows[place]), int(players[place]))

        return Views(view, range(len(rows)))

    def forget(self, row: int) -> None:
        """Give back the memory for views of a game that is over."""
        self._games.pop(row, None)


class Views(Sequence[AgentView]):
    """The views of players who decide; each is made when it is asked for.

    Agents are given these. No attribute here is a game or leads to one, so that no agent comes
    upon what its player may not know by the way. Python cannot keep out who means to break in.

    Args:
        view: makes the view that stands at a place.
        places: those that are in here.
    """

    def __init__(self, view: Callable[[int], AgentView], places: range) -> None:
        self._view = view
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> AgentView: ...
    @overload
    def __getitem__(self, place: slice) -> "Views": ...
    def __getitem__(self, place: int | slice) -> "AgentView | Views":
        if isinstance(place, slice):
            return Views(self._view, self._places[place])
        return self._view(self._places[place])
