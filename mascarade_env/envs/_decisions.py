"""Store the decisions of many games, each linked to the next one of the same player.

`SelfPlay` fills a `Window` with the decisions of some steps, and harvests `Decisions` from it.

The arrays of a window have the shape [places, B]. The first n places hold decisions that are
carried over from earlier windows: place p holds the decision of player p. Each further place is for
one step. So the decisions of a player are in the order of time, and a harvest moves no data.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from mascarade_env._errors import MascaradeError, did_you_mean
from mascarade_env._jit import compiled

# Values of `following` other than the place of the player's next decision.
ENDED = -1  # the game has ended
PENDING = -2  # not known yet, or no decision is carried over to this place

NONE = -1  # no decision of this player is pending


class Credit(NamedTuple):
    """Arrays that link decisions and credit rewards, for P places with V values per decision."""

    player: NDArray[np.int64]  # [P, B] the player who decided
    following: NDArray[np.int64]  # [P, B] place of the player's next decision, ENDED or PENDING
    value: NDArray[np.float32]  # [P, B, V] the value estimate at the decision
    reward: NDArray[np.float32]  # [P, B, V] the sum of rewards until `following`
    beyond: NDArray[np.float32]  # [P, B, V] the value after the end, 0 unless truncated
    advantage: NDArray[np.float32]  # [P, B, V]
    pending: NDArray[np.int64]  # [B, n] place of each player's last decision, or NONE


@compiled
def _link(credit: Credit, rewards: NDArray[np.float32], place: int) -> None:
    """Link the decisions at one place, and add the rewards of the step to pending decisions.

    A decision with one value gets the rewards of the player who made it. A decision with a value
    for every player gets the rewards of all players.
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
        # A step can reward players who did not act in it, so all pending decisions get rewards.
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
    """Mark the pending decisions of games that are over as ended."""
    following, pending = credit.following, credit.pending
    for row in range(len(pending)):
        if over[row]:
            for player in range(pending.shape[1]):
                if pending[row, player] != NONE:
                    following[pending[row, player], row] = ENDED
                    pending[row, player] = NONE


@compiled
def _look_back(credit: Credit, places: int, discount: float, trace: float) -> None:
    """Compute advantages from the last place to the first; pending decisions get 0."""
    value, advantage = credit.value, credit.advantage
    # A player's next decision has a higher place, so its advantage is already computed.
    for place in range(places - 1, -1, -1):
        for row in range(credit.following.shape[1]):
            following = credit.following[place, row]
            for c in range(value.shape[2]):
                if following < ENDED:
                    advantage[place, row, c] = 0.0
                    continue
                # Double precision, because rounding errors would add up through the game.
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
    steps: int  # room for this number of steps
    games: int  # B
    numbers: int  # D, the size of an observation
    actions: int  # A, the number of action ids


@final
class Window:
    """Storage for the decisions of some steps, and for one carried-over decision of each player.

    Args:
        shape: the sizes of the window.
        extras: names and types of further arrays to store.
        everyone: True if each decision has a value for every player, False if only for the acting
            player.

    Attributes:
        fields: the arrays by name. Their first axes are [n + steps, B]. Values, rewards and
            advantages have a last axis of one number, or of one number for each player.
        extras: the further arrays by name.
        pending: [B, n] the place of each player's decision whose outcome is unknown, or NONE.
        place: the place for the decisions of the next step.
        number: the number of windows before this one.
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
            # The players as the observation lists them, the acting player first.
            "order": np.zeros((*cells, players if everyone else 0), np.int8),
            "value": self._credit.value,
            "reward": self._credit.reward,
            "following": self._credit.following,
            "beyond": self._credit.beyond,
            "advantage": self._credit.advantage,
        }
        self.extras = {name: _zeros(cells, name, kind) for name, kind in extras.items()}
        self.pending = self._credit.pending
        self.place = players
        self.number = 0

    @property
    def filled(self) -> int:
        """The number of steps in this window."""
        return self.place - self.players

    @property
    def nbytes(self) -> int:
        """The memory of all arrays, in bytes."""
        return sum(array.nbytes for array in (*self.fields.values(), *self.extras.values()))

    @property
    def carried(self) -> dict[str, NDArray[Any]]:
        """The carried-over decisions of a window that has just begun, as NumPy views."""
        arrays = {**self.fields, **{f"extra {name}": a for name, a in self.extras.items()}}
        return {name: array[: self.players] for name, array in arrays.items()} | {
            "pending": self.pending
        }

    def clear(self) -> None:
        """Begin a window without carried-over decisions."""
        for name, array in self.carried.items():
            array[...] = {"pending": NONE, "following": PENDING}.get(name, 0)
        self.place = self.players
        self.number += 1

    def begin(self) -> None:
        """Begin a window: carry the pending decisions over, and drop all other decisions."""
        for player in range(self.players):
            places = self.pending[:, player]
            rows = np.flatnonzero(places >= self.players)  # the others are in place already
            if len(rows):
                for array in (*self.fields.values(), *self.extras.values()):
                    array[player, rows] = array[places[rows], rows]
            self.fields["following"][player] = PENDING
            places[rows] = player
        self.place = self.players
        self.number += 1

    def link(self, rewards: NDArray[np.float32]) -> None:
        """Link the decisions at `place` to the previous ones of their players.

        Args:
            rewards: [B, n] the rewards of this step for each player.
        """
        _link(self._credit, rewards, self.place)
        self.place += 1

    def bootstrap(
        self, rows: NDArray[np.intp], players: NDArray[np.intp], values: NDArray[Any]
    ) -> None:
        """Store the value estimates of players at the end of truncated games, before `close`.

        Args:
            rows: [k] the rows of the games.
            players: [k] the player who makes each estimate.
            values: [k, 1] the estimates, or [k, n] with one for each player.
        """
        self.fields["beyond"][self.pending[rows, players], rows] = values

    def close(self, over: NDArray[np.bool_]) -> None:
        """End the games of some rows; `over` is [B] of bool."""
        _close(self._credit, over)

    def look_back(self, discount: float, trace: float) -> "Decisions":
        """Compute the advantages of all decisions that are not pending; return these decisions."""
        _look_back(self._credit, self.place, float(discount), float(trace))
        complete = self._credit.following[: self.place] >= ENDED
        return Decisions(self, np.flatnonzero(complete))


@final
class Decisions:
    """N harvested decisions with their advantages and targets.

    Reading a field copies it from the window, so a minibatch copies only the data that it uses.
    Read the fields before the next `SelfPlay.step`. The arrays that you have read stay valid.
    """

    def __init__(self, window: Window, places: NDArray[np.intp]) -> None:
        self._window = window
        self._number = window.number
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, picks: slice | NDArray[Any]) -> "Decisions":
        """Return some decisions, selected by a slice, an array of indices, or N bools."""
        places = self._places[picks]
        if np.ndim(places) != 1:
            raise MascaradeError(
                f"cannot select decisions by {picks!r}: use a slice or an array of one dimension, "
                "such as decisions[:10]"
            )
        self._check_current()
        return Decisions(self._window, places)

    @property
    def observation(self) -> NDArray[np.float32]:
        """[N, D] the observation of the acting player."""
        return self._gather(self._window.fields["observation"])

    @property
    def mask(self) -> NDArray[np.int8]:
        """[N, A] the action mask: 1 for each legal action."""
        return self._gather(self._window.fields["mask"])

    @property
    def action(self) -> NDArray[np.int64]:
        """[N] the id of the action taken."""
        return self._gather(self._window.fields["action"])

    @property
    def player(self) -> NDArray[np.int64]:
        """[N] the acting player."""
        return self._gather(self._window.fields["player"])

    @property
    def row(self) -> NDArray[np.int64]:
        """[N] the row of the game in the batch."""
        return self._places % len(self._window.pending)

    @property
    def step(self) -> NDArray[np.int64]:
        """[N] the step of each decision, counted from 0 over all windows.

        Decisions that were carried over have a step of an earlier window.
        """
        return self._gather(self._window.fields["step"])

    @property
    def value(self) -> NDArray[np.float32]:
        """The values that were passed to `SelfPlay.step`: [N], or [N, n] with `everyone`."""
        return self._listed(self._gather(self._window.fields["value"]))

    @property
    def advantage(self) -> NDArray[np.float32]:
        """[N] the advantage for the acting player: the lambda-return minus `value`."""
        advantages = self._gather(self._window.fields["advantage"])
        if not self._window.everyone:
            return advantages[:, 0]
        own: NDArray[np.float32] = advantages[np.arange(len(advantages)), self.player]
        return own

    @property
    def target(self) -> NDArray[np.float32]:
        """The target for values: the lambda-return, value + advantage, in the shape of `value`."""
        fields = self._window.fields
        return self._listed(self._gather(fields["value"]) + self._gather(fields["advantage"]))

    def extra(self, name: str) -> NDArray[Any]:
        """Return one of the extras that were passed to `SelfPlay.step`, [N, ...]."""
        if name not in self._window.extras:
            raise MascaradeError(
                f"there is no extra {name!r}{did_you_mean(name, self._window.extras)}"
            )
        return self._gather(self._window.extras[name])

    def _listed(self, by_player: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return values in public form: [N, 1] as [N], or [N, n] in the order of the observation.

        Args:
            by_player: [N, 1], or [N, n] in the order of player numbers.
        """
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
                "a new window has replaced these decisions: read the fields that you need before "
                "the next step"
            )


def _zeros(shape: tuple[int, int], name: str, kind: DTypeLike) -> NDArray[Any]:
    if name in ("actions", "values"):
        raise MascaradeError(f"{name} are always stored: give the extra another name")
    try:
        return np.zeros(shape, kind)
    except (TypeError, ValueError) as error:
        raise MascaradeError(
            f"the extra {name!r} needs a type such as np.float32: {error}"
        ) from None
