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

from mascarade_env.core import actions, knowledge, observe, rng, rules
from mascarade_env.core._jit import compiled, inlined
from mascarade_env.core.actions import LEGAL, Legal
from mascarade_env.core.blocks import COLUMNS, FULL, TRACKS, Track
from mascarade_env.core.errors import IllegalActionError, MascaradeError, whole
from mascarade_env.core.events import LOG, Log
from mascarade_env.core.full_state import view
from mascarade_env.core.knowledge import HEAP, SET, Beliefs, Heap, Sets, Worlds
from mascarade_env.core.notes import NOTES, prepare, watch
from mascarade_env.core.scenarios import Scenario, resolve
from mascarade_env.core.schema import LAYOUT, Schema, check_padding, schema_of
from mascarade_env.core.state import (
    GAME,
    NOBODY,
    RUNNING,
    TABLE,
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
_FORMAT = f"{GAME} {NOTES} {LAYOUT} {COLUMNS} {SET} {HEAP}"  # a pickle fits the same layouts alone

#: Worlds that a belief of a batch may have before it is thinned. With six masks there are never
#: more than 720, so beliefs are always exact then.
MOST_WORLDS = 4096

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
    outside: NDArray[np.int64]  # the id outside of each id of the scenario; they differ if padded
    inside: NDArray[np.int64]  # the other way round, -1 for none
    notes: Rows  # [B] of NOTES
    layouts: NDArray[Any]  # [1] of schema.LAYOUT
    observation: NDArray[np.float32]


# What changes games is one kernel, so that an interrupt finds all of a step done or nothing.


@compiled
def _deal_next(g: Row, log: Log, first_seed: int, episode: int) -> None:
    """Start the game of a row with this number."""
    rng.seed_row(g, rng.episode_seed(first_seed, episode))
    rules.deal(g, log)


@compiled
def _need(a: _Arrays, b: Beliefs) -> int:
    """How many more worlds there must be room for before a step."""
    rows, sets = a.rows, b.sets
    need = 0
    if sets.shape[0]:
        for i in range(len(rows)):
            if rows[i].phase == TABLE:
                need += knowledge.need_before_return(sets, i)
    return need if b.heap[0].top + need > len(b.worlds) else 0


@compiled
def _first_illegal(a: _Arrays, taken: NDArray[np.int64]) -> int:
    """The first row whose action is illegal."""
    mask = a.mask
    for i in range(len(taken)):
        if not (0 <= taken[i] < mask.shape[1] and mask[i, taken[i]]):
            return i
    return _ALL_LEGAL


@inlined
def _take_note(
    notes: Rows,
    sets: Sets,
    chances: NDArray[np.float32],
    heap: Heap,
    worlds: Worlds,
    scratch: NDArray[np.int64],
    sums: NDArray[np.float64],
    i: int,
    log: Log,
) -> None:
    """What the events of a step in row i tell; there may be nobody to listen."""
    if len(notes):
        watch(notes[i], log)
        if len(sets) and knowledge.tells_of_masks(log):
            knowledge.believe(sets, chances, heap, worlds, scratch, sums, i, log, notes[i])


@inlined
def _show(
    g: Row,
    legal: Legal,
    player_of: NDArray[np.int64],
    mask: NDArray[np.int8],
    outside: NDArray[np.int64],
    i: int,
) -> None:
    """Who decides in row i, and what is legal; all is, once the game is over."""
    if g.status != RUNNING:
        player_of[i] = NOBODY
        mask[i, :] = 1
        return
    player_of[i] = player_on(g, g.actor)
    mask[i, :] = 0
    actions.find_legal(g, legal)
    for k in range(legal.count):
        mask[i, outside[legal.id[k]]] = 1


@compiled
def _reset_rows(a: _Arrays, b: Beliefs, which: NDArray[np.bool_], seeds: NDArray[np.int64]) -> None:
    """Start the next game of the rows chosen, or with seeds the first of a new series."""
    rows, log, legal, first_seed, episode = a.rows, a.logs[0], a.legals[0], a.first_seed, a.episode
    rewards, terminated, truncated = a.rewards, a.terminated, a.truncated
    player_of, mask, outside = a.player, a.mask, a.outside
    notes = a.notes
    sets, chances, heap, worlds = b.sets, b.chances, b.heap[0], b.worlds
    scratch, sums = b.scratch, b.sums
    for i in range(len(which)):
        if not which[i]:
            continue
        if len(seeds):
            first_seed[i] = seeds[i]
            episode[i] = 0
        else:
            episode[i] += 1
        g = rows[i]
        _deal_next(g, log, first_seed[i], episode[i])
        rewards[i, :] = 0
        terminated[i] = False
        truncated[i] = False
        _take_note(notes, sets, chances, heap, worlds, scratch, sums, i, log)
        _show(g, legal, player_of, mask, outside, i)
    if len(notes):
        view(rows, notes, sets, chances, a.layouts, player_of, a.observation)


@compiled
def _step_rows(a: _Arrays, b: Beliefs, taken: NDArray[np.int64], autoreset: int) -> None:
    """One decision in each row whose game runs, all known to be legal."""
    rows, log, legal, first_seed, episode = a.rows, a.logs[0], a.legals[0], a.first_seed, a.episode
    rewards, terminated, truncated, final = a.rewards, a.terminated, a.truncated, a.final
    player_of, mask, outside, inside = a.player, a.mask, a.outside, a.inside
    notes, layout, observation = a.notes, a.layouts[0], a.observation
    sets, chances, heap, worlds = b.sets, b.chances, b.heap[0], b.worlds
    scratch, sums = b.scratch, b.sums
    for i in range(len(rows)):
        g = rows[i]
        rewards[i, :] = 0
        deal = False
        if g.status == RUNNING:
            rules.apply(g, log, inside[taken[i]])
            _take_note(notes, sets, chances, heap, worlds, scratch, sums, i, log)
            if g.status != RUNNING:
                terminated[i] = g.status == WON
                truncated[i] = g.status == TRUNCATED
                final[i] = g
                for player in range(g.players):
                    rewards[i, player] = rules.returns_of(g, player)
                deal = autoreset == _SAME_STEP
            else:
                terminated[i] = False
                truncated[i] = False
        elif autoreset == _NEXT_STEP:
            terminated[i] = False
            truncated[i] = False
            deal = True
        if deal:
            episode[i] += 1
            _deal_next(g, log, first_seed[i], episode[i])
            _take_note(notes, sets, chances, heap, worlds, scratch, sums, i, log)
        _show(g, legal, player_of, mask, outside, i)
        if len(notes):
            # As `view` does, but while the game is at hand.
            line = observation[i]
            if g.status != RUNNING:
                line[:] = 0.0
                continue
            observe.observe(line, notes[i], player_of[i], layout)
            if len(sets):
                observe.observe_beliefs(line, notes[i], player_of[i], layout, sets, chances, i)


@compiled
def _pick_rows(
    rows: Rows, legals: Rows, outside: NDArray[np.int64], picked: NDArray[np.int64]
) -> None:
    """A random legal id for each row, 0 where the game is over."""
    legal = legals[0]
    for i in range(len(rows)):
        g = rows[i]
        picked[i] = outside[rules.random_id(g, legal)] if g.status == RUNNING else 0


@compiled
def _prepare_rows(a: _Arrays) -> None:
    for i in range(len(a.notes)):
        prepare(a.notes[i], a.rows[i], a.layouts[0])


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
        track: what observations hold: "memory", "belief" or "both" (see `Schema`); None for no
            observations, which is faster.
        padded: observations, masks and action ids as if there were 12 seats, 14 slots and all 16
            masks, so that one network fits every scenario.
        most_worlds: worlds that a belief may have before it is thinned and no longer exact.

    A row with seed s plays the game that `Game(scenario, seed=s)` plays; `state["seed"]` shows the
    seed of the game that each row plays now. Copies and pickles go on by themselves.

    Attributes:
        player: [B] who decides, -1 in a row whose game is over.
        observation: [B, D] what that player may know, laid out by `schema`; zeros if over.
        mask: [B, A] one for each legal action id; all ones in a row whose game is over.
        rewards: [B, n] the returns of all players on the step that ends a game, else 0.
        terminated: [B] whether the row's last step ended its game by the rules.
        truncated: [B] whether it ran into the turn limit; both stay set while the row rests.
        state: [B] rows of GAME, the whole truth; never hand it to an agent.
        final: [B] the row as its latest finished game left it; no game at all before the first.
        schema: what the numbers of `observation` mean; None without a track.
    """

    def __init__(
        self,
        scenario: str | Path | Mapping[str, Any] | Scenario,
        size: int,
        *,
        seed: Seeds = None,
        autoreset: Autoreset = "same_step",
        track: Track | None = "both",
        padded: bool = False,
        most_worlds: int = MOST_WORLDS,
    ) -> None:
        size = whole(size, "size", at_least=1)
        if autoreset not in _AUTORESET:
            raise MascaradeError(f"autoreset is one of {_AUTORESET}, not {autoreset!r}")
        if track is not None and track not in TRACKS:
            raise MascaradeError(f"a track is one of {', '.join(TRACKS)} or None, not {track!r}")
        if whole(most_worlds, "most_worlds", at_least=2) > knowledge.MOST_WORLDS:
            raise MascaradeError(
                f"most_worlds is at most {knowledge.MOST_WORLDS}, not {most_worlds}"
            )
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
        believed = size if self._believing else 0
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
                outside=outside,
                inside=inside,
                notes=np.zeros(size if self.schema else 0, NOTES),
                layouts=self.schema.layout.copy() if self.schema else np.zeros(1, LAYOUT),
                observation=np.zeros((size, self.schema.size if self.schema else 0), np.float32),
            ),
            knowledge.new_beliefs(
                believed,
                self.scenario.players,
                self.scenario.slots,
                len(self.schema.masks) if self.schema else 0,
                most_worlds,
            ),
        )
        _prepare_rows(self._arrays)
        self.reset(seed=rng.checked_seed(None) if seed is None else seed)

    def _hold(self, arrays: _Arrays, beliefs: Beliefs) -> None:
        self._arrays = arrays
        self._beliefs = beliefs
        self.state = _read_only(arrays.rows)
        self.final = _read_only(arrays.final)
        self.player = _read_only(arrays.player)
        self.observation = _read_only(arrays.observation)
        self.mask = _read_only(arrays.mask)
        self.rewards = _read_only(arrays.rewards)
        self.terminated = _read_only(arrays.terminated)
        self.truncated = _read_only(arrays.truncated)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "scenario": self.scenario,
            "autoreset": self.autoreset,
            "track": self.schema.track if self.schema else None,
            "padded": self.padded,
            "arrays": [array.copy() for array in self._arrays],
            "beliefs": [array.copy() for array in self._beliefs],
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        if saved.get("format") != _FORMAT:
            raise MascaradeError("this batch was pickled by another version of mascarade_env")
        self.scenario = saved["scenario"]
        self.autoreset = saved["autoreset"]
        self.padded = saved["padded"]
        track = saved["track"]
        self.schema = None if track is None else Schema(self.scenario, track, padded=self.padded)
        self._hold(
            _Arrays(*map(np.array, saved["arrays"])), Beliefs(*map(np.array, saved["beliefs"]))
        )
        self.num_actions = self.mask.shape[1]

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
        _reset_rows(self._arrays, self._beliefs, which, self._row_seeds(seed))

    def step(self, actions: ArrayLike) -> None:
        """Take one decision in each row, by action id; the arrays then show the new positions.

        Raises:
            IllegalActionError: for the first row whose action is illegal; no row has changed.
        """
        given = _whole_numbers(actions, len(self))
        taken = given.astype(np.int64)
        bad = int(_first_illegal(self._arrays, taken))
        if bad != _ALL_LEGAL:
            raise self._illegal(bad, int(given[bad]))
        if need := int(_need(self._arrays, self._beliefs)):
            self._beliefs = knowledge.grown(self._beliefs, need)
        _step_rows(self._arrays, self._beliefs, taken, _AUTORESET.index(self.autoreset))

    def random_actions(self) -> NDArray[np.int64]:
        """A uniformly random legal action for each row, by the rows' own random numbers."""
        picked = np.empty(len(self), np.int64)
        _pick_rows(self._arrays.rows, self._arrays.legals, self._arrays.outside, picked)
        return picked

    # What players know

    def observe(self, player: ArrayLike) -> NDArray[np.float32]:
        """[B, D] what one player of each game may know now, also when it is not theirs to decide.

        Args:
            player: [B], or one number for all games; -1 gives zeros.
        """
        schema = self._need_track()
        return self._observed(player, schema.layout, schema.size)

    def full_state(self, player: ArrayLike | None = None) -> NDArray[np.float32]:
        """[B, F] the truth and everybody's beliefs, laid out by `Schema(..., "full")`.

        For critics and debugging; never hand it to an agent.

        Args:
            player: from whose seat slots are listed, as for `observe`; who decides by default.
        """
        self._need_beliefs()
        schema = schema_of(self.scenario, FULL, self.padded)
        return self._observed(self.player if player is None else player, schema.layout, schema.size)

    def belief(self, viewer: ArrayLike | Literal["onlooker"]) -> NDArray[np.float32]:
        """[B, slots, masks] neutral beliefs (rules 8), the slots as they are numbered.

        Args:
            viewer: [B] players, -1 for zeros, one player for all games, or "onlooker".
        """
        schema = self._need_beliefs()
        onlooker = isinstance(viewer, str) and viewer == "onlooker"
        who = np.full(len(self), self.scenario.players) if onlooker else self._players(viewer)
        table = self._beliefs.chances[np.arange(len(self)), who]
        table[who == NOBODY] = 0
        return table.reshape(len(self), self.scenario.slots, len(schema.masks))

    @property
    def exact(self) -> NDArray[np.bool_]:
        """[B, n + 1] whether the belief of each player, and last the onlooker's, is exact."""
        self._need_beliefs()
        return self._beliefs.sets["exact"] != 0

    @property
    def thinned(self) -> int:
        """How often a belief has outgrown `most_worlds`."""
        return int(self._beliefs.heap["thinned"][0])

    @property
    def nbytes(self) -> int:
        """Memory of all games, in bytes; beliefs take more as they become less certain."""
        return sum(array.nbytes for array in (*self._arrays, *self._beliefs))

    @property
    def _believing(self) -> bool:
        return self.schema is not None and "own_belief" in self.schema.places

    def _need_track(self) -> Schema:
        if self.schema is None:
            raise MascaradeError("this batch makes no observations; give it a track")
        return self.schema

    def _need_beliefs(self) -> Schema:
        if self.schema is None or not self._believing:
            raise MascaradeError('this batch has no beliefs; give it track="both" or "belief"')
        return self.schema

    def _observed(self, player: ArrayLike, layout: NDArray[Any], size: int) -> NDArray[np.float32]:
        a, b = self._arrays, self._beliefs
        out = np.empty((len(self), size), np.float32)
        view(a.rows, a.notes, b.sets, b.chances, layout, self._players(player), out)
        return out

    def _players(self, player: ArrayLike) -> NDArray[np.int64]:
        """[B] players, or -1 for nobody."""
        given = _array(player)
        if given.dtype.kind not in "iu" or given.shape not in ((), (len(self),)):
            raise MascaradeError(f"player is one number or {len(self)}, one a game")
        if not ((given >= NOBODY) & (given < self.scenario.players)).all():
            raise MascaradeError(
                f"a player is a number 0..{self.scenario.players - 1}, or -1 for nobody"
            )
        return np.broadcast_to(given, len(self)).astype(np.int64)

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
            known = 0 <= action < self.num_actions
            inside = int(self._arrays.inside[action]) if known else action
            if inside == NOBODY and known:
                return IllegalActionError(
                    f"row {row}: action id {action} is of a seat or mask that is not in this "
                    f"scenario; legal: {', '.join(actions.legal_words(g))}"
                )
            error = actions.illegal(g, actions.word_of(g, inside))
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
