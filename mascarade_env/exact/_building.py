"""Build the tree of a scenario from the rules, level by level.

For each level, `build` takes every legal decision in each running game of the previous level. So
memory holds the game states of two levels. On each level, every distinct history that a player has
seen gets a number. Two nodes of a level are in the same information state if the histories that the
acting player has seen have the same number.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._jit import compiled
from mascarade_env.exact._game_tree import GameTree
from mascarade_env.exact._memories import (
    PairNumbers,
    extended,
    grow,
    new_pair_numbers,
    number_of,
    packed,
    remembered,
)
from mascarade_env.exact._tree import Tree
from mascarade_env.game import _rng as rng
from mascarade_env.game import _rules as rules
from mascarade_env.game._actions import LEGAL, find_legal
from mascarade_env.game._events import LOG, LOG_SIZE
from mascarade_env.game._positions import RUNNING, Rows
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.game._state import GAME, new_rows

#: The default limit for the number of nodes of a tree.
MOST_NODES = 20_000_000


class Frontier(NamedTuple):
    """The running games of a level."""

    rows: Rows  # [R] of GAME
    seen: NDArray[np.int64]  # [R, n] the number of the history that each player has seen
    keys: NDArray[np.int64]  # [R, n] the key of that history


class Numbers(NamedTuple):
    """The numbers of the events that players have seen; equal numbers mean equal events."""

    steps: PairNumbers  # numbers for the events of one decision; kept for the whole tree
    seen: PairNumbers  # numbers for all events of a game so far; kept for one level


class Buffers(NamedTuple):
    """The arrays into which the rules write."""

    logs: Rows  # [1] of LOG
    legals: Rows  # [1] of LEGAL


class Following(NamedTuple):
    """The next level, during its construction."""

    level: Frontier  # the running games, with room for one at each node
    running: NDArray[np.bool_]  # [N] whether the game of each node is running
    ends: NDArray[np.int32]  # [N] the winners of games that are over, as bit sets
    done: NDArray[np.int64]  # [3] see _ROWS, _CHILDREN and _RUNNING


@dataclass
class Level:
    """The entries that a level adds to the arrays of the tree."""

    # For each node:
    state: NDArray[np.int32]
    own: NDArray[np.int8]
    # For each information state:
    owner: NDArray[np.int8]
    options: NDArray[np.int32]
    keys: NDArray[np.int64]
    turn: NDArray[np.int32]
    phase: NDArray[np.int8]
    announced: NDArray[np.int8]
    # For each option:
    actions: NDArray[np.int16]


def build(
    scenario: str | Path | Mapping[str, Any] | Scenario,
    *,
    most_nodes: int = MOST_NODES,
    progress: Callable[[int], None] | None = None,
) -> GameTree:
    """Build the tree of a scenario.

    Args:
        scenario: a name such as "small-2", a `.json` file, a mapping, or a `Scenario`, with a turn
            limit and a fixed deal.
        most_nodes: the largest number of nodes, so that a large tree does not fill the memory.
        progress: a function that `build` calls after each level with the number of nodes so far.

    Raises:
        MascaradeError: the scenario has no turn limit, no fixed deal, or too many nodes.
    """
    played = resolve(scenario)
    _check(played)
    builder = _Builder(played)
    levels: list[Level] = []
    nodes, running = 1, np.ones(1, np.bool_)
    ends = np.zeros(1, np.int32)
    while True:
        levels.append(builder.level(running, ends))
        if progress is not None:
            progress(nodes)
        if not running.any():
            return _joined(played, levels)
        nodes += builder.children()
        if nodes > most_nodes:
            raise MascaradeError(
                f"the tree of {played.name} has more than {most_nodes} nodes: use a smaller "
                "turn_limit or fewer masks, or raise most_nodes"
            )
        running, ends = builder.expand()


def _check(scenario: Scenario) -> None:
    name = scenario.name
    if scenario.turn_limit is None:
        raise MascaradeError(
            f"{name} has no turn_limit, so its tree has no end: use a scenario with a turn_limit, "
            "such as small-2"
        )
    if not scenario.fixed_deal:
        raise MascaradeError(
            f"{name} has a random deal that all players see, so each deal has a different tree: "
            "use a scenario with fixed_deal=True, which has one deal"
        )


class _Builder:
    """Builds a tree level by level; it holds the running games of the last level."""

    def __init__(self, scenario: Scenario) -> None:
        self.players = scenario.players
        self.buffers = Buffers(np.zeros(1, LOG), np.zeros(1, LEGAL))
        rows = new_rows(scenario, 1)
        keys = np.arange(1, self.players + 1)[None, :]
        _deal(rows, self.buffers.logs, keys)
        self.frontier = Frontier(rows, np.arange(1, self.players + 1)[None, :], keys)
        self.steps = new_pair_numbers(1 << 10, 0)
        self.last = self.players  # the last number given to a history
        self.states = 0
        self.counts = np.zeros(0, np.int64)

    def level(self, running: NDArray[np.bool_], ends: NDArray[np.int32]) -> Level:
        """Return the arrays of the level whose running games are the frontier.

        Args:
            running: [N] whether the game of each node is running.
            ends: [N] the winners at the nodes where the game is over, as bit sets.
        """
        rows, seen, keys = self.frontier
        each = np.arange(len(rows))
        deciding = rows["player_at"][each, rows["actor"]]
        _, firsts, state = np.unique(seen[each, deciding], return_index=True, return_inverse=True)
        # Number the states in the order of nodes: sweeps then read memory in order.
        order = np.argsort(firsts)
        firsts = firsts[order]
        state = np.argsort(order)[state]
        options = np.empty(len(rows), np.int64)
        _count_options(rows, self.buffers.legals, options)
        self.counts = options
        start = np.concatenate([[0], np.cumsum(options[firsts])])
        actions = np.full(start[-1], -1, np.int16)
        if not _list_options(rows, self.buffers.legals, state, start, actions):
            raise AssertionError("two nodes of one information state have different legal actions")
        first = rows[firsts]
        whole = ~ends
        whole[running] = self.states + state
        own = np.full(len(running), -1, np.int8)
        own[running] = rows["mask_at"][each, rows["actor"]]
        self.states += len(firsts)
        return Level(
            state=whole,
            own=own,
            owner=deciding[firsts],
            options=options[firsts].astype(np.int32),
            keys=keys[firsts, deciding[firsts]],
            turn=first["turn"],
            phase=first["phase"],
            announced=first["announced"],
            actions=actions,
        )

    def children(self) -> int:
        """Return the number of nodes that the next level will have."""
        return int(self.counts.sum())

    def expand(self) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        """Make the next level the frontier; return `running` and `ends` of its nodes."""
        size = self.children()
        n = self.players
        following = Following(
            level=Frontier(np.empty(size, GAME), *np.empty((2, size, n), np.int64)),
            running=np.zeros(size, np.bool_),
            ends=np.zeros(size, np.int32),
            done=np.zeros(3, np.int64),
        )
        seen = new_pair_numbers(max(1 << 12, size), self.last)
        while True:
            full_map = _expand(self.frontier, Numbers(self.steps, seen), self.buffers, following)
            if full_map == _STEPS:
                self.steps = grow(self.steps)
            elif full_map == _SEEN:
                seen = grow(seen)
            else:
                break
        self.last = int(seen.used[1])
        count = following.done[_RUNNING]
        self.frontier = Frontier(*(array[:count] for array in following.level))
        return following.running, following.ends


# Results of `_expand`: the array that is full, or none.
_NOTHING, _STEPS, _SEEN = range(3)
# What `Following.done` counts: rows of the last level, children of these, children that run.
_ROWS, _CHILDREN, _RUNNING = range(3)


@compiled
def _deal(rows: Rows, logs: Rows, keys: NDArray[np.int64]) -> None:
    """Deal the game, and add the events of the deal to the key of each player."""
    g, log = rows[0], logs[0]
    rng.seed_row(g, 0)
    rules.deal(g, log)
    for player in range(g.players):
        for k in range(log.count):
            if remembered(log.event[k], player):
                keys[0, player] = extended(keys[0, player], log.event[k])


@compiled
def _count_options(rows: Rows, legals: Rows, options: NDArray[np.int64]) -> None:
    for i in range(len(rows)):
        find_legal(rows[i], legals[0])
        options[i] = legals[0].count


@compiled
def _list_options(
    rows: Rows,
    legals: Rows,
    state: NDArray[np.int64],
    start: NDArray[np.int64],
    actions: NDArray[np.int16],
) -> bool:
    """Write the legal actions of each information state.

    Return False if two nodes of one information state have different legal actions.
    """
    legal = legals[0]
    for i in range(len(rows)):
        find_legal(rows[i], legal)
        begin = start[state[i]]
        if start[state[i] + 1] - begin != legal.count:
            return False
        for k in range(legal.count):
            if actions[begin + k] == -1:
                actions[begin + k] = legal.id[k]
            elif actions[begin + k] != legal.id[k]:
                return False
    return True


@compiled
def _expand(level: Frontier, numbers: Numbers, buffers: Buffers, following: Following) -> int:
    """Take every decision in every game of a level, and write the results into `following`.

    `following.done` counts the finished work, so a second call continues where the first stopped.

    Returns:
        `_NOTHING` if the level is complete. `_STEPS` or `_SEEN` if this map is too small: then the
        caller must grow the map and call again.
    """
    log, legal = buffers.logs[0], buffers.legals[0]
    done, new = following.done, following.level
    n = level.seen.shape[1]
    while done[_ROWS] < len(level.rows):
        row = done[_ROWS]
        find_legal(level.rows[row], legal)
        # Check the room for the worst case before writing anything of this row: then the caller can
        # grow the maps and call again.
        if len(numbers.steps.number) < 2 * (numbers.steps.used[0] + legal.count * n * LOG_SIZE):
            return _STEPS
        if len(numbers.seen.number) < 2 * (numbers.seen.used[0] + legal.count * n):
            return _SEEN
        for k in range(legal.count):
            child = done[_RUNNING]
            # Play in the row that the child keeps if it is running; else the next child reuses it.
            new.rows[child] = level.rows[row]
            rules.apply(new.rows[child], log, legal.id[k])
            if new.rows[child].status == RUNNING:
                following.running[done[_CHILDREN]] = True
                for player in range(n):
                    step, key = 0, level.keys[row, player]
                    for e in range(log.count):
                        if remembered(log.event[e], player):
                            step = number_of(numbers.steps, step, packed(log.event[e]))
                            key = extended(key, log.event[e])
                    new.seen[child, player] = number_of(numbers.seen, level.seen[row, player], step)
                    new.keys[child, player] = key
                done[_RUNNING] += 1
            else:
                following.ends[done[_CHILDREN]] = new.rows[child].winners
            done[_CHILDREN] += 1
        done[_ROWS] += 1
    return _NOTHING


def _joined(scenario: Scenario, levels: list[Level]) -> GameTree:
    def all_of(field: str) -> NDArray[Any]:
        return np.concatenate([getattr(level, field) for level in levels])

    keys = all_of("keys")
    if len(np.unique(keys)) != len(keys):
        raise AssertionError("two information states have the same key")
    ends, state = np.unique(all_of("state"), return_inverse=True)
    winners = ~ends[ends < 0]
    # Leave out payoffs that do not occur.
    renumbered = np.where(ends < 0, ~(len(winners) - 1 - np.arange(len(ends))), ends)
    actions = all_of("actions")
    tree = Tree(
        state=renumbered[state].astype(np.int32),
        owner=all_of("owner"),
        options=all_of("options"),
        payoffs=_win_shares(winners[::-1], scenario.players),
        chance=np.zeros(len(actions)),
    )
    return GameTree(
        scenario, tree, actions, keys, all_of("turn"), all_of("phase"), all_of("announced"),
        all_of("own"),
    )  # fmt: skip


def _win_shares(winners: NDArray[np.int32], players: int) -> NDArray[np.float64]:
    """Return the win shares of sets of winners, [K, n].

    Args:
        winners: [K] the winners as bit sets. If a set is empty, all players share the win.
        players: the number of players.
    """
    won = (winners[:, None] >> np.arange(players) & 1).astype(np.float64)
    won[winners == 0] = 1.0
    shares: NDArray[np.float64] = won / won.sum(axis=1, keepdims=True)
    return shares
