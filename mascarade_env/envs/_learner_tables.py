"""Tables with one learner among opponents, shared by all single-learner environments."""

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
    """B tables with one learner each. Opponents play between two decisions of the learner.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        size: number of tables.
        opponents: "random" or another name, a policy, a function, or a `Pool`; see _opponents.py.
        seat: the seat of the learner at the deal: a number, "rotate" (the next seat in each game;
            table i begins at seat i) or "random". It is also the learner's player number.
        track: the content of the learner's observations, as for `Batch`. Opponents get the
            observations that they read: if one of them needs another track, the batch has the track
            "both".
        padded: as for `Batch`.
        shaping: scale of rewards before the end of the game (see _shaping.py); 0 for none.
        illegal_actions: the effect of an illegal action of the learner: "raise" raises an error,
            "terminate" ends the game with a reward of -1, and "random" takes a random legal action
            instead.
        recording: whether to keep all decisions, so that `game` can return the game at a table.

    Attributes:
        pool: the pool of opponents; None if all opponents are random players.
        batch: the games. Its observations may hold more blocks than the learner's observations.
        schema: the layout of the learner's observations.
        learner: [B] the player number of the learner.
        observation: [B, D] the observation of the learner, also after the end of the game. Each
            access returns a new array.
        mask: [B, A] the action mask, all ones after the end of the game. Each access returns a new
            array.
        reward: [B] the reward of the learner for the last step.
        terminated: [B] whether the game has ended by the rules.
        truncated: [B] whether the turn limit cut the game off.
        illegal: [B] whether the learner's last action was illegal.
        dealt: False if a reset is needed. If it is True, each game is over or waits for its
            learner.
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
                f"illegal_actions must be one of {', '.join(ILLEGAL)}, not {illegal_actions!r}"
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
        #: The indices of the learner's observation in that of the batch; None if they are equal.
        self._own = None if shown == track else self.schema.indices_in(self.batch.schema)
        check_learning(self.scenario)
        self.seat: Seat = self._checked_seat(seat)
        self.shaping = checked_scale(shaping)
        self.illegal_actions: Illegal = illegal_actions
        self._rng = RowRandom(size)
        self._games = np.zeros(size, np.int64)
        self._seated = np.zeros((size, self.scenario.players), np.int64)
        self._recording = recording
        # True once an opponent needs views; games dealt before that have no such opponent.
        self._keeping = recording
        self._histories = Histories(self.batch)
        # If all opponents are random players, they act within a step of the batch: the fastest way.
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
        """[B] whether the game at each table is over, so that the table needs a reset."""
        return self.terminated | self.truncated

    def reset(
        self,
        *,
        seed: Sequence[int] | NDArray[np.int64] | None = None,
        rows: NDArray[np.bool_] | None = None,
    ) -> None:
        """Deal new games, and let the opponents play until the learner must decide.

        Args:
            seed: [B] a seed for each table; None for the next game of each table.
            rows: [B] of bool, True for the tables at which to deal; None for all tables.
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
        """Take the learner's decision at each table whose game is running.

        Actions for tables whose game is over are ignored.

        Raises:
            IllegalActionError: an action is illegal and `illegal_actions` is "raise"; nothing has
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
        """Return the game at a table so far. This needs `recording=True`."""
        if not self._begun:
            self._need_dealt()
        if not self._recording:
            raise MascaradeError(
                "this environment does not record its games: make it with a render_mode, such as "
                'render_mode="ansi"'
            )
        return self._histories.game(row)

    @property
    def observation(self) -> NDArray[np.float32]:
        """[B, D] the observation of the learner, also after the end of the game."""
        self._need_dealt()
        observation = self.batch.observation.copy()
        over = self.batch.player == NOBODY
        if not self._within and over.any():
            observation[over] = self.batch.observe(np.where(over, self.learner, NOBODY))[over]
        return observation if self._own is None else observation[:, self._own]

    @property
    def mask(self) -> NDArray[np.int8]:
        """[B, A] the action mask of the learner, all ones after the end of the game."""
        self._need_dealt()
        mask = self.batch.mask.copy()
        mask[self.over] = 1
        return mask

    def _need_dealt(self) -> None:
        if not self.dealt:
            raise MascaradeError(
                "no games are dealt, or the last step was interrupted: call reset() for all tables"
            )

    def _checked_seat(self, seat: Seat) -> Seat:
        if seat in ("rotate", "random"):
            return seat
        number = whole(seat, 'a seat other than "rotate" and "random"', at_least=0)
        if number >= self.scenario.players:
            raise MascaradeError(
                f'seat must be 0..{self.scenario.players - 1}, "rotate" or "random" in '
                f"{self.scenario.name}, not {seat}"
            )
        return number

    def _seats(self, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the learner's seats for the next games of some tables."""
        players = self.scenario.players
        if self.seat == "random":
            return self._rng.below(which, players)
        if self.seat == "rotate":
            return (np.flatnonzero(which) + self._games[which]) % players
        return np.full(int(which.sum()), self.seat)

    def _checked(self, actions: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the actions [B], and whether each is illegal [B].

        With `illegal_actions="random"`, random legal actions replace the illegal ones. With
        "raise", an illegal action raises an error.
        """
        taken = plain_array(actions)
        if taken.shape != (len(self),) or taken.dtype.kind not in "iu":
            raise IllegalActionError(
                f"actions must be an array of {len(self)} whole numbers, one for each table, "
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
        """Let opponents decide until each learner must decide or its game is over."""
        batch = self.batch
        while not self._within:
            waiting = (batch.player != self.learner) & (batch.player != NOBODY) & ~self.terminated
            if not waiting.any():
                return
            self._decide(self._opponent_actions(waiting), waiting)

    def _opponent_actions(self, waiting: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the opponents' actions at the tables that wait for an opponent."""
        batch = self.batch
        if self._opponents is None:
            return batch.random_actions(rows=waiting)
        rows = np.flatnonzero(waiting)
        return self._opponents.decide(
            batch, self._histories, rows, self._seated[rows, batch.player[rows]]
        )

    def _potential(self) -> NDArray[np.float32] | None:
        """Return the potential [B] of the learner; None without shaping."""
        if not self.shaping:
            return None
        return potentials(self.batch.state, self.shaping)[np.arange(len(self)), self.learner]
