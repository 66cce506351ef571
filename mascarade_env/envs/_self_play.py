"""Self-play on a `Batch`: credit each decision to the player who made it.

Players take turns, so the effect of a decision shows only after other players have decided. The
reward of a decision is the sum of the player's rewards until the same player's next decision in the
game, or until the game ends. A learner must bootstrap from this next decision of the same player.
The next decision in the game usually belongs to another player. A learner that bootstraps from that
decision credits an opponent with the player's rewards, and learns to lose. `SelfPlay` follows each
player of each game.

    batch = Batch("6A", size=1024, seed=0, autoreset="disabled")
    play = SelfPlay(batch, steps=128, extras={"log_prob": np.float32})
    while training:
        while not play.full:
            actions, values, log_probs = policy(batch.observation, batch.mask)
            play.step(actions, values, log_prob=log_probs)
        decisions = play.harvest(discount=1.0, trace=0.95)
        for _ in range(epochs):
            for picks in np.array_split(rng.permutation(len(decisions)), minibatches):
                some = decisions[picks]
                learn(some.observation, some.mask, some.action, some.extra("log_prob"),
                      some.advantage, some.target)

A window of steps can end in the middle of a game. Then the outcome of each player's last decision
in the window is not known yet. This decision stays pending: it is carried over into the next window
with all its data, and is harvested there. Until then its value is the bootstrap value of the
player's previous decision. So each decision of a finished game is harvested once, and no decision
is bootstrapped from the knowledge of another player.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from mascarade_env._errors import MascaradeError, whole
from mascarade_env._policies.histories import Histories
from mascarade_env.envs._decisions import NONE, Decisions, Window, WindowShape
from mascarade_env.game._batch import Batch
from mascarade_env.game._positions import NOBODY

_CARRIED = "carried."
_EXTRA = "extra "
_MOST_STEPS = 2**62


@final
class SelfPlay:
    """A stepper for a batch that collects the decisions of all players.

    Args:
        batch: a batch made with `autoreset="disabled"` and a track. From now on only this
            `SelfPlay` may step or reset it. It deals the next game in each row whose game is over.
        steps: number of steps in a window; each step is one decision in every row.
        value_of: a function from observations [K, D] to values [K], or [K, n] with `everyone`. It
            is needed if games are void at a turn limit, because these games are truncated. The last
            decision of each player is then bootstrapped from the player's observation at the end.
            `step` calls the function at most once.
        extras: names and types of further arrays to store with each decision, such as the
            log-probability of the action. A type can contain a shape, as in `("float32", (64,))`.
        everyone: whether there is a value and a target for every player, [B, n], and not only for
            the acting player. The acting player makes all n estimates. They are in the order in
            which the observation lists the seats, the acting player's seat first. Rewards are
            credited to players, not to seats, also when players change seats.
        longest: number of decisions of all players together after which a game is stopped with
            reward 0 for all; None for no limit. The rules have no limit (rules 7.3). Without this
            limit, a game that players never end keeps its row, and endless games become a growing
            part of the data.

    Rewards that a player gets before the player's first decision in a game are not credited. In
    rows with a learner, only decisions of the learner are collected.

    Memory: for n players and B rows, with observations of size D and A action ids, a window takes
    `(steps + n) * B * (4 * D + A + 48)` bytes, and the extras need more. With 1,024 games of 6A,
    128 steps and the track "both" this is 220 MB. `nbytes` returns the exact number.

    Attributes:
        batch: the batch. Its observations and masks are those of the acting players.
        histories: the decisions of the current games so far.
        steps: number of steps in a window.
        rewards: [B, n] rewards of the last step. They are the returns of the players where the step
            ended the game, and 0 elsewhere.
        terminated: [B] whether the last step ended a game by the rules.
        truncated: [B] whether the last step reached the turn limit or `longest`. The batch already
            shows the next games.
    """

    def __init__(  # noqa: PLR0913  options by name
        self,
        batch: Batch,
        steps: int,
        *,
        value_of: Callable[[NDArray[np.float32]], ArrayLike] | None = None,
        extras: Mapping[str, DTypeLike] | None = None,
        everyone: bool = False,
        longest: int | None = None,
    ) -> None:
        _check_batch(batch, value_of is not None)
        self.batch = batch
        self.steps = whole(steps, "steps", at_least=1)
        self._value_of = value_of
        self._longest = None if longest is None else whole(longest, "longest", at_least=1)
        size, players = len(batch), batch.scenario.players
        self._window = Window(
            WindowShape(players, self.steps, size, batch.observation.shape[1], batch.num_actions),
            extras or {},
            everyone=everyone,
        )
        self._harvested = False  # if True, the next step begins a new window
        self._taken = 0  # number of steps in all windows
        self.histories = Histories(batch)
        self.rewards = np.zeros((size, players), np.float32)
        self.terminated = np.zeros(size, np.bool_)
        self.truncated = np.zeros(size, np.bool_)
        self._deal()

    @property
    def full(self) -> bool:
        """Whether the window must be harvested before the next step."""
        return self._window.filled == self.steps and not self._harvested

    @property
    def nbytes(self) -> int:
        """The memory of the window, in bytes."""
        return self._window.nbytes

    def step(self, actions: ArrayLike, values: ArrayLike, **extras: ArrayLike) -> None:
        """Take one decision in each row, and store it.

        Args:
            actions: [B] action ids, as for `Batch.step`.
            values: [B] the value of each row of `batch.observation` for the acting player; [B, n]
                with `everyone`.
            **extras: the extras by name, each [B, ...].
        """
        if self.full:
            raise MascaradeError(f"the window of {self.steps} steps is full: call harvest() first")
        self._check_untouched()
        batch, window = self.batch, self._window
        extra_arrays = self._checked_extras(extras)
        value = _numbers(values, "values", self._valued(len(batch)), np.dtype(np.float32))
        self._begin()
        place, fields = window.place, window.fields
        fields["observation"][place] = batch.observation
        fields["mask"][place] = batch.mask
        fields["player"][place] = batch.player
        rows = np.arange(len(batch))
        if window.everyone:
            fields["order"][place] = _listed(batch, rows, batch.player)
        fields["value"][place] = self._by_player(value, fields["order"][place])
        # Before the step, because these arrays may be views of the batch, which changes.
        for name, array in extra_arrays.items():
            window.extras[name][place] = array
        batch.step(actions)
        fields["action"][place] = actions
        self.histories.add(fields["action"][place])
        fields["step"][place] = self._taken
        self._taken += 1
        self._credit()

    def harvest(self, *, discount: float = 1.0, trace: float = 0.95) -> Decisions:
        """Return all decisions whose outcome is known, including carried-over ones.

        The next `step` begins a new window, even if this one is not full. Until then you can
        harvest the window again, with another discount or trace.

        Args:
            discount: factor from one decision of a player to the player's next decision, 0 to 1.
            trace: lambda, 0 to 1. With 0, a decision is bootstrapped from the player's next
                decision; with 1, from the player's last decision in the window.
        """
        for number, name in ((discount, "discount"), (trace, "trace")):
            try:
                fits = 0 <= float(number) <= 1
            except (TypeError, ValueError):
                fits = False
            if not fits:
                raise MascaradeError(f"{name} must be a number from 0 to 1, not {number!r}")
        if not self._window.filled:
            raise MascaradeError("this window has no decisions to harvest: call step() first")
        self._harvested = True
        return self._window.look_back(discount, trace)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return copies of the data that `restore` needs to resume exactly here.

        The data are the values and extras of pending decisions, and the seeds and decisions of the
        games. They do not include games and beliefs, which `restore` replays. Call this after a
        harvest, when you have read its decisions.

        Raises:
            MascaradeError: the window is not harvested, or some decisions of a game were taken
                before this object was made.
        """
        self._begin()
        if self._window.filled:
            raise MascaradeError(
                f"the window has {self._window.filled} steps that are not harvested, and arrays() "
                "cannot store them: call harvest() first"
            )
        follows_all = self.batch.learner == NOBODY
        if (self.batch.state["decisions"] != self.histories.lengths)[follows_all].any():
            raise MascaradeError(
                "some games had begun before this SelfPlay was made, so they cannot be replayed: "
                "make it with a batch that has just been dealt"
            )
        return self._kept()

    def restore(
        self,
        arrays: Mapping[str, NDArray[Any]],
        seen: Callable[[], Mapping[str, NDArray[Any]]] = dict,
    ) -> None:
        """Resume from the arrays of another `SelfPlay` with the same options and an equal batch.

        This deals all games and plays them again, decision by decision. So arrays from an untrusted
        file cannot put unchecked data into games, beliefs or pending decisions: an illegal decision
        is refused as in `Batch.step`. After an error the state of the games is undefined. Then
        restore other arrays, or make another `SelfPlay`.

        Args:
            arrays: the result of `arrays` of the other `SelfPlay`.
            seen: a function that returns the extras that can be computed from the current positions
                of the batch, each [B, ...]. `restore` calls it during the replay, so these extras
                need not be in the arrays.

        Raises:
            MascaradeError: the arrays come from a `SelfPlay` with other options or other rules, or
                they are damaged.
        """
        shown = {f"{_CARRIED}{_EXTRA}{name}" for name in seen()}
        own = {name: array for name, array in self._kept().items() if name not in shown}
        if not own.keys() <= arrays.keys() <= own.keys() | shown or not all(
            arrays[name].dtype == array.dtype
            and (arrays[name].shape == array.shape or (name == "actions" and array.ndim == 1))
            for name, array in own.items()
        ):
            raise MascaradeError(
                "these arrays come from a SelfPlay with another scenario, size or track, or with "
                "other extras: restore them with the options with which they were made"
            )
        for name in own:
            if arrays[name].dtype.kind == "f" and not np.isfinite(arrays[name]).all():
                raise MascaradeError(
                    f"these arrays are damaged: {name} has numbers that are not finite; restore "
                    "other arrays"
                )
        taken = int(arrays["taken"])
        longest = taken if self._longest is None else min(self._longest, taken)
        histories = Histories(self.batch)
        histories.restore(arrays["lengths"], arrays["actions"], longest)
        if taken > _MOST_STEPS:
            raise MascaradeError(
                f"these arrays are damaged: they count {taken} steps, and the limit is "
                f"{_MOST_STEPS}; restore other arrays"
            )
        self._taken = taken
        self._harvested = False
        self.batch.reset(series=arrays["series"], learner=arrays["learner"])
        self._replay(histories, seen)
        self.histories = histories
        if self._digest().tobytes() != arrays["digest"].tobytes():
            raise MascaradeError(
                "the decisions in these arrays lead to positions that differ from the stored ones: "
                "the arrays are damaged, or come from a SelfPlay with other options or from "
                "another version of mascarade-env; restore other arrays"
            )
        pending = self._window.pending.T != NONE
        for name in own:
            if name.startswith(_CARRIED):
                carried = self._window.carried[name.removeprefix(_CARRIED)]
                carried[pending] = arrays[name][pending]
        self._note_left()

    def _kept(self) -> dict[str, NDArray[Any]]:
        """Return the result of `arrays` for a window that has just begun."""
        pending = self._window.pending.T != NONE
        carried_over = {}
        for name in ("value", *(f"{_EXTRA}{extra}" for extra in self._window.extras)):
            carried = self._window.carried[name]
            carried_over[f"{_CARRIED}{name}"] = kept = np.zeros_like(carried)
            kept[pending] = carried[pending]  # other places hold data of earlier windows
        return {
            "series": self.batch.series,
            "learner": self.batch.learner.copy(),
            **self.histories.arrays(),
            "digest": self._digest(),
            "taken": np.array(self._taken),
            **carried_over,
        }

    def _replay(self, histories: Histories, seen: Callable[[], Mapping[str, NDArray[Any]]]) -> None:
        """Replay all decisions in games just dealt.

        After this, the last decision of each player is pending.
        """
        batch, window = self.batch, self._window
        window.clear()
        carried = window.carried
        for number in range(int(histories.lengths.max())):
            there, actions = histories.at(number)
            rows = np.flatnonzero(there)
            players = batch.player[rows]
            if (players == NOBODY).any():
                raise MascaradeError(
                    "these arrays are damaged: they have a decision after the end of a game; "
                    "restore other arrays"
                )
            shown = {f"{_EXTRA}{name}": array for name, array in seen().items()}
            shown |= {"observation": batch.observation, "mask": batch.mask, "action": actions}
            for name, array in shown.items():
                carried[name][players, rows] = array[rows]
            carried["player"][players, rows] = players
            carried["step"][players, rows] = self._taken - histories.lengths[rows] + number
            if window.everyone:
                carried["order"][players, rows] = _listed(batch, rows, players)
            window.pending[rows, players] = players
            batch.step(actions, rows=there)
        if (batch.player == NOBODY).any():
            raise MascaradeError(
                "these arrays are damaged: their decisions end a game that should still run; "
                "restore other arrays"
            )

    def _digest(self) -> NDArray[np.uint8]:
        """Return a digest [32] of the state and the observations of the games."""
        digest = hashlib.sha256(self.batch.state.tobytes())
        digest.update(self.batch.observation.tobytes())
        return np.frombuffer(digest.digest(), np.uint8).copy()

    def _credit(self) -> None:
        """Credit the rewards of a step of the batch, and deal the next games."""
        batch, window = self.batch, self._window
        np.copyto(self.rewards, batch.rewards)
        np.copyto(self.terminated, batch.terminated)
        np.copyto(self.truncated, batch.truncated)
        window.link(self.rewards)
        if self.truncated.any():
            self._value_ends(np.flatnonzero(self.truncated))
        self._stop_long_games()
        over = self.terminated | self.truncated
        window.close(over)
        self.histories.forget(over)
        self._deal()

    def _stop_long_games(self) -> None:
        """End games that have reached `longest`; the value after their end is 0."""
        if self._longest is None:
            return
        long = self.batch.state["decisions"] >= self._longest
        long &= ~(self.terminated | self.truncated)
        if long.any():
            self.truncated |= long
            self.batch.reset(rows=long)

    def _value_ends(self, truncated: NDArray[np.intp]) -> None:
        """Compute and store bootstrap values for the last decisions in truncated games."""
        assert self._value_of is not None
        chosen, players = np.nonzero(self._window.pending[truncated] != NONE)
        rows = truncated[chosen]
        observations = np.empty((len(rows), self.batch.observation.shape[1]), np.float32)
        for player in range(self.batch.scenario.players):
            of_player = players == player
            viewers = np.full(len(self.batch), NOBODY)
            viewers[rows[of_player]] = player
            observations[of_player] = self.batch.observe(viewers)[rows[of_player]]
        values = self._value_of(observations)
        checked = _numbers(values, "value_of", self._valued(len(rows)), np.dtype(np.float32))
        order = _listed(self.batch, rows, players)
        self._window.bootstrap(rows, players, self._by_player(checked, order))

    def _valued(self, count: int) -> tuple[int, ...]:
        """Return the shape of the values of `count` decisions."""
        return (count, self.batch.scenario.players) if self._window.everyone else (count,)

    def _by_player(
        self, values: NDArray[np.float32], order: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return values in the stored form: [k, n] by player number, or [k, 1].

        Args:
            values: [k, n], in the order in which observations list the players, or [k].
            order: [k, n] the player at each place of that order.
        """
        if not self._window.everyone:
            return values[:, None]
        by_player = np.empty_like(values)
        np.put_along_axis(by_player, order.astype(np.intp), values, axis=1)
        return by_player

    def _begin(self) -> None:
        """Begin a new window if this one was harvested."""
        if self._harvested:
            self._window.begin()
            self._harvested = False

    def _deal(self) -> None:
        """Deal games until a player must decide in each row.

        More than one deal may be needed: a game can end before its learner decides.
        """
        while (over := self.batch.player == NOBODY).any():
            self.batch.reset(rows=over)
        self._note_left()

    def _note_left(self) -> None:
        state = self.batch.state
        self._left = (state["seed"].copy(), state["decisions"].copy())

    def _check_untouched(self) -> None:
        """Raise an error if the games have changed since the last step.

        Rewards would then be credited to the wrong decisions.
        """
        state = self.batch.state
        for field, left in zip(("seed", "decisions"), self._left, strict=True):
            if not np.array_equal(state[field], left):
                raise MascaradeError(
                    "the batch was stepped or reset by other code, or a step was interrupted: let "
                    "only SelfPlay.step change the batch, and make a new SelfPlay to continue"
                )

    def _checked_extras(self, extras: Mapping[str, ArrayLike]) -> dict[str, NDArray[Any]]:
        storage = self._window.extras
        if set(extras) != set(storage):
            raise MascaradeError(
                f"each step needs the extras {', '.join(storage) or '(none)'}, but it received "
                f"{', '.join(extras) or '(none)'}; declare them by SelfPlay(extras=...)"
            )
        return {
            name: _numbers(extras[name], name, room.shape[1:], room.dtype)
            for name, room in storage.items()
        }


def _listed(batch: Batch, rows: NDArray[np.intp], players: NDArray[np.int64]) -> NDArray[np.int8]:
    """Return all players of some games, [k, n], in the order of an observation.

    Args:
        batch: the games.
        rows: [k] the rows of the games.
        players: [k] the player who observes each game.
    """
    count = batch.scenario.players
    state = batch.state[rows]
    seats = (state["seat_of"][np.arange(len(rows)), players][:, None] + np.arange(count)) % count
    order: NDArray[np.int8] = np.take_along_axis(state["player_at"], seats.astype(np.intp), axis=1)
    return order


def _check_batch(batch: Batch, can_value: bool) -> None:
    if batch.autoreset != "disabled":
        raise MascaradeError(
            "SelfPlay reads the end of a game before the next deal: make the batch with "
            f'autoreset="disabled", not {batch.autoreset!r}'
        )
    if batch.schema is None:
        raise MascaradeError(
            'this batch makes no observations: make it with a track, such as track="both"'
        )
    scenario = batch.scenario
    if scenario.turn_limit is not None and scenario.at_limit == "void" and not can_value:
        raise MascaradeError(
            "games of this scenario are void at the turn limit: pass value_of, a function that "
            "returns the values of the last observations, or make the scenario with "
            'at_limit="richest"'
        )


def _numbers(
    numbers: ArrayLike, name: str, shape: tuple[int, ...], kind: np.dtype[Any]
) -> NDArray[Any]:
    """Return an array, after checking that it has this shape and can be stored as this type."""
    try:
        array = np.asarray(numbers)
    except ValueError:  # ragged
        array = np.array(None)
    if array.shape != shape or not np.can_cast(array.dtype, kind, "same_kind"):
        raise MascaradeError(
            f"{name} must be an array of {kind} of shape {shape}, "
            f"not {array.dtype} of shape {array.shape}"
        )
    return array
