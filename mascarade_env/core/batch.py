"""Many games in step: arrays in, arrays out.

    batch = Batch("6A", size=4096, seed=0)
    while training:
        batch.step(policy(batch.player, batch.mask))

Each row is a game of its own; `player[b]` is who decides in row b, so rows run out of phase. All
arrays are allocated once and written in place: they are read-only views that change with the next
step, so copy what must last.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env.core import actions, rng, rules
from mascarade_env.core._jit import compiled
from mascarade_env.core.actions import LEGAL
from mascarade_env.core.errors import IllegalActionError, MascaradeError
from mascarade_env.core.events import LOG, Log
from mascarade_env.core.scenarios import Scenario, resolve
from mascarade_env.core.state import NOBODY, RUNNING, TRUNCATED, WON, Row, Rows, new_rows, player_on

Autoreset: TypeAlias = Literal["same_step", "next_step", "disabled"]
_AUTORESET: tuple[str, ...] = get_args(Autoreset)
_SAME_STEP, _NEXT_STEP, _DISABLED = range(3)
_ALL_LEGAL = -1

S = TypeVar("S", bound=np.generic)


# Kernels take arrays one by one and hand none on: Numba counts references to arrays at each call of
# a helper and at each look into a tuple, which costs more than the rules do.


@compiled
def _deal_next(g: Row, log: Log, first_seed: int, episode: int) -> None:
    """Start the game of a row with this number."""
    rng.seed_row(g, rng.episode_seed(first_seed, episode))
    rules.deal(g, log)


@compiled
def _deal_rows(
    rows: Rows,
    logs: Rows,
    first_seed: NDArray[np.int64],
    rewards: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    which: NDArray[np.bool_],
) -> None:
    """Start the first game of the rows chosen."""
    log = logs[0]
    for i in range(len(rows)):
        if which[i]:
            _deal_next(rows[i], log, first_seed[i], 0)
            rewards[i, :] = 0
            terminated[i] = False
            truncated[i] = False


@compiled
def _play_rows(
    rows: Rows,
    logs: Rows,
    first_seed: NDArray[np.int64],
    rewards: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    episode: NDArray[np.int64],
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


@compiled
def _first_illegal(mask: NDArray[np.int8], taken: NDArray[np.int64]) -> int:
    """The first row whose action is not legal, or _ALL_LEGAL."""
    for i in range(len(taken)):
        action = taken[i]
        if not (0 <= action < mask.shape[1] and mask[i, action]):
            return i
    return _ALL_LEGAL


class Batch:
    """Games of one scenario, stepped together.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        size: number of games.
        seed: one number for all (row b starts with seed + b), or one for each row; None draws one.
        autoreset: what becomes of a row whose game is over. "same_step": the next game is dealt at
            once, `final` keeps the last position of the old one. "next_step": the next call of
            `step` ignores the row's action and deals. "disabled": the row rests until `reset`.

    A row with seed s plays the game that `Game(scenario, seed=s)` plays; its later games have
    seeds made from s and their number, shown in `state["seed"]`.

    Attributes:
        player: [B] who decides, -1 in a row whose game is over.
        mask: [B, A] one for each legal action id; all ones in a row whose game is over.
        rewards: [B, n] the returns of all players on the step that ends a game, else 0.
        terminated: [B] whether the row's last step ended its game by the rules.
        truncated: [B] whether it ran into the turn limit; both stay set while the row rests.
        state: [B] rows of GAME, the whole truth; never hand it to an agent.
        final: [B] the row as its latest finished game left it.
    """

    def __init__(
        self,
        scenario: str | Mapping[str, Any] | Scenario,
        size: int,
        *,
        seed: int | Sequence[int] | NDArray[np.integer[Any]] | None = None,
        autoreset: Autoreset = "same_step",
    ) -> None:
        if type(size) is not int or size < 1:
            raise MascaradeError(f"size is a whole number of games, at least 1, not {size!r}")
        if autoreset not in _AUTORESET:
            raise MascaradeError(f"autoreset is one of {_AUTORESET}, not {autoreset!r}")
        self.scenario = resolve(scenario)
        self.autoreset: Autoreset = autoreset
        self._mode = _AUTORESET.index(autoreset)
        self._rows = new_rows(self.scenario, size)
        self._final = self._rows.copy()
        self._logs = np.zeros(1, LOG)
        self._legals = np.zeros(1, LEGAL)
        self._first_seed = np.zeros(size, np.int64)
        self._episode = np.zeros(size, np.int64)
        self.num_actions = int(actions.count_ids(self._rows[0]))
        self._player = np.zeros(size, np.int64)
        self._mask = np.zeros((size, self.num_actions), np.int8)
        self._rewards = np.zeros((size, self.scenario.players), np.float32)
        self._terminated = np.zeros(size, np.bool_)
        self._truncated = np.zeros(size, np.bool_)
        self.state = _read_only(self._rows)
        self.final = _read_only(self._final)
        self.player = _read_only(self._player)
        self.mask = _read_only(self._mask)
        self.rewards = _read_only(self._rewards)
        self.terminated = _read_only(self._terminated)
        self.truncated = _read_only(self._truncated)
        # What dealing and playing both write.
        self._results = (
            self._rows,
            self._logs,
            self._first_seed,
            self._rewards,
            self._terminated,
            self._truncated,
        )
        self.reset(seed=seed)

    def __len__(self) -> int:
        return len(self.state)

    def reset(
        self,
        *,
        seed: int | Sequence[int] | NDArray[np.integer[Any]] | None = None,
        rows: ArrayLike | None = None,
    ) -> None:
        """Deal new games.

        Args:
            seed: as for the batch; None draws one.
            rows: [B] of bool, the rows to deal anew; all by default. A seed for each row then
                still has B entries, and the others are not used.
        """
        which = np.ones(len(self), np.bool_) if rows is None else np.asarray(rows)
        if which.shape != (len(self),) or which.dtype != np.bool_:
            raise MascaradeError(f"rows is an array of {len(self)} bools, one a game")
        seeds = self._row_seeds(seed)
        self._first_seed[which] = seeds[which]
        self._episode[which] = 0
        _deal_rows(*self._results, which)
        _show_rows(self._rows, self._legals, self._player, self._mask)

    def step(self, actions: ArrayLike) -> None:
        """Take one decision in each row, by action id; the arrays then show the new positions.

        Raises:
            IllegalActionError: for the first row whose action is illegal; no row has changed.
        """
        taken = np.asarray(actions)
        if taken.shape != (len(self),) or taken.dtype.kind not in "iu":
            raise IllegalActionError(
                f"actions is an array of {len(self)} whole numbers, one a game, "
                f"not {taken.dtype} of shape {taken.shape}"
            )
        taken = taken.astype(np.int64, copy=False)
        bad = int(_first_illegal(self._mask, taken))
        if bad != _ALL_LEGAL:
            raise self._illegal(bad, int(taken[bad]))
        _play_rows(*self._results, self._episode, self._final, taken, self._mode)
        _show_rows(self._rows, self._legals, self._player, self._mask)

    def random_actions(self) -> NDArray[np.int64]:
        """A uniformly random legal action for each row, by the rows' own random numbers."""
        picked = np.empty(len(self), np.int64)
        _pick_rows(self._rows, self._legals, picked)
        return picked

    def _row_seeds(
        self, seed: int | Sequence[int] | NDArray[np.integer[Any]] | None
    ) -> NDArray[np.int64]:
        size = len(self)
        if isinstance(seed, list | tuple | np.ndarray) and np.ndim(seed) > 0:
            if len(seed) != size:
                raise MascaradeError(f"seed has {len(seed)} entries for {size} games")
            return np.array([rng.checked_seed(entry) for entry in seed], np.int64)
        first = rng.checked_seed(None) // 2 if seed is None else rng.checked_seed(seed)
        last = rng.checked_seed(first + size - 1)
        return np.arange(first, last + 1, dtype=np.int64)

    def _illegal(self, row: int, action: int) -> IllegalActionError:
        g = self.state[row]
        try:
            error = actions.illegal(g, actions.word_of(g, action))
        except IllegalActionError as out_of_range:
            error = out_of_range
        return IllegalActionError(f"row {row}: {error}")


def _read_only(array: NDArray[S]) -> NDArray[S]:
    view = array.view()
    view.flags.writeable = False
    return view
