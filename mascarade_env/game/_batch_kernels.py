"""What a `Batch` does to its games in one call: reset and step, as kernels.

What changes games is one kernel a call, so that an interrupt finds all of a step done or nothing;
where players decide by themselves between two steps, it may also find some rows on their way.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled, inlined, sealed
from mascarade_env.game import _actions as actions
from mascarade_env.game import _rng as rng
from mascarade_env.game import _rules as rules
from mascarade_env.game._actions import Legal
from mascarade_env.game._events import Log
from mascarade_env.game._positions import (
    NOBODY,
    RUNNING,
    TABLE,
    TRUNCATED,
    WON,
    Row,
    Rows,
    player_on,
)
from mascarade_env.knowledge import _beliefs as knowledge
from mascarade_env.knowledge._beliefs import Beliefs, Heap, Sets, Worlds
from mascarade_env.knowledge._facts import Layout, prepare, watch
from mascarade_env.observation import _encoder as observe

SAME_STEP, NEXT_STEP, DISABLED = range(3)  # what becomes of a row whose game is over
# How a call ended, with a number: nothing to say; the row whose action is illegal; how many more
# worlds there must be room for, before anything was done or for some rows to come to their end.
DONE, ILLEGAL, NO_ROOM, NOT_YET = range(4)


class Arrays(NamedTuple):
    """What kernels read and write."""

    rows: Rows  # [B] of GAME
    logs: Rows  # [1] of LOG, room that all rows share
    legals: Rows  # [1] of LEGAL, the same
    first_seed: NDArray[np.int64]  # of the row's series of games
    episode: NDArray[np.int64]  # number in that series of the game played now
    learner: NDArray[np.int64]  # the only player who decides by steps, -1 if all do
    unfinished: NDArray[np.bool_]  # rows in which there was no room to go on
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


@compiled
def prepare_rows(a: Arrays) -> None:
    """Note the scenario for whoever listens."""
    for i in range(len(a.notes)):
        prepare(a.notes[i], a.rows[i], a.layouts[0])


@sealed
def pick_rows(a: Arrays, which: NDArray[np.bool_], picked: NDArray[np.int64]) -> None:
    """A random legal id for each of the rows chosen whose game runs."""
    rows, legal, outside = a.rows, a.legals[0], a.outside
    for i in range(len(rows)):
        if which[i] and rows[i].status == RUNNING:
            picked[i] = outside[rules.random_id(rows[i], legal)]


@compiled
def _deal(g: Row, log: Log, first_seed: int, episode: int) -> None:
    """Start the game of a row with this number."""
    rng.seed_row(g, rng.episode_seed(first_seed, episode))
    rules.deal(g, log)


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
def _play_on(
    g: Row,
    log: Log,
    legal: Legal,
    learner: int,
    reserved: int,
    notes: Rows,
    sets: Sets,
    chances: NDArray[np.float32],
    heap: Heap,
    worlds: Worlds,
    scratch: NDArray[np.int64],
    sums: NDArray[np.float64],
    i: int,
) -> int:
    """Random decisions until it is for the learner to decide, if there is one.

    Returns how many more worlds there must be room for to go on; 0 when all is done.
    """
    need = 0
    while (
        need == 0
        and learner != NOBODY
        and g.status == RUNNING
        and player_on(g, g.actor) != learner
    ):  # fmt: skip
        if len(sets) and g.phase == TABLE:
            need = knowledge.need_before_return(sets, i)
            if heap.top + reserved + need <= len(worlds):
                need = 0
        if need == 0:
            rules.apply(g, log, rules.random_id(g, legal))
            _take_note(notes, sets, chances, heap, worlds, scratch, sums, i, log)
    return need


@inlined
def _show(
    g: Row,
    legal: Legal,
    learner: int,
    player_of: NDArray[np.int64],
    mask: NDArray[np.int8],
    outside: NDArray[np.int64],
    notes: Rows,
    layout: Layout,
    sets: Sets,
    chances: NDArray[np.float32],
    observation: NDArray[np.float32],
    i: int,
) -> None:
    """Who decides in row i, what is legal, and what the one who decides, or learns, may know."""
    if g.status == RUNNING:
        player_of[i] = player_on(g, g.actor)
        mask[i, :] = 0
        actions.find_legal(g, legal)
        for k in range(legal.count):
            mask[i, outside[legal.id[k]]] = 1
    else:
        player_of[i] = NOBODY
        mask[i, :] = 1
    if len(notes):
        line = observation[i]
        viewer = player_of[i] if learner == NOBODY else learner
        if viewer == NOBODY:
            line[:] = 0.0
        else:
            observe.observe(line, notes[i], viewer, layout)
            if len(sets):
                observe.observe_beliefs(line, notes[i], viewer, layout, sets, chances, i)


@sealed
def reset_rows(
    a: Arrays, b: Beliefs, which: NDArray[np.bool_], seeds: NDArray[np.int64]
) -> tuple[int, int]:
    """Start the next game of the rows chosen, or with seeds the first of a new series."""
    rows, log, legal, first_seed, episode = a.rows, a.logs[0], a.legals[0], a.first_seed, a.episode
    rewards, terminated, truncated = a.rewards, a.terminated, a.truncated
    learners, unfinished = a.learner, a.unfinished
    player_of, mask, outside = a.player, a.mask, a.outside
    notes, layout, observation = a.notes, a.layouts[0], a.observation
    sets, chances, heap, worlds = b.sets, b.chances, b.heap[0], b.worlds
    scratch, sums = b.scratch, b.sums
    missing = 0
    for i in range(len(which)):
        if not which[i]:
            continue
        if len(seeds):
            first_seed[i] = seeds[i]
            episode[i] = 0
        else:
            episode[i] += 1
        if len(sets):
            knowledge.follow_one(sets, i, learners[i])
        g = rows[i]
        _deal(g, log, first_seed[i], episode[i])
        rewards[i, :] = 0
        terminated[i] = False
        truncated[i] = False
        _take_note(notes, sets, chances, heap, worlds, scratch, sums, i, log)
        need = _play_on(
            g, log, legal, learners[i], 0, notes, sets, chances, heap, worlds, scratch, sums, i
        )
        missing += need
        unfinished[i] = need > 0
        _show(
            g, legal, learners[i], player_of, mask, outside,
            notes, layout, sets, chances, observation, i,
        )  # fmt: skip
    return (NOT_YET, missing) if missing else (DONE, 0)


@sealed
def step_rows(
    a: Arrays, b: Beliefs, which: NDArray[np.bool_], taken: NDArray[np.int64], autoreset: int
) -> tuple[int, int]:
    """One decision in each of the rows chosen whose game runs; or with none taken, go on."""
    rows, log, legal, first_seed, episode = a.rows, a.logs[0], a.legals[0], a.first_seed, a.episode
    rewards, terminated, truncated, final = a.rewards, a.terminated, a.truncated, a.final
    learners, unfinished = a.learner, a.unfinished
    player_of, mask, outside, inside = a.player, a.mask, a.outside, a.inside
    notes, layout, observation = a.notes, a.layouts[0], a.observation
    sets, chances, heap, worlds = b.sets, b.chances, b.heap[0], b.worlds
    scratch, sums = b.scratch, b.sums
    reserved = 0
    for i in range(len(taken)):
        if which[i]:
            if not (0 <= taken[i] < mask.shape[1] and mask[i, taken[i]]):
                return ILLEGAL, i
            if len(sets) and rows[i].phase == TABLE:
                reserved += knowledge.need_before_return(sets, i)
    if len(taken) and heap.top + reserved > len(worlds):
        return NO_ROOM, reserved
    missing = 0
    for i in range(len(rows)):
        g = rows[i]
        if len(taken) == 0:
            if not unfinished[i]:
                continue
        elif not which[i]:
            continue
        else:
            rewards[i, :] = 0
            if g.status == RUNNING:
                rules.apply(g, log, inside[taken[i]])
            elif autoreset == NEXT_STEP:
                episode[i] += 1
                _deal(g, log, first_seed[i], episode[i])
            else:
                continue
            terminated[i] = False
            truncated[i] = False
            _take_note(notes, sets, chances, heap, worlds, scratch, sums, i, log)
        need, more = 0, True
        while more:
            need = _play_on(
                g, log, legal, learners[i], reserved,
                notes, sets, chances, heap, worlds, scratch, sums, i,
            )  # fmt: skip
            more = False
            if g.status != RUNNING:
                terminated[i] = g.status == WON
                truncated[i] = g.status == TRUNCATED
                final[i] = g
                for player in range(g.players):
                    rewards[i, player] = rules.returns_of(g, player)
                if autoreset == SAME_STEP:
                    more = True
                    episode[i] += 1
                    _deal(g, log, first_seed[i], episode[i])
                    _take_note(notes, sets, chances, heap, worlds, scratch, sums, i, log)
        missing += need
        unfinished[i] = need > 0
        _show(
            g, legal, learners[i], player_of, mask, outside,
            notes, layout, sets, chances, observation, i,
        )  # fmt: skip
    return (NOT_YET, reserved + missing) if missing else (DONE, 0)
