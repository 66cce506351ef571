"""The decisions of the games that a batch plays now, and the views that are made of them.

A batch follows what its players may know for all rows at once and keeps no events, so it has no
views. With the seeds of the games, their decisions are all that it takes to play them again: when
a view is asked for, the game is played again as a `Game`, up to now, and followed from there on.
This is slower than observations by far, so only policies that need views are given any.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, final, overload

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._policies.protocol import Policy, Positions
from mascarade_env.game._batch import Batch
from mascarade_env.game._game import Game
from mascarade_env.knowledge._agent_view import AgentView

_FIRST_ROOM = 64  # decisions of a game that there is room for at first


@dataclass
class _Followed:
    """A game of which views have been asked for."""

    game: Game
    played: int = 0  # decisions
    views: dict[int, AgentView] = field(default_factory=dict)  # by player


@final
class Histories:
    """The action ids of the games of a batch, since each was dealt.

    Args:
        batch: the games. Whoever steps it must add all decisions, and forget rows that are dealt
            again.

    Attributes:
        lengths: [B] decisions in the game of each row.
    """

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._actions = np.zeros((len(batch), _FIRST_ROOM), np.int16)
        self._rows = np.arange(len(batch))
        self._followed: dict[int, _Followed] = {}
        self.lengths = np.zeros(len(batch), np.int64)

    def add(self, actions: NDArray[Any], rows: NDArray[np.bool_] | None = None) -> None:
        """Append one decision to each row, or to some.

        Args:
            actions: [B] ids as the batch has them.
            rows: [B] where there was a decision; everywhere by default.
        """
        if self.lengths.max() == self._actions.shape[1]:
            self._actions = np.hstack([self._actions, np.zeros_like(self._actions)])
        decided = self._rows if rows is None else np.flatnonzero(rows)
        self._actions[decided, self.lengths[decided]] = actions[decided]
        self.lengths[decided] += 1

    def forget(self, rows: NDArray[np.bool_]) -> None:
        """Begin again with no decision in some rows, given as [B] of bool."""
        self.lengths[rows] = 0
        self.drop_views(rows)

    def drop_views(self, rows: NDArray[np.bool_]) -> None:
        """Free the memory of views of some rows, given as [B] of bool; decisions are kept."""
        if self._followed:
            for row in np.flatnonzero(rows).tolist():
                self._followed.pop(row, None)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return copies of the lengths, and of all decisions one row after another."""
        held = np.arange(self._actions.shape[1]) < self.lengths[:, None]
        return {"lengths": self.lengths.copy(), "actions": self._actions[held]}

    def restore(self, lengths: NDArray[np.int64], actions: NDArray[np.int16], longest: int) -> None:
        """Replace all decisions by what `arrays` gave.

        Args:
            lengths: [B].
            actions: [sum of the lengths].
            longest: decisions that a game may have.

        Raises:
            MascaradeError: the lengths do not fit the decisions, or are out of bounds. Nothing has
                changed.
        """
        most = min(longest, len(actions))  # no length is so large that their sum could run over
        if not ((lengths >= 0) & (lengths <= most)).all() or lengths.sum() != len(actions):
            raise MascaradeError(
                f"these arrays are damaged: games of 0 to {longest} decisions cannot have "
                f"{len(actions)} in all with these lengths"
            )
        room = max(_FIRST_ROOM, int(lengths.max()))
        held = np.zeros((len(lengths), room), np.int16)
        held[np.arange(room) < lengths[:, None]] = actions
        self._actions, self.lengths = held, lengths.copy()
        self._followed.clear()

    def at(self, number: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Return which rows have a decision of this number, and the decisions, 0 for none."""
        there = self.lengths > number
        return there, np.where(there, self._actions[:, number], 0).astype(np.int64)

    def of(self, row: int) -> list[int]:
        """Return the decisions of a row, as ids of `Game`."""
        return self._since(row, 0)

    def game(self, row: int) -> Game:
        """Return the game of a row, played again up to now."""
        game = Game(self._batch.scenario, seed=int(self._batch.state["seed"][row]))
        for action in self.of(row):
            game.play(action)
        return game

    def positions(self, rows: NDArray[np.intp], policy: Policy) -> Positions:
        """Return the positions of the players who decide in some rows, as a policy is shown them.

        Args:
            rows: [k] numbers of rows in which a player decides.
            policy: gets views only if it needs them.
        """
        shown = Positions.of_batch(self._batch, rows)
        if not policy.needs_views:
            return shown
        views = self.views(rows, self._batch.player[rows])
        return Positions(shown.observations, shown.masks, shown.schema, views)

    def views(self, rows: NDArray[np.intp], players: NDArray[np.integer[Any]]) -> "Views":
        """Return [k] the views of a player of each of some rows, each made when asked for."""

        def view(place: int) -> AgentView:
            return self._view(int(rows[place]), int(players[place]))

        return Views(view, range(len(rows)))

    def _view(self, row: int, player: int) -> AgentView:
        """Return what a player of a row may know now."""
        if row not in self._followed:
            seed = int(self._batch.state["seed"][row])
            self._followed[row] = _Followed(Game(self._batch.scenario, seed=seed))
        followed = self._followed[row]
        game, views = followed.game, followed.views
        for action in self._since(row, followed.played):
            game.play(action)
            followed.played += 1
        if player in views:
            game.tell(views[player])
        else:
            views[player] = game.view(player)
        return views[player]

    def _since(self, row: int, first: int) -> list[int]:
        taken = self._actions[row, first : self.lengths[row]]
        ids: list[int] = self._batch.unpadded[taken].tolist()
        return ids


class Views(Sequence[AgentView]):
    """The views of players who decide; each is made when it is asked for.

    Policies are given these. No attribute here is a game or leads to one, so that no policy comes
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
