"""The decisions of the current games of a batch, and the views made from them.

A batch stores no events, so it has no views. But a game can be replayed from its seed and its
decisions. When a view is needed, the game is replayed as a `Game`, which then takes the same
decisions as the row. This is much slower than observations, so only policies with `needs_views` get
views.
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

_FIRST_ROOM = 64  # number of decisions of a game for which there is room at first


@dataclass
class _Followed:
    """A replayed game, with its views."""

    game: Game
    played: int = 0  # number of decisions replayed
    views: dict[int, AgentView] = field(default_factory=dict)  # by player


@final
class Histories:
    """The decisions of the current game of each row of a batch, as action ids.

    Args:
        batch: the batch. After each of its steps, call `add`; call `forget` for rows with a new
            game.

    Attributes:
        lengths: [B] the number of decisions in the game of each row.
    """

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._actions = np.zeros((len(batch), _FIRST_ROOM), np.int16)
        self._rows = np.arange(len(batch))
        self._followed: dict[int, _Followed] = {}
        self.lengths = np.zeros(len(batch), np.int64)

    def add(self, actions: NDArray[Any], rows: NDArray[np.bool_] | None = None) -> None:
        """Append one decision to each row, or to each chosen row.

        Args:
            actions: [B] ids of the batch.
            rows: [B] bool, the rows with a decision; all by default.
        """
        if self.lengths.max() == self._actions.shape[1]:
            self._actions = np.hstack([self._actions, np.zeros_like(self._actions)])
        decided = self._rows if rows is None else np.flatnonzero(rows)
        self._actions[decided, self.lengths[decided]] = actions[decided]
        self.lengths[decided] += 1

    def forget(self, rows: NDArray[np.bool_]) -> None:
        """Remove the decisions and views of rows, given as [B] bool."""
        self.lengths[rows] = 0
        self.drop_views(rows)

    def drop_views(self, rows: NDArray[np.bool_]) -> None:
        """Free the memory of the views of rows, given as [B] bool; keep their decisions."""
        if self._followed:
            for row in np.flatnonzero(rows).tolist():
                self._followed.pop(row, None)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return copies of the lengths, and of all decisions in one array, row after row."""
        held = np.arange(self._actions.shape[1]) < self.lengths[:, None]
        return {"lengths": self.lengths.copy(), "actions": self._actions[held]}

    def restore(self, lengths: NDArray[np.int64], actions: NDArray[np.int16], longest: int) -> None:
        """Replace all decisions by the decisions in arrays that `arrays` has returned.

        Args:
            lengths: [B] the number of decisions of each row.
            actions: [sum of the lengths] the decisions.
            longest: the largest number of decisions that a game may have.

        Raises:
            MascaradeError: the lengths do not fit the decisions, or are out of range. Nothing has
                changed.
        """
        most = min(longest, len(actions))  # with this limit, the sum of the lengths cannot overflow
        if not ((lengths >= 0) & (lengths <= most)).all() or lengths.sum() != len(actions):
            raise MascaradeError(
                f"these arrays are damaged: each length must be 0 to {longest}, and their sum must "
                f"be {len(actions)}, the number of decisions; restore other arrays"
            )
        room = max(_FIRST_ROOM, int(lengths.max()))
        held = np.zeros((len(lengths), room), np.int16)
        held[np.arange(room) < lengths[:, None]] = actions
        self._actions, self.lengths = held, lengths.copy()
        self._followed.clear()

    def at(self, number: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Return whether each row has a decision `number` (from 0), and its id or 0, each [B]."""
        there = self.lengths > number
        return there, np.where(there, self._actions[:, number], 0).astype(np.int64)

    def of(self, row: int) -> list[int]:
        """Return the decisions of a row as ids of `Game`."""
        return self._since(row, 0)

    def game(self, row: int) -> Game:
        """Return the current game of a row, replayed as a `Game`."""
        game = Game(self._batch.scenario, seed=int(self._batch.state["seed"][row]))
        for action in self.of(row):
            game.play(action)
        return game

    def positions(self, rows: NDArray[np.intp], policy: Policy) -> Positions:
        """Return the positions of the acting players of rows, for a policy.

        Args:
            rows: [k] indices of rows whose game is not over.
            policy: the policy; there are views only if it needs them.
        """
        shown = Positions.of_batch(self._batch, rows)
        if not policy.needs_views:
            return shown
        views = self.views(rows, self._batch.player[rows])
        return Positions(shown.observations, shown.masks, shown.schema, views)

    def views(self, rows: NDArray[np.intp], players: NDArray[np.integer[Any]]) -> "Views":
        """Return the views of one player of each row, [k]; each view is made on first access."""

        def view(place: int) -> AgentView:
            return self._view(int(rows[place]), int(players[place]))

        return Views(view, range(len(rows)))

    def _view(self, row: int, player: int) -> AgentView:
        """Return the view of a player of a row, up to now."""
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
    """A sequence of views for a policy; each view is made on first access.

    No attribute is a game or refers to a game, so a policy does not see hidden masks by accident.
    Python cannot stop a policy that searches for them on purpose.

    Args:
        view: a function that returns the view at a place.
        places: the places in this sequence.
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
