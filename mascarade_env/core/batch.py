"""Many games in step: arrays in, arrays out.

    batch = Batch("6A", size=4096, seed=0)
    while training:
        batch.step(policy(batch.state, batch.player, batch.mask))

Each row is a game of its own; `player[b]` is who decides in row b, so rows run out of phase. All
arrays are allocated once and written in place: they are read-only views that change with the next
step, so copy what must last.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env.core import actions, rng, rules
from mascarade_env.core._jit import compiled
from mascarade_env.core.actions import LEGAL
from mascarade_env.core.errors import IllegalActionError, MascaradeError
from mascarade_env.core.events import LOG
from mascarade_env.core.scenarios import Scenario, resolve
from mascarade_env.core.state import NOBODY, RUNNING, TRUNCATED, WON, Rows, new_rows, player_on

Autoreset: TypeAlias = Literal["same_step", "next_step", "disabled"]
_AUTORESET: tuple[str, ...] = get_args(Autoreset)
_SAME_STEP, _NEXT_STEP, _DISABLED = range(3)
_ALL_LEGAL = -1


@compiled
def _deal_row(
    rows: Rows, i: int, first_seed: Rows, episode: Rows, logs: Rows, legals: Rows, player: Rows,
    mask: Rows,
) -> None:  # fmt: skip
    """Start the next game of a row."""
    rng.seed_row(rows[i], rng.episode_seed(first_seed[i], episode[i]))
    rules.deal(rows[i], logs[0])
    _show_row(rows, i, legals, player, mask)


@compiled
def _show_row(rows: Rows, i: int, legals: Rows, player: Rows, mask: Rows) -> None:
    """Write who decides in a row, and the mask: all ones once the game is over."""
    g = rows[i]
    if g.status != RUNNING:
        player[i] = NOBODY
        mask[i, :] = 1
        return
    player[i] = player_on(g, g.actor)
    mask[i, :] = 0
    legal = legals[0]
    actions.find_legal(g, legal)
    for k in range(legal.count):
        mask[i, legal.id[k]] = 1


@compiled
def _deal_rows(
    rows: Rows, which: Rows, first_seed: Rows, episode: Rows, logs: Rows, legals: Rows,
    player: Rows, mask: Rows, rewards: Rows, terminated: Rows, truncated: Rows,
) -> None:  # fmt: skip
    """Start new games in the rows chosen, whose seeds are set."""
    for i in range(len(rows)):
        if which[i]:
            _deal_row(rows, i, first_seed, episode, logs, legals, player, mask)
            rewards[i, :] = 0
            terminated[i] = False
            truncated[i] = False


@compiled
def _first_illegal(actions_taken: Rows, mask: Rows) -> int:
    """The first row whose action is not legal, or _ALL_LEGAL."""
    for i in range(len(mask)):
        action = actions_taken[i]
        if not (0 <= action < mask.shape[1] and mask[i, action]):
            return i
    return _ALL_LEGAL


@compiled
def _step_rows(
    rows: Rows, taken: Rows, autoreset: int, first_seed: Rows, episode: Rows, logs: Rows,
    legals: Rows, player: Rows, mask: Rows, rewards: Rows, terminated: Rows, truncated: Rows,
    final: Rows,
) -> None:  # fmt: skip
    """One decision in each row whose game runs, all known to be legal."""
    for i in range(len(rows)):
        g = rows[i]
        rewards[i, :] = 0
        if g.status != RUNNING:
            if autoreset == _NEXT_STEP:
                terminated[i] = False
                truncated[i] = False
                episode[i] += 1
                _deal_row(rows, i, first_seed, episode, logs, legals, player, mask)
            continue
        rules.apply(g, logs[0], taken[i])
        terminated[i] = g.status == WON
        truncated[i] = g.status == TRUNCATED
        if g.status != RUNNING:
            for p in range(g.players):
                rewards[i, p] = rules.returns_of(g, p)
            final[i] = rows[i]
            if autoreset == _SAME_STEP:
                episode[i] += 1
                _deal_row(rows, i, first_seed, episode, logs, legals, player, mask)
                continue
        _show_row(rows, i, legals, player, mask)


@compiled
def _pick_rows(rows: Rows, legals: Rows, picked: Rows) -> None:
    """A random legal id for each row, 0 where the game is over."""
    for i in range(len(rows)):
        g = rows[i]
        picked[i] = rules.random_id(g, legals[0]) if g.status == RUNNING else 0


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
        self.num_actions = int(actions.count_ids(self._rows[0]))
        self._final = self._rows.copy()
        self._first_seed = np.zeros(size, np.int64)
        self._episode = np.zeros(size, np.int64)
        self._player = np.zeros(size, np.int64)
        self._mask = np.zeros((size, self.num_actions), np.int8)
        self._rewards = np.zeros((size, self.scenario.players), np.float32)
        self._terminated = np.zeros(size, np.bool_)
        self._truncated = np.zeros(size, np.bool_)
        self._logs = np.zeros(1, LOG)
        self._legals = np.zeros(1, LEGAL)
        self.player = _read_only(self._player)
        self.mask = _read_only(self._mask)
        self.rewards = _read_only(self._rewards)
        self.terminated = _read_only(self._terminated)
        self.truncated = _read_only(self._truncated)
        self.state = _read_only(self._rows)
        self.final = _read_only(self._final)
        self.reset(seed=seed)

    def __len__(self) -> int:
        return len(self._rows)

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
        _deal_rows(
            self._rows, which, self._first_seed, self._episode, self._logs, self._legals,
            self._player, self._mask, self._rewards, self._terminated, self._truncated,
        )  # fmt: skip

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
        bad = int(_first_illegal(taken, self._mask))
        if bad != _ALL_LEGAL:
            raise self._illegal(bad, int(taken[bad]))
        _step_rows(
            self._rows, taken, self._mode, self._first_seed, self._episode, self._logs,
            self._legals, self._player, self._mask, self._rewards, self._terminated,
            self._truncated, self._final,
        )  # fmt: skip

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
        g = self._rows[row]
        try:
            error = actions.illegal(g, actions.word_of(g, action))
        except IllegalActionError as out_of_range:
            error = out_of_range
        return IllegalActionError(f"row {row}: {error}")


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
