"""Self-play on a `Batch`: each decision is credited to the player who made it.

Players take turns, so what a decision brings shows only after others have decided. The reward of a
decision is all that its player gets until their next decision in the same game, or until the game
ends, and that next decision is the one to bootstrap from. The decision made next in the game is
somebody else's: who pairs the two gives a player's rewards to an opponent, and trains players to
lose. `SelfPlay` follows each player of each game.

    batch = Batch("6A", size=1024, seed=0, autoreset="disabled")
    play = SelfPlay(batch, steps=128, extras={"log_chance": np.float32})
    while training:
        while not play.full:
            actions, values, log_chances = policy(batch.observation, batch.mask)
            play.step(actions, values, log_chance=log_chances)
        decisions = play.harvest(discount=1.0, trace=0.95)
        for _ in range(epochs):
            for picks in np.array_split(rng.permutation(len(decisions)), minibatches):
                some = decisions[picks]
                learn(some.observation, some.mask, some.action, some.extra("log_chance"),
                      some.advantage, some.target)

A window of steps cuts through games: of a player's last decision in it nobody knows yet what
follows. It stays pending: it is kept with all that was stored for it, goes on into the next window
and is harvested from there. Until then its value is what the decision before it is bootstrapped
from. So each decision of a finished game is harvested once, and none is ever bootstrapped from
what somebody else knows.
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
    """Plays a batch with the actions it is given, and collects the decisions of all players.

    Args:
        batch: made with `autoreset="disabled"` and a track. From now on only this `SelfPlay` may
            step or reset it: wherever a game has ended, it deals the next.
        steps: steps in a window, each of one decision in every row.
        value_of: the values [K], or [K, n] for everyone, of observations [K, D]. Needed if games
            can be truncated, that is if they are void at a turn limit: the last decision of each
            player is then bootstrapped from what that player knows at the end. Called within
            `step`, once if at all.
        extras: what else to store with each decision, such as the log-probability of the action:
            names and types, of arrays with the shape, as in `("float32", (64,))`.
        everyone: values are [B, n], what who decides thinks that every player will get, in the
            order in which the observation lists the seats, own seat first. So are the targets.
            Players may change seats in between; it is the players that are followed.
        longest: decisions of all players together after which a game is broken off, as one that
            brings nobody anything; None for never. The rules know no end (rules 7.3), and a game
            that players do not end holds its row for ever, while ever more of what is learned
            from comes out of such games.

    Rewards that a player gets before their first decision in a game are credited to nobody. In
    rows with a learner only the learner's decisions are there to be collected.

    Memory: a window takes `(steps + n) * B * (4 * D + A + 48)` bytes and the extras, for n players
    and B rows with D numbers observed and A action ids; 220 MB for 1,024 games of 6A, 128 steps
    and track "both". `nbytes` tells.

    Attributes:
        batch: the batch, which shows who decides now.
        histories: the decisions of the games so far.
        steps: steps in a window.
        rewards: [B, n] of the last step: the returns of all players in the games that it ended.
        terminated: [B] whether the last step ended a game by the rules.
        truncated: [B] whether it ran into the turn limit, or was broken off; the batch shows the
            next games already.
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
        self._harvested = False  # so that the next step begins a new window
        self._taken = 0  # steps of all windows
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
        """Memory of the window, in bytes."""
        return self._window.nbytes

    def step(self, actions: ArrayLike, values: ArrayLike, **extras: ArrayLike) -> None:
        """Take one decision in each row, and store it.

        Args:
            actions: [B] action ids, as for `Batch.step`.
            values: [B] the values of `batch.observation`, each for the player who decides; [B, n]
                if everyone is valued.
            **extras: [B, ...] each of the extras.
        """
        if self.full:
            raise MascaradeError(f"the window of {self.steps} steps is full; harvest it first")
        self._check_untouched()
        batch, window = self.batch, self._window
        given = self._checked_extras(extras)
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
        # Before the step, for what is given may be views of the batch, which change with it.
        for name, array in given.items():
            window.extras[name][place] = array
        batch.step(actions)
        fields["action"][place] = actions
        self.histories.add(fields["action"][place])
        fields["step"][place] = self._taken
        self._taken += 1
        self._credit()

    def harvest(self, *, discount: float = 1.0, trace: float = 0.95) -> Decisions:
        """Return the decisions of the window, and those carried into it, whose outcome is known.

        The next `step` begins a new window, also if this one was not full. Until then the window
        can be harvested again, with another discount or trace.

        Args:
            discount: what the value of a player's next decision counts, 0 to 1.
            trace: lambda, 0 to 1: with 0 a decision is bootstrapped from the player's next one,
                with 1 from the last one known.
        """
        for number, name in ((discount, "discount"), (trace, "trace")):
            try:
                fits = 0 <= float(number) <= 1
            except (TypeError, ValueError):
                fits = False
            if not fits:
                raise MascaradeError(f"{name} is a number from 0 to 1, not {number!r}")
        if not self._window.filled:
            raise MascaradeError("there is nothing to harvest; take a step first")
        self._harvested = True
        return self._window.look_back(discount, trace)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return copies of all that it takes to resume exactly here, for `restore`.

        They hold no game and no belief, but what `restore` replays them from: seeds and decisions;
        and of the pending decisions what no replay can give, their values and extras. To be called
        after a harvest, whose decisions must have been gathered.
        """
        self._begin()
        if self._window.filled:
            raise MascaradeError("harvest the window first; only what is carried over is kept")
        follows_all = self.batch.learner == NOBODY
        if (self.batch.state["decisions"] != self.histories.lengths)[follows_all].any():
            raise MascaradeError(
                "some games had begun before this SelfPlay was made, so they cannot be replayed: "
                "make it of a batch just dealt"
            )
        return self._kept()

    def restore(
        self,
        arrays: Mapping[str, NDArray[Any]],
        seen: Callable[[], Mapping[str, NDArray[Any]]] = dict,
    ) -> None:
        """Resume where another `SelfPlay` was that was made alike, of a batch made alike.

        All games are dealt and played again, decision by decision. So nothing in the arrays reaches
        the rows of games, beliefs or pending decisions unchecked, whoever made them: an illegal
        decision is refused as in `Batch.step`. After an error the games are anywhere: restore
        other arrays, or make another `SelfPlay`.

        Args:
            arrays: what its `arrays` gave.
            seen: returns the extras that follow from the positions that the batch shows, [B, ...]
                each. They are taken from the replay and need not be in the arrays.

        Raises:
            MascaradeError: the arrays are of a `SelfPlay` that was made otherwise or by other
                rules, or they are damaged.
        """
        shown = {f"{_CARRIED}{_EXTRA}{name}" for name in seen()}
        own = {name: array for name, array in self._kept().items() if name not in shown}
        if not own.keys() <= arrays.keys() <= own.keys() | shown or not all(
            arrays[name].dtype == array.dtype
            and (arrays[name].shape == array.shape or (name == "actions" and array.ndim == 1))
            for name, array in own.items()
        ):
            raise MascaradeError(
                "these are the arrays of a SelfPlay that was made otherwise: of another scenario, "
                "size, track, or other extras"
            )
        for name in own:
            if arrays[name].dtype.kind == "f" and not np.isfinite(arrays[name]).all():
                raise MascaradeError(f"these arrays are damaged: {name} has numbers not finite")
        taken = int(arrays["taken"])
        longest = taken if self._longest is None else min(self._longest, taken)
        histories = Histories(self.batch)
        histories.restore(arrays["lengths"], arrays["actions"], longest)
        if taken > _MOST_STEPS:
            raise MascaradeError(f"these arrays are damaged: no SelfPlay has taken {taken} steps")
        self._taken = taken
        self._harvested = False
        self.batch.reset(series=arrays["series"], learner=arrays["learner"])
        self._replay(histories, seen)
        self.histories = histories
        if self._digest().tobytes() != arrays["digest"].tobytes():
            raise MascaradeError(
                "these decisions lead to other positions here: the arrays are damaged, or of a "
                "SelfPlay that was made otherwise, or by another version of mascarade-env"
            )
        pending = self._window.pending.T != NONE
        for name in own:
            if name.startswith(_CARRIED):
                carried = self._window.carried[name.removeprefix(_CARRIED)]
                carried[pending] = arrays[name][pending]
        self._note_left()

    def _kept(self) -> dict[str, NDArray[Any]]:
        """Return what `arrays` returns, in a window that has just begun."""
        pending = self._window.pending.T != NONE
        found = {}
        for name in ("value", *(f"{_EXTRA}{extra}" for extra in self._window.extras)):
            carried = self._window.carried[name]
            found[f"{_CARRIED}{name}"] = kept = np.zeros_like(carried)
            kept[pending] = carried[pending]  # the rest is left over from earlier windows
        return {
            "series": self.batch.series,
            "learner": self.batch.learner.copy(),
            **self.histories.arrays(),
            "digest": self._digest(),
            "taken": np.array(self._taken),
            **found,
        }

    def _replay(self, histories: Histories, seen: Callable[[], Mapping[str, NDArray[Any]]]) -> None:
        """Take all decisions of the games just dealt; each player's last one is pending then."""
        batch, window = self.batch, self._window
        window.clear()
        carried = window.carried
        for number in range(int(histories.lengths.max())):
            there, actions = histories.at(number)
            rows = np.flatnonzero(there)
            players = batch.player[rows]
            if (players == NOBODY).any():
                raise MascaradeError(
                    "these arrays are damaged: a decision comes after a game's end"
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
            raise MascaradeError("these arrays are damaged: a game that should run is over")

    def _digest(self) -> NDArray[np.uint8]:
        """Return [32] a digest of what the games are and show now."""
        found = hashlib.sha256(self.batch.state.tobytes())
        found.update(self.batch.observation.tobytes())
        return np.frombuffer(found.digest(), np.uint8).copy()

    def _credit(self) -> None:
        """Note what a step of the batch has brought, and deal the next games."""
        batch, window = self.batch, self._window
        np.copyto(self.rewards, batch.rewards)
        np.copyto(self.terminated, batch.terminated)
        np.copyto(self.truncated, batch.truncated)
        window.link(self.rewards)
        if self.truncated.any():
            self._value_ends(np.flatnonzero(self.truncated))
        self._break_off()
        over = self.terminated | self.truncated
        window.close(over)
        self.histories.forget(over)
        self._deal()

    def _break_off(self) -> None:
        """Let games that have lasted too long count as over; nothing follows, so the value is 0."""
        if self._longest is None:
            return
        long = self.batch.state["decisions"] >= self._longest
        long &= ~(self.terminated | self.truncated)
        if long.any():
            self.truncated |= long
            self.batch.reset(rows=long)

    def _value_ends(self, truncated: NDArray[np.intp]) -> None:
        """Bootstrap the last decisions in truncated games."""
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
        """Return the shape of so many values."""
        return (count, self.batch.scenario.players) if self._window.everyone else (count,)

    def _by_player(
        self, values: NDArray[np.float32], order: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """[k, n] values in this order as they are stored, by number of the player; or [k, 1]."""
        if not self._window.everyone:
            return values[:, None]
        found = np.empty_like(values)
        np.put_along_axis(found, order.astype(np.intp), values, axis=1)
        return found

    def _begin(self) -> None:
        """Begin a new window if this one was harvested."""
        if self._harvested:
            self._window.begin()
            self._harvested = False

    def _deal(self) -> None:
        """Deal anew until somebody decides in each row; a learner's game may end before it does."""
        while (over := self.batch.player == NOBODY).any():
            self.batch.reset(rows=over)
        self._note_left()

    def _note_left(self) -> None:
        state = self.batch.state
        self._left = (state["seed"].copy(), state["decisions"].copy())

    def _check_untouched(self) -> None:
        """Whether all games stand as they were left; otherwise credit would go astray."""
        state = self.batch.state
        for field, left in zip(("seed", "decisions"), self._left, strict=True):
            if not np.array_equal(state[field], left):
                raise MascaradeError(
                    "the batch was stepped or reset by others, or a step was broken off; let only "
                    "SelfPlay.step change it, and make a new SelfPlay to go on"
                )

    def _checked_extras(self, given: Mapping[str, ArrayLike]) -> dict[str, NDArray[Any]]:
        rooms = self._window.extras
        if set(given) != set(rooms):
            raise MascaradeError(
                f"give each step the extras {', '.join(rooms) or '(none)'}, "
                f"not {', '.join(given) or '(none)'}"
            )
        return {
            name: _numbers(given[name], name, room.shape[1:], room.dtype)
            for name, room in rooms.items()
        }


def _listed(batch: Batch, rows: NDArray[np.intp], players: NDArray[np.int64]) -> NDArray[np.int8]:
    """Return [k, n] the players of some games as their seats are listed to one of them."""
    count = batch.scenario.players
    state = batch.state[rows]
    seats = (state["seat_of"][np.arange(len(rows)), players][:, None] + np.arange(count)) % count
    found: NDArray[np.int8] = np.take_along_axis(state["player_at"], seats.astype(np.intp), axis=1)
    return found


def _check_batch(batch: Batch, can_value: bool) -> None:
    if batch.autoreset != "disabled":
        raise MascaradeError(
            "SelfPlay looks at the end of a game before the next is dealt, so make the batch with "
            f'autoreset="disabled", not {batch.autoreset!r}'
        )
    if batch.schema is None:
        raise MascaradeError("this batch makes no observations; give it a track")
    scenario = batch.scenario
    if scenario.turn_limit is not None and scenario.at_limit == "void" and not can_value:
        raise MascaradeError(
            "games of this scenario are void at the turn limit: give value_of, the values of what "
            'players know then, or make the scenario with at_limit="richest"'
        )


def _numbers(
    given: ArrayLike, what: str, shape: tuple[int, ...], kind: np.dtype[Any]
) -> NDArray[Any]:
    """Return what was given as an array, if it has this shape and can be stored as this type."""
    try:
        array = np.asarray(given)
    except ValueError:  # ragged
        array = np.array(None)
    if array.shape != shape or not np.can_cast(array.dtype, kind, "same_kind"):
        raise MascaradeError(
            f"{what} is an array of {kind} of shape {shape}, "
            f"not {array.dtype} of shape {array.shape}"
        )
    return array
