"""Tables at which one learner sits among opponents: what all single-learner environments share."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError, whole
from mascarade_env._policies.histories import Histories
from mascarade_env.envs._opponents import RANDOM, Opponent, Opponents, Pool, RowRandom, as_pool
from mascarade_env.envs._shaping import checked_scale, potentials
from mascarade_env.game._batch import Batch
from mascarade_env.game._batch_arguments import check_learning, plain_array
from mascarade_env.game._game import Game
from mascarade_env.game._positions import NOBODY
from mascarade_env.game._rng import given_seed
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.observation._blocks import Track
from mascarade_env.observation._schema import Schema

Seat: TypeAlias = int | Literal["rotate", "random"]
Illegal: TypeAlias = Literal["raise", "terminate", "random"]
ILLEGAL: tuple[str, ...] = get_args(Illegal)


class LearnerTables:
    """B tables with a learner each; between two of the learner's decisions the others play.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        size: number of tables.
        opponents: "random" or another name, a policy, a function, or a `Pool`; see _opponents.py.
        seat: where the learner sits when the masks are dealt, which is also the learner's number:
            a number, "rotate" (the next seat in each game, table i beginning at seat i) or
            "random".
        track: what the learner's observations hold, as for `Batch`. Opponents observe what they
            read: the batch has track "both" if one of them reads more.
        padded: as for `Batch`.
        shaping: scale of the rewards on the way (see _shaping.py); 0 for none.
        illegal_actions: what an illegal action of the learner does: "raise" an error, "terminate"
            the game with a reward of -1, or have a "random" legal action taken instead.
        recording: keep all decisions, so that `game` can show the table.

    Attributes:
        pool: whom opponents are drawn from; None if all are random players.
        batch: the games. Its observations may hold more than the learner's.
        schema: the layout of the learner's observations.
        learner: [B] the learner's number.
        observation: [B, D] what the learner may know, at the end of the game as well; a new array
            after each step.
        mask: [B, A] one for each legal action; all ones when the game is over. New as well.
        reward: [B] what the learner has got for the last step.
        terminated: [B] whether the game is over.
        truncated: [B] whether it was cut off at the turn limit.
        illegal: [B] whether the last action was illegal.
        dealt: whether each table waits for its learner or is over; if not, a reset is needed.
    """

    def __init__(  # noqa: PLR0913  options by keyword
        self,
        scenario: str | Path | Mapping[str, Any] | Scenario,
        size: int,
        *,
        opponents: Opponent | Pool = RANDOM,
        seat: Seat = 0,
        track: Track = "both",
        padded: bool = False,
        shaping: float = 0.0,
        illegal_actions: Illegal = "terminate",
        recording: bool = False,
    ) -> None:
        if illegal_actions not in ILLEGAL:
            raise MascaradeError(
                f"illegal_actions is one of {', '.join(ILLEGAL)}, not {illegal_actions!r}"
            )
        self.scenario = resolve(scenario)
        self.pool = as_pool(opponents)
        self._opponents = None if self.pool is None else Opponents(self.pool, self.scenario)
        self.schema = Schema(self.scenario, track, padded=padded)
        shown = track if self._opponents is None else self._opponents.track_for(track)
        self.batch = Batch(self.scenario, size, autoreset="disabled", track=shown, padded=padded)
        assert self.batch.schema is not None
        if self._opponents is not None:
            self._opponents.check(self.batch.schema)
        #: Where the learner's numbers are in the observations of the batch.
        self._own = None if shown == track else self.schema.indices_in(self.batch.schema)
        check_learning(self.scenario)
        self.seat: Seat = self._checked_seat(seat)
        self.shaping = checked_scale(shaping)
        self.illegal_actions: Illegal = illegal_actions
        self._rng = RowRandom(size)
        self._games = np.zeros(size, np.int64)
        self._seated = np.zeros((size, self.scenario.players), np.int64)
        self._recording = recording
        # Games that were dealt before this became true have no opponent that needs views.
        self._keeping = recording
        self._histories = Histories(self.batch)
        # Random opponents alone decide within a step of the batch, which is fastest.
        self._within = self.pool is None and not recording
        self.learner = np.zeros(size, np.int64)
        self.reward = np.zeros(size, np.float32)
        self.terminated = np.zeros(size, np.bool_)
        self.truncated = np.zeros(size, np.bool_)
        self.illegal = np.zeros(size, np.bool_)
        self._begun = False  # whether there was a first reset
        self.dealt = False

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def over(self) -> NDArray[np.bool_]:
        """[B] whether there is nothing more to decide before a reset."""
        return self.terminated | self.truncated

    def reset(
        self,
        *,
        seed: Sequence[int] | NDArray[np.int64] | None = None,
        rows: NDArray[np.bool_] | None = None,
    ) -> None:
        """Deal new games, and let the others play until it is for the learner to decide.

        Args:
            seed: one for each table; without, each goes on with its next game.
            rows: [B] of bool, the tables to deal at; all by default.
        """
        batch = self.batch
        seeds = None if seed is None else np.array([given_seed(entry) for entry in seed])
        which = np.ones(len(self), np.bool_) if rows is None else rows
        if not which.all():
            self._need_dealt()
        if seeds is not None or not self._begun:
            first = batch.state["seed"] if seeds is None else seeds
            self._rng.seed(which, first[which])
            if self._opponents is not None:
                self._opponents.seed(np.asarray(first, np.int64))
            self._games[which] = 0
        else:
            self._games[which] += 1
        self._begun = True
        self.learner[which] = self._seats(which)
        self.dealt = False
        batch.reset(seed=seeds, rows=which, learner=self.learner if self._within else NOBODY)
        if self._opponents is not None:
            assert batch.schema is not None
            self._seated[which] = self._opponents.draw(self._rng, which, batch.schema)
            self._opponents.keep(self._seated)
            self._keeping |= self._opponents.needs_views
        self._histories.forget(which)
        self.reward[which] = 0
        self.terminated[which] = False
        self.truncated[which] = False
        self.illegal[which] = False
        self._let_others_decide()
        self.dealt = True

    def step(self, actions: ArrayLike) -> None:
        """Take the learner's decision at each table whose game runs; others' actions go unread.

        Raises:
            IllegalActionError: for an illegal action with illegal_actions="raise"; nothing has
                changed.
        """
        self._need_dealt()
        batch = self.batch
        taken, bad = self._checked(actions)
        running = ~self.over
        before = self._potential()
        self.dealt = False
        self._decide(taken, running & ~bad if self.illegal_actions == "terminate" else running)
        self._let_others_decide()
        rows = np.arange(len(self))
        self.reward = np.where(running, batch.rewards[rows, self.learner], np.float32(0))
        self.terminated = np.where(running, batch.terminated, self.terminated)
        self.truncated = np.where(running, batch.truncated, self.truncated)
        self.illegal = bad & running
        if self.illegal_actions == "terminate":
            self.reward[self.illegal] = -1
            self.terminated = self.terminated | self.illegal
        if before is not None:
            after = self._potential()
            assert after is not None
            self.reward += np.where(running, np.where(self.terminated, 0, after) - before, 0)
        self.dealt = True

    def game(self, row: int = 0) -> Game:
        """Return the game at a table up to now; it takes `recording`."""
        if not self._begun:
            self._need_dealt()
        if not self._recording:
            raise MascaradeError("this table keeps no record; give it a render_mode")
        return self._histories.game(row)

    @property
    def observation(self) -> NDArray[np.float32]:
        """[B, D] what the learner may know, at the end of the game as well."""
        self._need_dealt()
        found = self.batch.observation.copy()
        over = self.batch.player == NOBODY
        if not self._within and over.any():
            found[over] = self.batch.observe(np.where(over, self.learner, NOBODY))[over]
        return found if self._own is None else found[:, self._own]

    @property
    def mask(self) -> NDArray[np.int8]:
        """[B, A] one for each legal action; all ones when the game is over."""
        self._need_dealt()
        found = self.batch.mask.copy()
        found[self.over] = 1
        return found

    def _need_dealt(self) -> None:
        if not self.dealt:
            raise MascaradeError(
                "call reset first, for all tables; it is also needed after a step was cut short"
            )

    def _checked_seat(self, seat: Seat) -> Seat:
        if seat in ("rotate", "random"):
            return seat
        number = whole(seat, 'a seat other than "rotate" and "random"', at_least=0)
        if number >= self.scenario.players:
            raise MascaradeError(
                f"{self.scenario.name} has the seats 0..{self.scenario.players - 1}, not {seat}"
            )
        return number

    def _seats(self, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the learner's seat for the next game of some tables."""
        players = self.scenario.players
        if self.seat == "random":
            return self._rng.below(which, players)
        if self.seat == "rotate":
            return (np.flatnonzero(which) + self._games[which]) % players
        return np.full(int(which.sum()), self.seat)

    def _checked(self, actions: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the actions, and where they are illegal; legal ones in their place if need be."""
        taken = plain_array(actions)
        if taken.shape != (len(self),) or taken.dtype.kind not in "iu":
            raise IllegalActionError(
                f"actions is an array of {len(self)} whole numbers, one a table, "
                f"not {taken.dtype} of shape {taken.shape}"
            )
        taken = taken.astype(np.int64)
        inside = (taken >= 0) & (taken < self.batch.num_actions)
        rows = np.arange(len(self))
        bad = ~(inside & (self.batch.mask[rows, np.where(inside, taken, 0)] == 1)) & ~self.over
        if bad.any():
            if self.illegal_actions == "raise":
                self.batch.step(taken, rows=bad)
            if self.illegal_actions == "random":
                taken = np.where(bad, self.batch.random_actions(rows=bad), taken)
        return taken, bad

    def _decide(self, taken: NDArray[np.int64], rows: NDArray[np.bool_]) -> None:
        self.batch.step(taken, rows=rows)
        if self._keeping:
            self._histories.add(taken, rows)

    def _let_others_decide(self) -> None:
        """Ask opponents until it is for each learner to decide, or the game is over."""
        batch = self.batch
        while not self._within:
            waiting = (batch.player != self.learner) & (batch.player != NOBODY) & ~self.terminated
            if not waiting.any():
                return
            self._decide(self._asked(waiting), waiting)

    def _asked(self, waiting: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return what the opponents want to do at the tables that wait for one."""
        batch = self.batch
        if self._opponents is None:
            return batch.random_actions(rows=waiting)
        rows = np.flatnonzero(waiting)
        return self._opponents.decide(
            batch, self._histories, rows, self._seated[rows, batch.player[rows]]
        )

    def _potential(self) -> NDArray[np.float32] | None:
        """Return [B] of the learner; None without shaping."""
        if not self.shaping:
            return None
        return potentials(self.batch.state, self.shaping)[np.arange(len(self)), self.learner]
