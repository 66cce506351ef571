"""Many games in step: arrays in, arrays out.

    batch = Batch("6A", size=4096, seed=0)
    while training:
        batch.step(policy(batch.player, batch.mask))

Each row is a game of its own; `player[b]` is who decides in row b, so rows run out of phase. All
arrays are allocated once and written in place: they are read-only views that change with the next
step, so copy what must last.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, final, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env.core import actions, rng, rules
from mascarade_env.core._jit import compiled
from mascarade_env.core.actions import LEGAL
from mascarade_env.core.errors import IllegalActionError, MascaradeError, whole
from mascarade_env.core.events import LOG, Log
from mascarade_env.core.scenarios import Scenario, resolve
from mascarade_env.core.state import (
    GAME,
    NOBODY,
    RUNNING,
    TRUNCATED,
    WON,
    Row,
    Rows,
    new_rows,
    player_on,
)

Autoreset: TypeAlias = Literal["same_step", "next_step", "disabled"]
Seeds: TypeAlias = int | Sequence[int] | NDArray[np.integer[Any]] | None
_AUTORESET: tuple[str, ...] = get_args(Autoreset)
_SAME_STEP, _NEXT_STEP = range(2)  # places in _AUTORESET
_ALL_LEGAL = -1

S = TypeVar("S", bound=np.generic)


class _Arrays(NamedTuple):
    """What kernels read and write."""

    rows: Rows  # [B] of GAME
    logs: Rows  # [1] of LOG, room that all rows share
    legals: Rows  # [1] of LEGAL, the same
    first_seed: NDArray[np.int64]  # of the row's series of games
    episode: NDArray[np.int64]  # number in that series of the game played now
    player: NDArray[np.int64]
    mask: NDArray[np.int8]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    final: Rows  # [B] of GAME


# What a user calls is one kernel, so that an interrupt finds all of it done or nothing. Loops over
# rows take the arrays they need one by one and hand none on: Numba counts references to arrays at
# each call of a helper and at each look into a tuple, which in a loop costs more than the rules do.


@compiled
def _deal_next(g: Row, log: Log, first_seed: int, episode: int) -> None:
    """Start the game of a row with this number."""
    rng.seed_row(g, rng.episode_seed(first_seed, episode))
    rules.deal(g, log)


@compiled
def _reset(a: _Arrays, which: NDArray[np.bool_], seeds: NDArray[np.int64]) -> None:
    """Start the next game of the rows chosen, or with seeds the first of a new series."""
    for i in range(len(which)):
        if not which[i]:
            continue
        if len(seeds):
            a.first_seed[i] = seeds[i]
            a.episode[i] = 0
        else:
            a.episode[i] += 1
        _deal_next(a.rows[i], a.logs[0], a.first_seed[i], a.episode[i])
        a.rewards[i, :] = 0
        a.terminated[i] = False
        a.truncated[i] = False
    _show_rows(a.rows, a.legals, a.player, a.mask)


@compiled
def _step(a: _Arrays, taken: NDArray[np.int64], autoreset: int) -> int:
    """One decision in each row whose game runs; returns the first row where it is illegal."""
    mask = a.mask
    for i in range(len(taken)):
        if not (0 <= taken[i] < mask.shape[1] and mask[i, taken[i]]):
            return i
    _play_rows(
        a.rows,
        a.logs,
        a.first_seed,
        a.episode,
        a.rewards,
        a.terminated,
        a.truncated,
        a.final,
        taken,
        autoreset,
    )
    _show_rows(a.rows, a.legals, a.player, mask)
    return _ALL_LEGAL


@compiled
def _play_rows(
    rows: Rows,
    logs: Rows,
    first_seed: NDArray[np.int64],
    episode: NDArray[np.int64],
    rewards: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    final: Rows,
    taken: NDArray[np.int64],
    autoreset: int,
) -> None:
    """One decision in each row whose game runs, all known to be legal."""
    log = logs[0]
    for i in range(len(rows)):
        g = rows[i]
        rewards[i, :] = 0
        if g.status == RUNNING:
            rules.apply(g, log, taken[i])
            terminated[i] = g.status == WON
            truncated[i] = g.status == TRUNCATED
            if g.status == RUNNING:
                continue
            final[i] = g
            for player in range(g.players):
                rewards[i, player] = rules.returns_of(g, player)
            deal = autoreset == _SAME_STEP
        else:
            deal = autoreset == _NEXT_STEP
            if deal:
                terminated[i] = False
                truncated[i] = False
        if deal:
            episode[i] += 1
            _deal_next(g, log, first_seed[i], episode[i])


@compiled
def _show_rows(rows: Rows, legals: Rows, player: NDArray[np.int64], mask: NDArray[np.int8]) -> None:
    """Write who decides in each row, and the mask: all ones once the game is over."""
    legal = legals[0]
    for i in range(len(rows)):
        g = rows[i]
        if g.status != RUNNING:
            player[i] = NOBODY
            mask[i, :] = 1
            continue
        player[i] = player_on(g, g.actor)
        mask[i, :] = 0
        actions.find_legal(g, legal)
        for k in range(legal.count):
            mask[i, legal.id[k]] = 1


@compiled
def _pick_rows(rows: Rows, legals: Rows, picked: NDArray[np.int64]) -> None:
    """A random legal id for each row, 0 where the game is over."""
    legal = legals[0]
    for i in range(len(rows)):
        g = rows[i]
        picked[i] = rules.random_id(g, legal) if g.status == RUNNING else 0


@final
class Batch:
    """Games of one scenario, stepped together, by one thread at a time.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        size: number of games.
        seed: one number, from which each row's is made, or one for each row; None draws one.
        autoreset: what becomes of a row whose game is over. "same_step": the next game is dealt at
            once, `final` keeps the last position of the old one. "next_step": the next call of
            `step` deals, whatever the row's action. "disabled": the row rests until `reset`.

    A row with seed s plays the game that `Game(scenario, seed=s)` plays; `state["seed"]` shows the
    seed of the game that each row plays now. Copies and pickles go on by themselves.

    Attributes:
        player: [B] who decides, -1 in a row whose game is over.
        mask: [B, A] one for each legal action id; all ones in a row whose game is over.
        rewards: [B, n] the returns of all players on the step that ends a game, else 0.
        terminated: [B] whether the row's last step ended its game by the rules.
        truncated: [B] whether it ran into the turn limit; both stay set while the row rests.
        state: [B] rows of GAME, the whole truth; never hand it to an agent.
        final: [B] the row as its latest finished game left it; no game at all before the first.
    """

    def __init__(
        self,
        scenario: str | Path | Mapping[str, Any] | Scenario,
        size: int,
        *,
        seed: Seeds = None,
        autoreset: Autoreset = "same_step",
    ) -> None:
        size = whole(size, "size", at_least=1)
        if autoreset not in _AUTORESET:
            raise MascaradeError(f"autoreset is one of {_AUTORESET}, not {autoreset!r}")
        self.scenario = resolve(scenario)
        self.autoreset: Autoreset = autoreset
        rows = new_rows(self.scenario, size)
        self.num_actions = int(actions.count_ids(rows[0]))
        self._hold(
            _Arrays(
                rows=rows,
                logs=np.zeros(1, LOG),
                legals=np.zeros(1, LEGAL),
                first_seed=np.zeros(size, np.int64),
                episode=np.zeros(size, np.int64),
                player=np.zeros(size, np.int64),
                mask=np.zeros((size, self.num_actions), np.int8),
                rewards=np.zeros((size, self.scenario.players), np.float32),
                terminated=np.zeros(size, np.bool_),
                truncated=np.zeros(size, np.bool_),
                final=rows.copy(),
            )
        )
        self.reset(seed=rng.checked_seed(None) if seed is None else seed)

    def _hold(self, arrays: _Arrays) -> None:
        self._arrays = arrays
        self.state = _read_only(arrays.rows)
        self.final = _read_only(arrays.final)
        self.player = _read_only(arrays.player)
        self.mask = _read_only(arrays.mask)
        self.rewards = _read_only(arrays.rewards)
        self.terminated = _read_only(arrays.terminated)
        self.truncated = _read_only(arrays.truncated)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "layout": str(GAME),
            "scenario": self.scenario,
            "autoreset": self.autoreset,
            "num_actions": self.num_actions,
            "arrays": [array.copy() for array in self._arrays],
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        if saved["layout"] != str(GAME):
            raise MascaradeError("this batch was pickled by another version of mascarade_env")
        self.scenario = saved["scenario"]
        self.autoreset = saved["autoreset"]
        self.num_actions = saved["num_actions"]
        self._hold(_Arrays(*map(np.array, saved["arrays"])))

    def __len__(self) -> int:
        return len(self.state)

    def reset(self, *, seed: Seeds = None, rows: ArrayLike | None = None) -> None:
        """Deal new games.

        Args:
            seed: as for the batch. None goes on with the next game of each row.
            rows: [B] of bool, the rows to deal anew; all by default. A seed for each row then
                still has B entries, and the others are not used.
        """
        which = np.ones(len(self), np.bool_) if rows is None else _array(rows)
        if which.shape != (len(self),) or which.dtype != np.bool_:
            raise MascaradeError(f"rows is an array of {len(self)} bools, one a game")
        _reset(self._arrays, which, self._row_seeds(seed))

    def step(self, actions: ArrayLike) -> None:
        """Take one decision in each row, by action id; the arrays then show the new positions.

        Raises:
            IllegalActionError: for the first row whose action is illegal; no row has changed.
        """
        taken = _whole_numbers(actions, len(self))
        bad = int(_step(self._arrays, taken.astype(np.int64), self._mode))
        if bad != _ALL_LEGAL:
            raise self._illegal(bad, int(taken[bad]))

    def random_actions(self) -> NDArray[np.int64]:
        """A uniformly random legal action for each row, by the rows' own random numbers."""
        picked = np.empty(len(self), np.int64)
        _pick_rows(self._arrays.rows, self._arrays.legals, picked)
        return picked

    @property
    def _mode(self) -> int:
        return _AUTORESET.index(self.autoreset)

    def _row_seeds(self, seed: Seeds) -> NDArray[np.int64]:
        """A seed for each row, or none at all."""
        if seed is None:
            return np.empty(0, np.int64)
        if isinstance(seed, list | tuple | range) or (isinstance(seed, np.ndarray) and seed.ndim):
            if len(seed) != len(self):
                raise MascaradeError(f"seed has {len(seed)} entries for {len(self)} games")
            return np.array([rng.given_seed(entry) for entry in seed], np.int64)
        # Not seed + row: batches of neighbouring seeds would then play almost the same games.
        words = np.random.SeedSequence(rng.given_seed(seed)).generate_state(len(self), np.uint64)
        return (words >> np.uint64(1)).astype(np.int64)

    def _illegal(self, row: int, action: int) -> IllegalActionError:
        g = self.state[row]
        try:
            error = actions.illegal(g, actions.word_of(g, action))
        except IllegalActionError as out_of_range:
            error = out_of_range
        return IllegalActionError(f"row {row}: {error}")


def _whole_numbers(values: ArrayLike, size: int) -> NDArray[np.integer[Any]]:
    array = _array(values)
    if array.shape != (size,) or array.dtype.kind not in "iu":
        raise IllegalActionError(
            f"actions is an array of {size} whole numbers, one a game, "
            f"not {array.dtype} of shape {array.shape}"
        )
    return array


def _array(values: ArrayLike) -> NDArray[Any]:
    try:
        return np.array(values)
    except ValueError:  # ragged
        return np.array(None)


def _read_only(array: NDArray[S]) -> NDArray[S]:
    view = array.view()
    view.flags.writeable = False
    return view
