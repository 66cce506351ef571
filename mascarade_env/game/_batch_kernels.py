"""The compiled functions of `Batch`: reset and step.

One call of a kernel changes all games, so that a user's interrupt comes before or after a whole
step. There is one exception: with a learner, an interrupt may come before the other players of
some games have finished deciding.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import inlined, sealed
from mascarade_env._jit.prefetch import LINE, prefetch
from mascarade_env.game import _actions as actions
from mascarade_env.game import _rng as rng
from mascarade_env.game import _rules as rules
from mascarade_env.game._actions import LEGAL
from mascarade_env.game._events import LOG
from mascarade_env.game._positions import NOBODY, RUNNING, TABLE, TRUNCATED, WON, Rows, player_on
from mascarade_env.knowledge._follower import Followed, follow, lacks_room, missing_room
from mascarade_env.knowledge._world_memory import WORLD, follow_one, need_before_return
from mascarade_env.observation._encoder import encode

SAME_STEP, NEXT_STEP, DISABLED = range(3)  # values of `autoreset`, see Batch

# A kernel returns one of these statuses and a number. DONE: the number has no meaning. ILLEGAL: it
# is the row of an illegal action. NO_ROOM: it is the number of worlds for which memory is missing,
# and nothing has changed. NOT_YET: as NO_ROOM, but some rows are done and the others unfinished.
DONE, ILLEGAL, NO_ROOM, NOT_YET = range(4)

# Prefetch the memory of a game this many games before it is used.
_AHEAD = 2
_WORLDS_A_LINE = LINE // WORLD.itemsize


class Games(NamedTuple):
    """The games of a batch."""

    rows: Rows  # [B] of GAME
    final: Rows  # [B] of GAME, the end of the latest game
    first_seed: NDArray[np.int64]  # [B] seed of the first game of the row's series
    episode: NDArray[np.int64]  # [B] number of the current game in that series, from 0
    learner: NDArray[np.int64]  # [B] the only player who decides by `step`, -1 if all do
    unfinished: NDArray[np.bool_]  # [B] rows that stopped because memory for worlds was full
    need: NDArray[np.int32]  # [B] number of worlds that the next decision may add
    logs: Rows  # [1] of LOG, working memory for all rows
    legals: Rows  # [1] of LEGAL, working memory for all rows


def new_games(rows: Rows, parts: int) -> Games:
    """Return the games of rows that are not dealt yet, with working memory for each thread."""
    size = len(rows)
    return Games(
        rows=rows,
        final=rows.copy(),
        first_seed=np.zeros(size, np.int64),
        episode=np.zeros(size, np.int64),
        learner=np.full(size, NOBODY, np.int64),
        unfinished=np.zeros(size, np.bool_),
        need=np.zeros(size, np.int32),
        logs=np.zeros(parts, LOG),
        legals=np.zeros(parts, LEGAL),
    )


class Shown(NamedTuple):
    """The arrays of a batch that users see, read-only."""

    player: NDArray[np.int64]  # [B]
    mask: NDArray[np.int8]  # [B, A]
    rewards: NDArray[np.float32]  # [B, n]
    terminated: NDArray[np.bool_]  # [B]
    truncated: NDArray[np.bool_]  # [B]
    observation: NDArray[np.float32]  # [B, D], D = 0 without a track
    layouts: NDArray[Any]  # [1] of LAYOUT
    outside: NDArray[np.int64]  # for each id of the scenario, the id for users, which may be padded
    inside: NDArray[np.int64]  # [A] for each id for users, the id of the scenario, -1 for none


class Part(NamedTuple):
    """The games of one thread: all arrays that kernels need."""

    games: Games
    shown: Shown
    known: Followed


@sealed
def pick_rows(p: Part, which: NDArray[np.bool_], picked: NDArray[np.int64]) -> None:
    """Write a random legal id for each chosen row whose game is not over."""
    rows, legal, outside = p.games.rows, p.games.legals[0], p.shown.outside
    for i in range(len(which)):
        if which[i] and rows[i].status == RUNNING:
            picked[i] = outside[rules.random_id(rows[i], legal)]


@sealed
def check_rows(p: Part, which: NDArray[np.bool_], taken: NDArray[np.int64]) -> tuple[int, int]:
    """Check that all actions are legal and that there is room for worlds; change nothing."""
    return _checked(p, which, taken)


@inlined
def _checked(p: Part, which: NDArray[np.bool_], taken: NDArray[np.int64]) -> tuple[int, int]:
    mask, reserved = p.shown.mask, 0
    for i in range(len(taken)):
        if which[i]:
            if not (0 <= taken[i] < mask.shape[1] and mask[i, taken[i]]):
                return ILLEGAL, i
            reserved += p.games.need[i]
    return (NO_ROOM if lacks_room(p.known, reserved) else DONE), reserved


@sealed
def reset_rows(p: Part, which: NDArray[np.bool_], seeds: NDArray[np.int64]) -> tuple[int, int]:
    """Deal the next game of each chosen row. If seeds are given, deal the first of a new series."""
    games, missing = p.games, 0
    for i in range(len(which)):
        if not which[i]:
            continue
        if len(seeds):
            games.first_seed[i] = seeds[i]
            games.episode[i] = -1
        if len(p.known.beliefs.sets):
            follow_one(p.known.beliefs.sets, i, games.learner[i])
        p.shown.rewards[i, :] = 0
        p.shown.terminated[i] = False
        p.shown.truncated[i] = False
        _deal_next(p, i)
        missing += _play_on(p, i, 0)
        _show(p, i)
    return (NOT_YET, missing) if missing else (DONE, 0)


@sealed
def step_rows(
    p: Part, which: NDArray[np.bool_], taken: NDArray[np.int64], autoreset: int
) -> tuple[int, int]:
    """Take one decision in each chosen row; if `taken` is empty, finish the unfinished rows."""
    games = p.games
    status, reserved = _checked(p, which, taken)
    if len(taken) and status != DONE:
        return status, reserved
    missing, believing = 0, len(p.known.beliefs.sets) > 0
    for i in range(len(which)):
        if believing and i + _AHEAD < len(which):
            _prefetch(p, i + _AHEAD)
        if len(taken):
            moves = which[i] and _begin_step(p, i, taken[i], autoreset)
        else:
            moves = games.unfinished[i]
        if moves:
            missing += _finish_step(p, i, reserved, autoreset)
            _show(p, i)
    return (NOT_YET, reserved + missing) if missing else (DONE, 0)


@inlined
def _prefetch(p: Part, i: int) -> None:
    """Prefetch the beliefs that change if a row puts masks back from under the table."""
    g, b = p.games.rows[i], p.known.beliefs
    if g.phase != TABLE:
        return
    for viewer in range(b.sets.shape[1]):
        held = b.sets[i, viewer]
        if held.doublings > 0:
            prefetch(b.worlds, held.begin)
            prefetch(b.worlds, held.begin + _WORLDS_A_LINE)


@inlined
def _begin_step(p: Part, i: int, taken: int, autoreset: int) -> bool:
    """Take a decision, or deal if the game is over; return whether the row has changed."""
    games, shown = p.games, p.shown
    g = games.rows[i]
    shown.rewards[i, :] = 0
    if g.status == RUNNING:
        rules.apply(g, games.logs[0], shown.inside[taken])
        _tell(p, i)
    elif autoreset == NEXT_STEP:
        _deal_next(p, i)
    else:
        return False
    shown.terminated[i] = False
    shown.truncated[i] = False
    return True


@inlined
def _finish_step(p: Part, i: int, reserved: int, autoreset: int) -> int:
    """Take random decisions until the learner decides; if the game ends, set its results.

    Args:
        p: the games.
        i: the row.
        reserved: number of worlds that other rows still need in this step.
        autoreset: what happens to a row whose game is over, see `Batch`.

    Returns:
        The number of worlds for which room is missing; 0 if the row is finished.
    """
    games, shown = p.games, p.shown
    g = games.rows[i]
    need, again = 0, True
    while again:
        need = _play_on(p, i, reserved)
        again = False
        if g.status != RUNNING:
            shown.terminated[i] = g.status == WON
            shown.truncated[i] = g.status == TRUNCATED
            games.final[i] = g
            for player in range(g.players):
                shown.rewards[i, player] = rules.returns_of(g, player)
            if autoreset == SAME_STEP:
                again = True
                _deal_next(p, i)
    return need


@inlined
def _deal_next(p: Part, i: int) -> None:
    """Deal the next game of a row's series."""
    games = p.games
    games.episode[i] += 1
    g = games.rows[i]
    rng.seed_row(g, rng.episode_seed(games.first_seed[i], games.episode[i]))
    rules.deal(g, games.logs[0])
    _tell(p, i)


@inlined
def _tell(p: Part, i: int) -> None:
    """Pass the events of a step to the follower, if there is one."""
    if p.known.games:
        follow(p.known, i, p.games.logs[0])


@inlined
def _play_on(p: Part, i: int, reserved: int) -> int:
    """Take random decisions until the learner of a row must decide; none if it has no learner.

    Returns:
        The number of worlds for which room is missing; 0 if all these decisions are taken.
    """
    g, learner = p.games.rows[i], p.games.learner[i]
    sets = p.known.beliefs.sets
    need = 0
    while (
        need == 0
        and learner != NOBODY
        and g.status == RUNNING
        and player_on(g, g.actor) != learner
    ):  # fmt: skip
        if len(sets) and g.phase == TABLE:
            need = missing_room(p.known, i, reserved)
        if need == 0:
            rules.apply(g, p.games.logs[0], rules.random_id(g, p.games.legals[0]))
            _tell(p, i)
    p.games.unfinished[i] = need > 0
    return need


@inlined
def _show(p: Part, i: int) -> None:
    """Write the acting player of a row, the legal actions, and the observation of that player.

    In a row with a learner, write the observation of the learner.
    """
    games, shown = p.games, p.shown
    g, legal = games.rows[i], games.legals[0]
    games.need[i] = 0
    if g.status == RUNNING:
        shown.player[i] = player_on(g, g.actor)
        shown.mask[i, :] = 0
        actions.find_legal(g, legal)
        for k in range(legal.count):
            shown.mask[i, shown.outside[legal.id[k]]] = 1
        if g.phase == TABLE and len(p.known.beliefs.sets):
            games.need[i] = need_before_return(p.known.beliefs.sets, i)
    else:
        shown.player[i] = NOBODY
        shown.mask[i, :] = 1
    if p.known.games:
        learner = int(games.learner[i])
        viewer = int(shown.player[i]) if learner == NOBODY else learner
        encode(shown.observation[i], shown.layouts[0], p.known, i, viewer)
