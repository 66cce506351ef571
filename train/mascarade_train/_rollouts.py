"""Games in which the learner plays all seats, or shares tables with others, and its decisions.

`Collector` plays many games in step, of one scenario or of several padded ones, and gathers what
the learner has decided, with what came of it for each player.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env.envs._self_play import SelfPlay
from mascarade_env.game._batch import WORLD_LIMIT, Batch
from mascarade_env.game._positions import NOBODY
from mascarade_env.observation._blocks import FULL
from mascarade_env.observation._schema import Schema

LEARNER = -1  # who sits on a seat, if not a guest

#: Decisions for each player of a game that is learned from. What lasts longer is broken off and
#: counts as shared by all, as in evaluations (which wait longer, as they play each game but once).
LONGEST = 250

#: Bounds (low, high) of stored numbers. A value is 0 for a fair share of the win, 1 for all of it,
#: and at least -1 for none. Each bound allows 0.01 for rounding.
_BOUNDS = {
    "value": (-1.01, 1.01), "extra log_chances": (-2e9, 0.01), "extra taught": (0.0, 1.01)
}  # fmt: skip


class Guests(Protocol):
    """Others who sit at some tables."""

    @property
    def numbers(self) -> int:
        """Exclusive upper bound of the numbers of all opponents so far."""

    def seat(self, games: int, players: int, chance: np.random.Generator) -> NDArray[np.int64]:
        """[games, players] who plays in games that are dealt: `LEARNER`, or a guest's number."""

    def decide(
        self,
        guest: int,
        schema: Schema,
        observation: NDArray[np.float32],
        mask: NDArray[np.int8],
        chance: np.random.Generator,
    ) -> NDArray[np.int64]:
        """[k] the actions of a guest."""

    def ended(self, seats: NDArray[np.int64], shares: NDArray[np.float32]) -> None:
        """Games have ended: [k, n] who played, and what part of the win each got."""


class Teacher(Protocol):
    """Somebody to be imitated."""

    def chances(
        self, schema: Schema, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """[k, A] by which chances it would act."""


class Harvest(NamedTuple):
    """N decisions of the learner.

    Attributes:
        observation: [N, D].
        mask: [N, A].
        action: [N].
        log_chances: [N, A] of all actions when it was decided.
        advantage: [N] by how much it went better for who decided, in win shares.
        wins: [N, P] lambda-returns: what share of the win each seat gets, from the own one on.
        truth: [N, slots] the column of the mask at each slot as listed, -1 where there is none.
        full: [N, F] the full state, F = 0 unless it was asked for.
        taught: [N, A] the chances by which the teacher would have decided, all 0 if it was not
            asked; [N, 0] if there is no teacher.
    """

    observation: NDArray[np.float32]
    mask: NDArray[np.int8]
    action: NDArray[np.int64]
    log_chances: NDArray[np.float32]
    advantage: NDArray[np.float32]
    wins: NDArray[np.float32]
    truth: NDArray[np.int8]
    full: NDArray[np.float32]
    taught: NDArray[np.float32]


@final
class Collector:
    """Plays games by the learner's chances.

    Args:
        schemas: one for each scenario, all of the same track; several if padded.
        games: how many are played at once, shared out among the scenarios.
        steps: decisions in each game between two harvests.
        seed: of the games.
        guests: who else plays, if anybody.
        teacher: who tells what it would have done, if anybody.
        full: whether harvests hold full states.
        worlds: that a belief may have before it is thinned.

    Attributes:
        teaching: whether the teacher is asked.
        size: games at once.
        observation: [size, D] of who decides in each game.
        mask: [size, A].
        full: [size, F].
        finished: games that have ended so far.
    """

    def __init__(
        self,
        schemas: Sequence[Schema],
        games: int,
        steps: int,
        seed: int,
        guests: Guests | None = None,
        teacher: Teacher | None = None,
        *,
        full: bool = False,
        worlds: int = WORLD_LIMIT,
    ) -> None:
        self.teaching = teacher is not None
        self._tables = [
            _Table(schema, count, steps, seed + 1000 * number, guests, teacher, full, worlds)
            for number, (schema, count) in enumerate(
                zip(schemas, _shared_out(games, len(schemas)), strict=True)
            )
        ]
        ends = np.cumsum([len(table.batch) for table in self._tables]).tolist()
        self._parts = [
            slice(end - len(t.batch), end) for end, t in zip(ends, self._tables, strict=True)
        ]
        self.size = games
        first = self._tables[0]
        self.observation = np.empty((games, first.batch.observation.shape[1]), np.float32)
        self.mask = np.empty((games, first.batch.num_actions), np.int8)
        self.full = np.empty((games, first.full.shape[1]), np.float32)
        self.finished = 0
        self._show()

    @property
    def ready(self) -> bool:
        """Whether there is a window to harvest."""
        return self._tables[0].play.full

    def own(self, chance: np.random.Generator) -> NDArray[np.bool_]:
        """[size] where it is the learner who decides.

        Args:
            chance: draws who sits where, in games that were dealt since.
        """
        return np.concatenate([table.own(chance) for table in self._tables])

    def step(
        self,
        log_chances: NDArray[np.float32],
        wins: NDArray[np.float32],
        chance: np.random.Generator,
    ) -> None:
        """Decide in each game.

        Args:
            log_chances: [size, A] of the learner's actions for `observation` and `mask`. Where a
                guest decides they do not matter.
            wins: [size, P] how likely each seat is to win, from the own one on; the same.
            chance: draws who sits where, and the actions.
        """
        self.own(chance)
        # The largest of chances over exponential noise is a draw by the chances.
        noise = np.maximum(chance.standard_exponential(log_chances.shape, np.float32), 1e-30)
        actions = (np.exp(log_chances) / noise).argmax(axis=1)
        for table, part in zip(self._tables, self._parts, strict=True):
            self.finished += table.step(
                actions[part], log_chances[part], wins[part], chance, teaching=self.teaching
            )
        self._show()

    def harvest(self, trace: float) -> Harvest:
        """What the learner has decided, as far as it is known what followed.

        Args:
            trace: lambda of the returns.
        """
        parts = [table.harvest(trace, self._tables[0].seats) for table in self._tables]
        if len(parts) == 1:
            return parts[0]
        return Harvest(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    def arrays(self) -> list[dict[str, NDArray[Any]]]:
        """Return all that it takes to resume exactly here, after a harvest; for `restore`."""
        return [table.arrays() for table in self._tables]

    def restore(self, arrays: Sequence[Mapping[str, NDArray[Any]]]) -> None:
        """Resume where another collector was that was made alike, with guests restored before.

        Raises:
            MascaradeError: the arrays are of other games or damaged, as in `SelfPlay.restore`.
        """
        if len(arrays) != len(self._tables):
            raise MascaradeError(f"these are games of {len(arrays)} scenarios")
        for table, saved in zip(self._tables, arrays, strict=True):
            table.restore(saved)
        self._show()

    def _show(self) -> None:
        for table, part in zip(self._tables, self._parts, strict=True):
            self.observation[part] = table.batch.observation
            self.mask[part] = table.batch.mask
            self.full[part] = table.look()


class _Table:
    """The games of one scenario.

    Attributes:
        batch: the games.
        play: who credits the decisions.
        seats: P, of how many seats the learner tells the chances.
        who: [B, n] who plays.
        unseated: [B] whether the game was dealt since, so that others may play.
        full: [B, F] the full state.
    """

    def __init__(
        self,
        schema: Schema,
        games: int,
        steps: int,
        seed: int,
        guests: Guests | None,
        teacher: Teacher | None,
        full: bool,
        worlds: int,
    ) -> None:
        if schema.track == FULL:
            raise MascaradeError("a learner that plays observes what players may know")
        self.schema = schema
        self.batch = Batch(
            schema.scenario,
            games,
            seed=seed,
            autoreset="disabled",
            track=schema.track,  # type: ignore[arg-type]  # not the full state, as was checked
            padded=schema.padded,
            most_worlds=worlds,
        )
        self.players = schema.scenario.players
        self.seats = schema.seats
        self._guests = guests
        self._teacher = teacher
        self._whole = full
        self.full = np.empty((games, 0), np.float32)
        self.look()
        extras: dict[str, DTypeLike] = {
            "log_chances": ("float32", (self.batch.num_actions,)),
            "truth": ("int8", (schema.slots,)),
            "own": np.bool_,
        }
        if teacher is not None:
            extras["taught"] = ("float32", (self.batch.num_actions,))
        if full:
            extras["full"] = ("float32", (self.full.shape[1],))
        longest = LONGEST * self.players
        self.play = SelfPlay(self.batch, steps, everyone=True, extras=extras, longest=longest)
        self.who = np.full((games, self.players), LEARNER)
        self.unseated = np.ones(games, np.bool_)
        # Where each slot stands from a seat, and the column of each mask.
        self._column = schema.layout["column"][0].astype(np.int8)

    def look(self) -> NDArray[np.float32]:
        if self._whole:
            self.full = self.batch.full_state()
        return self.full

    def own(self, chance: np.random.Generator) -> NDArray[np.bool_]:
        """[B] where the learner decides; whoever plays in games just dealt takes a seat."""
        if self._guests is not None and self.unseated.any():
            count = int(self.unseated.sum())
            self.who[self.unseated] = self._guests.seat(count, self.players, chance)
            self.unseated[:] = False
        found: NDArray[np.bool_] = self._deciding() == LEARNER
        return found

    def step(
        self,
        actions: NDArray[np.int64],
        log_chances: NDArray[np.float32],
        wins: NDArray[np.float32],
        chance: np.random.Generator,
        *,
        teaching: bool,
    ) -> int:
        """Decide in each game; returns how many have ended."""
        batch = self.batch
        deciding = self._deciding()
        own = deciding == LEARNER
        if self._guests is not None:
            for guest in np.unique(deciding[deciding != LEARNER]).tolist():
                some = deciding == guest
                actions[some] = self._guests.decide(
                    guest, self.schema, batch.observation[some], batch.mask[some], chance
                )
        self.play.step(
            actions,
            (self.players * wins[:, : self.players] - 1) / (self.players - 1),
            log_chances=log_chances,
            **self._seen(),
            **self._taught(own if teaching else np.zeros_like(own)),
        )
        over = self.play.terminated | self.play.truncated
        if self._guests is not None and over.any():
            self._guests.ended(self.who[over], self._shares(self.play.rewards[over]))
        self.unseated = over
        return int(over.sum())

    def harvest(self, trace: float, seats: int) -> Harvest:
        decisions = self.play.harvest(discount=1.0, trace=trace)
        if self._guests is not None:
            decisions = decisions[decisions.extra("own")]
        none = np.empty((len(decisions), 0), np.float32)
        wins = np.zeros((len(decisions), seats), np.float32)
        wins[:, : self.players] = self._shares(decisions.target)
        return Harvest(
            observation=decisions.observation,
            mask=decisions.mask,
            action=decisions.action,
            log_chances=decisions.extra("log_chances"),
            advantage=decisions.advantage * ((self.players - 1) / self.players),
            wins=wins,
            truth=decisions.extra("truth"),
            full=decisions.extra("full") if self._whole else none,
            taught=none if self._teacher is None else decisions.extra("taught"),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        seen = {f"carried.extra {name}" for name in self._seen()}
        arrays = {name: a for name, a in self.play.arrays().items() if name not in seen}
        return arrays | {"guests": self.who.copy(), "unseated": self.unseated.copy()}

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        own = {"guests": self.who, "unseated": self.unseated}
        highest = LEARNER if self._guests is None else self._guests.numbers - 1
        bounds = {"guests": (LEARNER, highest)} | {
            f"carried.{name}": bounds for name, bounds in _BOUNDS.items()
        }
        if not own.keys() <= saved.keys():
            raise MascaradeError(f"these arrays are damaged: {' or '.join(own)} is missing")
        for name, (low, high) in bounds.items():
            if name in saved and not ((saved[name] >= low) & (saved[name] <= high)).all():
                raise MascaradeError(
                    f"these arrays are damaged: {name} has numbers outside {low} to {high}"
                )
        for name, array in own.items():
            if saved[name].shape != array.shape or saved[name].dtype != array.dtype:
                raise MascaradeError(
                    f"these arrays are of games made otherwise: {name} has another shape or type"
                )
            array[...] = saved[name]
        rest = {name: array for name, array in saved.items() if name not in own}
        self.play.restore(rest, self._seen_again)

    def _seen(self) -> dict[str, NDArray[Any]]:
        """What is stored with decisions and follows from the positions and who sits there."""
        found: dict[str, NDArray[Any]] = {
            "truth": self._truth(np.arange(len(self.batch))),
            "own": self._deciding() == LEARNER,
        }
        return found | ({"full": self.full} if self._whole else {})

    def _seen_again(self) -> dict[str, NDArray[Any]]:
        """The same in a replay, where nothing has looked at the positions before."""
        self.look()
        return self._seen()

    def _deciding(self) -> NDArray[np.int64]:
        """[B] `LEARNER`, or the number of the guest who decides."""
        found: NDArray[np.int64] = self.who[np.arange(len(self.batch)), self.batch.player]
        return found

    def _taught(self, rows: NDArray[np.bool_]) -> dict[str, NDArray[np.float32]]:
        """What the teacher would do in some rows, as an extra."""
        if self._teacher is None:
            return {}
        batch = self.batch
        taught = np.zeros(batch.mask.shape, np.float32)
        if rows.any():
            asked = batch.observation[rows], batch.mask[rows]
            taught[rows] = self._teacher.chances(self.schema, *asked)
        return {"taught": taught}

    def _shares(self, returns: NDArray[np.float32]) -> NDArray[np.float32]:
        """What part of the win a return stands for."""
        shares = (1 + (self.players - 1) * returns) / self.players
        return np.maximum(shares, 0, dtype=np.float32)  # not less, by rounding

    def _truth(self, rows: NDArray[np.intp]) -> NDArray[np.int8]:
        """[B, slots] the column of the mask at each slot, as they are listed to who decides."""
        state, n = self.batch.state, self.players
        seat = state["seat_of"][rows, self.batch.player][:, None]
        found = np.full((len(rows), self.schema.slots), NOBODY, np.int8)
        places = (seat + np.arange(n)) % n
        found[:, :n] = self._column[state["mask_at"][rows[:, None], places]]
        centre = np.arange(n, self.schema.scenario.slots)
        if len(centre):
            found[:, self.schema.seats : self.schema.seats + len(centre)] = self._column[
                state["mask_at"][:, centre]
            ]
        return found


def _shared_out(games: int, scenarios: int) -> list[int]:
    if games < scenarios:
        raise MascaradeError(f"--games {games} is less than one for each of {scenarios} scenarios")
    return [games // scenarios + (number < games % scenarios) for number in range(scenarios)]
