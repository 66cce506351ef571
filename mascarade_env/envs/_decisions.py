"""The decisions of many games over some steps, each linked to the next one of the same player.

`Window` holds them and is filled by `SelfPlay`; `Decisions` is what is harvested from it.

The arrays of a window are [places, B]. The first n places hold what is carried over from earlier
windows, player p's decision at place p; after them comes a place for each step. So the decisions
of a player in a game are in the order of time, and nothing has to be moved to be harvested.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from mascarade_env._errors import MascaradeError, did_you_mean
from mascarade_env._jit import compiled

# What follows a decision, if not the place of the player's next one.
ENDED = -1  # the end of the game
PENDING = -2  # not known yet; so too where no decision is carried over

NONE = -1  # no decision of this player is pending


class Credit(NamedTuple):
    """The arrays by which decisions are credited; P places, V values of each decision."""

    player: NDArray[np.int64]  # [P, B] who decided
    following: NDArray[np.int64]  # [P, B] place of the player's next decision, ENDED or PENDING
    value: NDArray[np.float32]  # [P, B, V] as given when the decision was made
    reward: NDArray[np.float32]  # [P, B, V] until what follows
    beyond: NDArray[np.float32]  # [P, B, V] the value after the end, 0 unless truncated
    advantage: NDArray[np.float32]  # [P, B, V]
    pending: NDArray[np.int64]  # [B, n] place of each player's last decision, or NONE


@compiled
def _link(credit: Credit, rewards: NDArray[np.float32], place: int) -> None:
    """Enter the decisions at one place, and pay each pending decision what the step has brought.

    That is what it has brought to the player who decided, or if all players are valued, to each.
    """
    following, reward, pending = credit.following, credit.reward, credit.pending
    values = reward.shape[2]
    for row in range(len(pending)):
        player = credit.player[place, row]
        before = pending[row, player]
        if before != NONE:
            following[before, row] = place
        pending[row, player] = place
        following[place, row] = PENDING
        # The place may still hold a decision of an earlier window.
        for column in range(values):
            reward[place, row, column] = 0.0
            credit.beyond[place, row, column] = 0.0
        # Rewards come to players who did not decide now, so all pending decisions are paid.
        for other in range(pending.shape[1]):
            paid = pending[row, other]
            if paid == NONE:
                continue
            if values == 1:
                reward[paid, row, 0] += rewards[row, other]
            else:
                for column in range(values):
                    reward[paid, row, column] += rewards[row, column]


@compiled
def _close(credit: Credit, over: NDArray[np.bool_]) -> None:
    """End what is pending in games that are over."""
    following, pending = credit.following, credit.pending
    for row in range(len(pending)):
        if over[row]:
            for player in range(pending.shape[1]):
                if pending[row, player] != NONE:
                    following[pending[row, player], row] = ENDED
                    pending[row, player] = NONE


@compiled
def _look_back(credit: Credit, places: int, discount: float, trace: float) -> None:
    """Write advantages, from the last place to the first; that of a pending decision is 0."""
    value, advantage = credit.value, credit.advantage
    # A player's next decision has a higher place, so its advantage is known already.
    for place in range(places - 1, -1, -1):
        for row in range(credit.following.shape[1]):
            following = credit.following[place, row]
            for c in range(value.shape[2]):
                if following < ENDED:
                    advantage[place, row, c] = 0.0
                    continue
                # Sums in double precision: an error would be carried back through the game.
                if following == ENDED:
                    gain = float(credit.beyond[place, row, c])
                else:
                    later = trace * float(advantage[following, row, c])
                    gain = float(value[following, row, c]) + later
                gain = float(credit.reward[place, row, c]) + discount * gain
                advantage[place, row, c] = gain - float(value[place, row, c])


class WindowShape(NamedTuple):
    """The sizes of a window."""

    players: int  # n, of each game
    steps: int  # that there is room for
    games: int  # B
    numbers: int  # D, of an observation
    actions: int  # A, ids


@final
class Window:
    """Room for the decisions of some steps, and for one of each player that is carried over.

    Args:
        shape: how much there is room for.
        extras: names and types of what else is stored.
        everyone: whether each decision has a value for every player, or for who decided alone.

    Attributes:
        fields: the arrays, [n + steps, B] and more; `extras` those of the extras. Values and what
            is made of them have a last axis: one number, or one for each player by number.
        pending: [B, n] where the decision is of which it is not yet known what follows, or NONE.
        place: where the decisions of the next step go.
        number: how many windows were begun before this one.
    """

    def __init__(
        self,
        shape: WindowShape,
        extras: Mapping[str, DTypeLike],
        *,
        everyone: bool,
    ) -> None:
        self.players = players = shape.players
        self.everyone = everyone
        cells = (players + shape.steps, shape.games)
        valued = (*cells, players if everyone else 1)
        self._credit = Credit(
            player=np.zeros(cells, np.int64),
            following=np.full(cells, PENDING, np.int64),
            value=np.zeros(valued, np.float32),
            reward=np.zeros(valued, np.float32),
            beyond=np.zeros(valued, np.float32),
            advantage=np.zeros(valued, np.float32),
            pending=np.full((shape.games, players), NONE, np.int64),
        )
        self.fields: dict[str, NDArray[Any]] = {
            "observation": np.zeros((*cells, shape.numbers), np.float32),
            "mask": np.zeros((*cells, shape.actions), np.int8),
            "action": np.zeros(cells, np.int64),
            "player": self._credit.player,
            "step": np.zeros(cells, np.int64),
            # The players as the observation lists them, the one who decides first.
            "order": np.zeros((*cells, players if everyone else 0), np.int8),
            "value": self._credit.value,
            "reward": self._credit.reward,
            "following": self._credit.following,
            "beyond": self._credit.beyond,
            "advantage": self._credit.advantage,
        }
        self.extras = {name: _room(cells, name, kind) for name, kind in extras.items()}
        self.pending = self._credit.pending
        self.place = players
        self.number = 0

    @property
    def filled(self) -> int:
        """Steps stored in this window."""
        return self.place - self.players

    @property
    def nbytes(self) -> int:
        """Memory of all arrays."""
        return sum(array.nbytes for array in (*self.fields.values(), *self.extras.values()))

    @property
    def carried(self) -> dict[str, NDArray[Any]]:
        """What goes on into a window that has just begun; views."""
        arrays = {**self.fields, **{f"extra {name}": a for name, a in self.extras.items()}}
        return {name: array[: self.players] for name, array in arrays.items()} | {
            "pending": self.pending
        }

    def clear(self) -> None:
        """Begin a window in which nothing is carried over."""
        for name, array in self.carried.items():
            array[...] = {"pending": NONE, "following": PENDING}.get(name, 0)
        self.place = self.players
        self.number += 1

    def begin(self) -> None:
        """Carry over what is pending, and forget the rest."""
        for player in range(self.players):
            places = self.pending[:, player]
            rows = np.flatnonzero(places >= self.players)  # the others are where they belong
            if len(rows):
                for array in (*self.fields.values(), *self.extras.values()):
                    array[player, rows] = array[places[rows], rows]
            self.fields["following"][player] = PENDING
            places[rows] = player
        self.place = self.players
        self.number += 1

    def link(self, rewards: NDArray[np.float32]) -> None:
        """Link what was stored at `place` to what it follows.

        Args:
            rewards: [B, n] what that step has brought each player.
        """
        _link(self._credit, rewards, self.place)
        self.place += 1

    def bootstrap(
        self, rows: NDArray[np.intp], players: NDArray[np.intp], values: NDArray[Any]
    ) -> None:
        """Note what players in truncated games think of the end, before `close`.

        Args:
            rows: [k] of the games.
            players: [k] who thinks so.
            values: [k, 1], or [k, n] by player.
        """
        self.fields["beyond"][self.pending[rows, players], rows] = values

    def close(self, over: NDArray[np.bool_]) -> None:
        """End the games of some rows."""
        _close(self._credit, over)

    def look_back(self, discount: float, trace: float) -> "Decisions":
        """Estimate what all decisions but the pending ones were worth."""
        _look_back(self._credit, self.place, float(discount), float(trace))
        known = self._credit.following[: self.place] >= ENDED
        return Decisions(self, np.flatnonzero(known))


@final
class Decisions:
    """Harvested decisions, N of them, each with what came of it.

    Each field is gathered from the window when it is asked for, so that a minibatch costs what it
    uses, and the observations of a window are never copied as a whole. It can be asked for until
    the next `SelfPlay.step`; what was gathered by then lasts.
    """

    def __init__(self, window: Window, places: NDArray[np.intp]) -> None:
        self._window = window
        self._number = window.number
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, picks: slice | NDArray[Any]) -> "Decisions":
        """Some of them, by a slice, by an array of numbers or by one of N bools."""
        places = self._places[picks]
        if np.ndim(places) != 1:
            raise MascaradeError("pick decisions by a slice or by an array, as in decisions[:10]")
        self._check_current()
        return Decisions(self._window, places)

    @property
    def observation(self) -> NDArray[np.float32]:
        """[N, D] what the player knew."""
        return self._gather(self._window.fields["observation"])

    @property
    def mask(self) -> NDArray[np.int8]:
        """[N, A] one for each action that was legal."""
        return self._gather(self._window.fields["mask"])

    @property
    def action(self) -> NDArray[np.int64]:
        """[N] the id of the action taken."""
        return self._gather(self._window.fields["action"])

    @property
    def player(self) -> NDArray[np.int64]:
        """[N] who decided."""
        return self._gather(self._window.fields["player"])

    @property
    def row(self) -> NDArray[np.int64]:
        """[N] the row of the game in the batch."""
        return self._places % len(self._window.pending)

    @property
    def step(self) -> NDArray[np.int64]:
        """[N] at which step, counted from 0 over all windows; some are of earlier windows."""
        return self._gather(self._window.fields["step"])

    @property
    def value(self) -> NDArray[np.float32]:
        """[N], or [N, n] if all players are valued: as given when the decision was made."""
        return self._listed(self._gather(self._window.fields["value"]))

    @property
    def advantage(self) -> NDArray[np.float32]:
        """[N] by how much things went better than `value` for the player who decided."""
        found = self._gather(self._window.fields["advantage"])
        if not self._window.everyone:
            return found[:, 0]
        own: NDArray[np.float32] = found[np.arange(len(found)), self.player]
        return own

    @property
    def target(self) -> NDArray[np.float32]:
        """The lambda-return, value + advantage: what `value` should have been, in its shape."""
        fields = self._window.fields
        return self._listed(self._gather(fields["value"]) + self._gather(fields["advantage"]))

    def extra(self, name: str) -> NDArray[Any]:
        """Return an extra as it was given when the decision was made: [N, ...]."""
        if name not in self._window.extras:
            raise MascaradeError(f"no extra {name!r}{did_you_mean(name, self._window.extras)}")
        return self._gather(self._window.extras[name])

    def _listed(self, by_player: NDArray[np.float32]) -> NDArray[np.float32]:
        """Values by player [N, n] in the order of the observation; a single one [N, 1] as [N]."""
        if not self._window.everyone:
            return by_player[:, 0]
        order = self._gather(self._window.fields["order"]).astype(np.intp)
        return np.take_along_axis(by_player, order, axis=1)

    def _gather(self, array: NDArray[Any]) -> NDArray[Any]:
        self._check_current()
        return np.take(array.reshape(-1, *array.shape[2:]), self._places, axis=0)

    def _check_current(self) -> None:
        if self._number != self._window.number:
            raise MascaradeError(
                "these decisions have made room for those of a new window; gather what you need "
                "before the next step"
            )


def _room(shape: tuple[int, int], name: str, kind: DTypeLike) -> NDArray[Any]:
    if name in ("actions", "values"):
        raise MascaradeError(f"{name} are stored anyway; give the extra another name")
    try:
        return np.zeros(shape, kind)
    except (TypeError, ValueError) as error:
        raise MascaradeError(
            f"the extra {name!r} needs a type such as np.float32: {error}"
        ) from None
