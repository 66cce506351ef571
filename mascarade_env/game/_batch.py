"""Many games, stepped together: actions and observations are arrays.

    batch = Batch("6A", size=4096, seed=0)
    while training:
        batch.step(policy(batch.player, batch.mask))

Each row is a separate game, and `player[b]` is the acting player of row b. All arrays are read-only
views of memory that the next step overwrites: copy an array to keep it.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar, final, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError, whole
from mascarade_env.game import _actions as actions
from mascarade_env.game import _batch_kernels as kernels
from mascarade_env.game import _rng as rng
from mascarade_env.game._batch_arguments import (
    Seeds,
    check_learning,
    checked_series,
    chosen_players,
    chosen_rows,
    row_seeds,
    whole_numbers,
)
from mascarade_env.game._batch_kernels import Games, Part, Shown
from mascarade_env.game._positions import NOBODY
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.game._state import GAME, new_rows
from mascarade_env.game._threads import run_all, shares
from mascarade_env.knowledge._facts import FACTS
from mascarade_env.knowledge._follower import Follower
from mascarade_env.knowledge._windows import RING
from mascarade_env.knowledge._world_memory import HEAP, HIGHEST_LIMIT, SET
from mascarade_env.observation._blocks import COLUMNS, FULL, TRACKS, Track
from mascarade_env.observation._encoder import observe_games
from mascarade_env.observation._full_state import reveal_games
from mascarade_env.observation._schema import LAYOUT, Schema, check_padding, schema_of

Autoreset: TypeAlias = Literal["same_step", "next_step", "disabled"]
_AUTORESET: tuple[str, ...] = get_args(Autoreset)  # in the order of the numbers in kernels
_COLUMNS = [(column.name, column.axes) for column in COLUMNS]
_FORMAT = f"{GAME} {FACTS} {RING} {LAYOUT} {_COLUMNS} {SET} {HEAP}"  # format of a pickle

#: The default of `most_worlds`. With six masks there are at most 720 worlds, so beliefs are then
#: always exact.
BATCH_WORLD_LIMIT = 4096

R = TypeVar("R")
S = TypeVar("S", bound=np.generic)


@final
class Batch:
    """Many games of one scenario, stepped together; not safe to call from several threads at once.

    A row with seed s plays the same game as `Game(scenario, seed=s)`. Copies and pickles are
    independent and continue in the same way.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        size: the number of games B.
        seed: one seed, from which the seed of each row is derived, or B seeds; None for random
            seeds.
        autoreset: what happens to a row whose game is over. "same_step": the same call deals the
            next game, and `final` keeps the last position of the old one. "next_step": the next
            call of `step` deals and ignores the row's action. "disabled": the row waits for
            `reset`.
        track: the contents of observations: "memory", "belief" or "both" (see `Schema`). None for
            no observations, which is faster.
        padded: whether observations, masks and action ids are laid out for 12 seats, 14 slots and
            all 16 masks, so that one network fits every scenario.
        most_worlds: the largest number of worlds that a belief keeps. A world is one placement of
            all masks that fits what the viewer has seen. A belief that would have more worlds is
            thinned: a random sample of them is kept, and the belief becomes approximate.
        learner: the only player of a row who decides by `step`: [B] players, or one for all rows.
            The other players decide uniformly at random within the step, from the random numbers
            of the row. None or -1: all players decide by `step`.
        threads: the number of threads that a step uses. Results do not depend on it. Use more than
            one for a thousand games or more, and at most one for each core.

    Attributes:
        player: [B] int64, the acting player; -1 in a row whose game is over.
        observation: [B, D] float32, the observation of that player, laid out by `schema`; zeros in
            a row whose game is over. In a row with a learner it is the learner's observation, even
            when the game is over. In this row only the beliefs of the learner and the onlooker are
            computed; all other beliefs are zeros.
        mask: [B, A] int8, 1 for each legal action id; all ones in a row whose game is over.
        rewards: [B, n] float32, all players' returns on the step that ends a game, else 0.
        terminated: [B] bool, whether the row's last step ended its game with one or more winners.
        truncated: [B] bool, whether that step truncated the game at the turn limit. Both arrays
            keep their values while the row waits for `reset`.
        state: [B] of GAME, the full state. Its field "seed" is the seed of the current game. An
            agent must not see it.
        final: [B] of GAME, the last position of the row's latest finished game. Its values have no
            meaning until a game of the row has finished.
        learner: [B] int64, the only player who decides by `step`; -1 if all players do.
        unpadded: [A] int64, for each action id of the batch its id in `Game`; -1 if the scenario
            lacks the action. Without `padded` the two ids are equal.
        schema: the `Schema` of `observation`; None without a track.
    """

    def __init__(  # noqa: PLR0913  options by keyword
        self,
        scenario: str | Path | Mapping[str, Any] | Scenario,
        size: int,
        *,
        seed: Seeds = None,
        autoreset: Autoreset = "same_step",
        track: Track | None = "both",
        padded: bool = False,
        most_worlds: int = BATCH_WORLD_LIMIT,
        learner: ArrayLike | None = None,
        threads: int = 1,
    ) -> None:
        size = whole(size, "size", at_least=1)
        if autoreset not in _AUTORESET:
            raise MascaradeError(
                f"autoreset must be one of {', '.join(_AUTORESET)}, not {autoreset!r}"
            )
        if track is not None and track not in TRACKS:
            raise MascaradeError(
                f"track must be one of {', '.join(TRACKS)}, or None, not {track!r}"
            )
        if whole(most_worlds, "most_worlds", at_least=2) > HIGHEST_LIMIT:
            raise MascaradeError(f"most_worlds must be at most {HIGHEST_LIMIT}, not {most_worlds}")
        parts = min(whole(threads, "threads", at_least=1), size)
        self.scenario = resolve(scenario)
        self.autoreset: Autoreset = autoreset
        self.padded = bool(padded)
        if padded:
            check_padding(self.scenario)
        self.schema = None if track is None else Schema(self.scenario, track, padded=self.padded)
        rows = new_rows(self.scenario, size)
        ids = int(actions.count_ids(rows[0]))
        outside = np.array(actions.padded_ids(rows[0]) if padded else range(ids), np.int64)
        self.num_actions = actions.MAX_ACTIONS if padded else ids
        inside = np.full(self.num_actions, NOBODY)
        inside[outside] = np.arange(ids)
        shown = Shown(
            player=np.zeros(size, np.int64),
            mask=np.zeros((size, self.num_actions), np.int8),
            rewards=np.zeros((size, self.scenario.players), np.float32),
            terminated=np.zeros(size, np.bool_),
            truncated=np.zeros(size, np.bool_),
            observation=np.zeros((size, self.schema.size if self.schema else 0), np.float32),
            layouts=self.schema.layout.copy() if self.schema else np.zeros(1, LAYOUT),
            outside=outside,
            inside=inside,
        )
        followers = [
            self._follower(some.stop - some.start, most_worlds) for some in shares(size, parts)
        ]
        self._hold(kernels.new_games(rows, parts), shown, followers)
        self.reset(seed=rng.checked_seed(None) if seed is None else seed, learner=learner)

    def _follower(self, games: int, most_worlds: int) -> Follower:
        if self.schema is None:
            return Follower(self.scenario, (), 0, windows=False, worlds=0)
        return Follower(
            self.scenario,
            self.schema.masks,
            games,
            windows="window" in self.schema.places,
            worlds=most_worlds if self._believing else 0,
        )

    def _hold(self, games: Games, shown: Shown, followers: list[Follower]) -> None:
        self._games, self._shown, self._followers = games, shown, followers
        self._shares = shares(len(games.rows), len(followers))
        self._parts = [self._part(number) for number in range(len(followers))]
        self._all = np.ones(len(games.rows), np.bool_)
        self._mode = _AUTORESET.index(self.autoreset)
        self.state = _read_only(games.rows)
        self.final = _read_only(games.final)
        self.learner = _read_only(games.learner)
        self.player = _read_only(shown.player)
        self.observation = _read_only(shown.observation)
        self.mask = _read_only(shown.mask)
        self.rewards = _read_only(shown.rewards)
        self.terminated = _read_only(shown.terminated)
        self.truncated = _read_only(shown.truncated)
        self.unpadded = _read_only(shown.inside)

    def _part(self, number: int) -> Part:
        """Return the arrays that kernels need for the games of one thread."""
        some = self._shares[number]
        own = slice(number, number + 1)
        games, shown = self._games, self._shown
        return Part(
            Games._make([*(array[some] for array in games[:-2]), *(a[own] for a in games[-2:])]),
            Shown._make([*(array[some] for array in shown[:-3]), *shown[-3:]]),
            self._followers[number].data,
        )

    def __getstate__(self) -> dict[str, Any]:
        self._keep_worlds()
        return {
            "format": _FORMAT,
            "scenario": self.scenario,
            "autoreset": self.autoreset,
            "track": self.schema.track if self.schema else None,
            "padded": self.padded,
            "games": [array.copy() for array in self._games],
            "shown": [array.copy() for array in self._shown],
            "followers": [follower.copy() for follower in self._followers],
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        if saved.get("format") != _FORMAT:
            raise MascaradeError(
                "this batch was pickled by another version of mascarade_env; make a new batch"
            )
        self.scenario = saved["scenario"]
        self.autoreset = saved["autoreset"]
        self.padded = saved["padded"]
        track = saved["track"]
        self.schema = None if track is None else Schema(self.scenario, track, padded=self.padded)
        games, shown = Games(*map(np.array, saved["games"])), Shown(*map(np.array, saved["shown"]))
        self._hold(games, shown, saved["followers"])
        self.num_actions = self.mask.shape[1]

    def __len__(self) -> int:
        return len(self.state)

    def reset(
        self,
        *,
        seed: Seeds = None,
        series: NDArray[np.int64] | None = None,
        rows: ArrayLike | None = None,
        learner: ArrayLike | None = None,
    ) -> None:
        """Deal new games.

        Args:
            seed: as for the batch. None deals the next game of each row's series.
            series: [B, 2] int64, an earlier value of the attribute `series`, from a batch of the
                same scenario; pass it instead of a seed. It deals those games again.
            rows: [B] bool, the rows in which to deal; all by default. Arrays for `seed` and
                `learner` need B entries even then; entries of other rows are ignored.
            learner: as for the batch. None keeps the learners.

        Raises:
            MascaradeError: an argument is not valid; no row has changed.
        """
        which = self._rows(rows)
        seeds = row_seeds(seed, len(self))
        given = None if series is None else checked_series(series, len(self))
        if learner is not None:
            learners = self._players(learner)
            if (learners != NOBODY).any():
                check_learning(self.scenario)
            np.copyto(self._games.learner, learners, where=which)
        if given is not None:
            np.copyto(self._games.first_seed, given[:, 0], where=which)
            np.copyto(self._games.episode, given[:, 1] - 1, where=which)  # the next one is dealt
        self._finish(self._call(kernels.reset_rows, which, seeds))

    def step(self, actions: ArrayLike, *, rows: ArrayLike | None = None) -> None:
        """Take one decision in each row, then update the arrays.

        Args:
            actions: [B] action ids.
            rows: [B] bool, the rows to step; all by default. The other rows do not change, and
                their actions are ignored.

        Raises:
            IllegalActionError: an action is illegal; the error names the first such row. No row has
                changed.
        """
        given = whole_numbers(actions, len(self))
        taken = given.astype(np.int64, copy=False)
        which = self._rows(rows)
        if len(self._parts) == 1:
            result = kernels.step_rows(self._parts[0], which, taken, self._mode)
            if result[0] == kernels.DONE:
                return  # the usual case; a fast way out for batches of one game
            results = [result]
        else:
            # Check all parts before one begins, so that an error changes no row.
            self._make_possible(self._call(kernels.check_rows, which, taken), given)
            results = self._call(kernels.step_rows, which, taken, self._mode)
        if self._make_possible(results, given):
            results = self._call(kernels.step_rows, which, taken, self._mode)
        self._finish(results)

    def _call(self, kernel: Callable[..., R], *arguments: Any) -> list[R]:
        """Call a kernel for each part, with the part's rows of each [B] array."""
        if len(self._parts) == 1:
            return [kernel(self._parts[0], *arguments)]
        return run_all(
            [
                partial(
                    kernel,
                    part,
                    *(
                        each[some] if isinstance(each, np.ndarray) and len(each) else each
                        for each in arguments
                    ),
                )
                for part, some in self._by_part()
            ]
        )

    def _by_part(self) -> Iterator[tuple[Part, slice]]:
        """Return, for each thread, the arrays that kernels need and the range of its rows."""
        return zip(self._parts, self._shares, strict=True)

    def _make_possible(
        self, results: list[tuple[int, int]], given: NDArray[np.integer[Any]]
    ) -> bool:
        """Raise for an illegal action, and make room for worlds; return whether room was made."""
        grew = False
        for number, (status, value) in enumerate(results):
            if status == kernels.ILLEGAL:
                row = self._shares[number].start + value
                raise IllegalActionError(f"row {row}: {self.refusal(row, int(given[row]))}")
            if status == kernels.NO_ROOM:
                self._grow(number, value)
                grew = True
        return grew

    def _finish(self, results: list[tuple[int, int]]) -> None:
        """Make room for worlds until the kernels have finished all rows."""
        for number, result in enumerate(results):
            status, need = result
            while status == kernels.NOT_YET:
                self._grow(number, need)
                which = self._all[self._shares[number]]
                none = np.empty(0, np.int64)
                status, need = kernels.step_rows(self._parts[number], which, none, self._mode)

    def _grow(self, number: int, need: int) -> None:
        self._keep_worlds()
        self._followers[number].grow(need)
        self._parts[number] = self._part(number)

    def _keep_worlds(self) -> None:
        """Make followers hold the arrays that kernels use; an interrupt may have separated them."""
        for part, follower in zip(self._parts, self._followers, strict=True):
            follower.data = part.known

    def random_actions(self, *, rows: ArrayLike | None = None) -> NDArray[np.int64]:
        """Return uniformly random legal actions, [B], from the random numbers of each row.

        Args:
            rows: [B] bool, the rows to sample for; all by default. The others get 0.
        """
        picked = np.zeros(len(self), np.int64)
        self._call(kernels.pick_rows, self._rows(rows), picked)
        return picked

    def refusal(self, row: int, action: int) -> IllegalActionError:
        """Return the error for an action id that is illegal in a row; it lists the legal actions.

        Args:
            row: the number of a game, 0..B-1.
            action: a whole number that `step` refuses as an action of this row.

        Raises:
            MascaradeError: there is no such row, or the action is not a whole number.
        """
        place = whole(row, "row", at_least=0)
        if place >= len(self):
            raise MascaradeError(f"row must be 0..{len(self) - 1}, not {place}")
        number = whole(action, "an action id")
        g = self.state[place]
        if not 0 <= number < self.num_actions:
            return IllegalActionError(
                f"action id {number} is out of range: ids are 0..{self.num_actions - 1}"
            )
        inside = int(self.unpadded[number])
        if inside == NOBODY:
            return IllegalActionError(
                f"{self.scenario.name} does not have the seat, slot or mask of action id {number}; "
                f"legal: {', '.join(actions.legal_words(g))}"
            )
        return actions.illegal(g, actions.word_of(g, inside))

    # What players know

    def observe(self, player: ArrayLike) -> NDArray[np.float32]:
        """Return the observation of one player of each game, acting or not, [B, D].

        Args:
            player: [B] players, or one for all games; -1 gives zeros.

        """
        schema = self._need_track()
        viewers, out = self._players(player), np.empty((len(self), schema.size), np.float32)
        for part, some in self._by_part():
            observe_games(part.known, schema.layout, viewers[some], out[some])
        return out

    def full_state(self, player: ArrayLike | None = None) -> NDArray[np.float32]:
        """Return the full state and all beliefs, [B, F], laid out by `Schema(..., "full")`.

        For critics and debugging only: an agent must not see it.

        Args:
            player: the player whose seat is the first slot, as for `observe`; by default the acting
                player.
        """
        self._need_beliefs()
        schema = schema_of(self.scenario, FULL, self.padded)
        viewers = self._players(self.player if player is None else player)
        out = np.empty((len(self), schema.size), np.float32)
        for part, some in self._by_part():
            reveal_games(part.games.rows, part.known, schema.layout, viewers[some], out[some])
        return out

    def belief(self, viewer: ArrayLike | Literal["onlooker"]) -> NDArray[np.float32]:
        """Return neutral beliefs (rules 8): probabilities of masks at slots, [B, slots, masks].

        Args:
            viewer: [B] players, one player for all games, or "onlooker"; -1 gives zeros.
        """
        schema = self._need_beliefs()
        onlooker = isinstance(viewer, str) and viewer == "onlooker"
        viewers = np.full(len(self), self.scenario.players) if onlooker else self._players(viewer)
        beliefs = [follower.data.beliefs.probabilities for follower in self._followers]
        table = np.concatenate(beliefs)[np.arange(len(self)), viewers]
        table[viewers == NOBODY] = 0
        return table.reshape(len(self), self.scenario.slots, len(schema.masks))

    @property
    def exact(self) -> NDArray[np.bool_]:
        """Whether the belief of each player, and last of the onlooker, is exact, [B, n + 1]."""
        self._need_beliefs()
        sets = [follower.data.beliefs.sets["exact"] for follower in self._followers]
        return np.concatenate(sets) != 0

    @property
    def thinned(self) -> int:
        """The number of times that a belief was thinned because it had more than `most_worlds`."""
        return sum(int(f.data.beliefs.heap["thinned"][0]) for f in self._followers)

    @property
    def series(self) -> NDArray[np.int64]:
        """The seed of each row's first game, and the number of its current game from 0: [B, 2].

        `reset(series=...)` deals these games again; the same decisions then lead to the same
        positions. The seeds determine the deals, so an agent must not see them.
        """
        return np.stack([self._games.first_seed, self._games.episode], axis=1)

    @property
    def nbytes(self) -> int:
        """The memory of all games, in bytes; it grows as beliefs become less certain."""
        arrays = sum(array.nbytes for array in (*self._games, *self._shown))
        return arrays + sum(follower.nbytes for follower in self._followers)

    @property
    def free_bytes(self) -> int:
        """The part of `nbytes` that beliefs do not use now, but may use later."""
        return sum(follower.free_bytes for follower in self._followers)

    @property
    def _believing(self) -> bool:
        return self.schema is not None and "own_belief" in self.schema.places

    def _need_track(self) -> Schema:
        if self.schema is None:
            raise MascaradeError(
                'this batch has no observations; make it with a track, such as track="both"'
            )
        return self.schema

    def _need_beliefs(self) -> Schema:
        if self.schema is None or not self._believing:
            raise MascaradeError(
                'this batch has no beliefs; make it with track="both" or track="belief"'
            )
        return self.schema

    def _players(self, player: ArrayLike) -> NDArray[np.int64]:
        return chosen_players(player, len(self), self.scenario.players)

    def _rows(self, rows: ArrayLike | None) -> NDArray[np.bool_]:
        """Return whether each row is chosen, [B]."""
        return self._all if rows is None else chosen_rows(rows, len(self))


def _read_only(array: NDArray[S]) -> NDArray[S]:
    view = array.view()
    view.flags.writeable = False
    return view
