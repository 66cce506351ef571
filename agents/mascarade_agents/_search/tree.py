"""The tree of an information-set search, in flat arrays.

A node is what the searcher has seen since the position: the public decisions, the masks that the
searcher was shown, and the searcher's own swaps and keeps. Another player's swap and keep are one
edge, for they look alike. The searcher's own choices thus rest on what was seen, never on the world
of the simulation. What is legal is public, so at a node every action can be taken in every world,
and its availability is the number of visits of the node.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._search.policy import choose, roll_out, weigh
from mascarade_agents._search.position_values import share
from mascarade_agents._search.simulated_beliefs import advance
from mascarade_agents._search.worlds import Position, begin
from mascarade_env._jit import compiled
from mascarade_env.game import _events as events
from mascarade_env.game._actions import MAX_LEGAL, find_legal
from mascarade_env.game._events import Log
from mascarade_env.game._positions import RUNNING, TABLE, TURN, Row, bit, player_on

_NONE = -1
_HIDDEN = 0  # the edge of another player's swap or keep; others are the action id + 1
_SIGHTS = 1 << events.SEE | 1 << events.REVEAL | 1 << events.SHOW
_EVEN = 0.5  # how much all actions are alike to the bounds, beside what the policy prefers
_DEEPEST = 128  # own decisions in the tree

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("label", np.int64),  # of the edge that leads here
                ("first", np.int32),  # child, then by `next`
                ("next", np.int32),
                ("arms", np.int32),  # where they begin, _NONE where the searcher has not decided
                ("visits", np.int32),
                ("total", np.float64),  # of its arms
            ],
            align=True,
        ),
    )
)

#: One of the searcher's actions at a node, in the order of the legal ids.
ARM = np.dtype(
    (
        np.record,
        np.dtype([("total", np.float64), ("prior", np.float64), ("visits", np.int64)], align=True),
    )
)


class Tree(NamedTuple):
    """Room for a tree, used again for each decision."""

    nodes: NDArray[Any]  # of NODE
    arms: NDArray[Any]  # of ARM
    path: NDArray[np.int64]  # [2, deepest] the arms of the simulation, and their nodes
    used: NDArray[np.int64]  # [2] how many nodes and arms are


def new_tree(nodes: int) -> Tree:
    """Room for so many nodes; a search that needs more goes on without new ones."""
    return Tree(
        nodes=np.zeros(nodes, NODE),
        arms=np.zeros(MAX_LEGAL + 4 * nodes, ARM),
        path=np.zeros((2, _DEEPEST), np.int64),
        used=np.zeros(2, np.int64),
    )


@compiled
def clear(t: Tree) -> None:
    """Begin anew with a root."""
    t.used[0] = 0
    t.used[1] = 0
    _add_node(t, _HIDDEN)


@compiled
def _add_node(t: Tree, label: int) -> int:
    """The number of a new node, _NONE if there is no room."""
    if t.used[0] == len(t.nodes):
        return _NONE
    number = int(t.used[0])
    t.used[0] += 1
    node = t.nodes[number]
    node.label = label
    node.first = _NONE
    node.next = _NONE
    node.arms = _NONE
    node.visits = 0
    return number


@compiled
def _follow(t: Tree, number: int, label: int) -> int:
    """The child by an edge, if it is there; else it is added and _NONE returned."""
    there = int(t.nodes[number].first)
    while there != _NONE and t.nodes[there].label != label:
        there = int(t.nodes[there].next)
    if there == _NONE:
        child = _add_node(t, label)
        if child != _NONE:
            t.nodes[child].next = t.nodes[number].first
            t.nodes[number].first = child
    return there


@compiled
def _add_arms(p: Position, t: Tree, number: int) -> bool:
    """Give a node its arms, if there is room, as probable as the policy makes them."""
    begins = int(t.used[1])
    count = int(p.legals[0].count)
    if begins + count > len(t.arms):
        return False
    weigh(p.rows[1], p.minds, p.legals[0])
    for i in range(count):
        arm = t.arms[begins + i]
        arm.total = 0.0
        arm.visits = 0
        arm.prior = (1.0 - _EVEN) * p.minds.scores[i] + _EVEN / count
    t.nodes[number].arms = begins
    t.nodes[number].total = 0.0
    t.used[1] = begins + count
    return True


@compiled
def _pick(t: Tree, number: int, count: int, explore: float) -> int:
    """The arm with the largest bound (PUCT); one never tried counts as the node's mean."""
    node = t.nodes[number]
    mean = node.total / node.visits if node.visits else 0.0
    root = math.sqrt(node.visits + 1.0)
    best = 0
    most = -1.0
    for i in range(count):
        arm = t.arms[node.arms + i]
        bound = arm.total / arm.visits if arm.visits else mean
        bound += explore * arm.prior * root / (1.0 + arm.visits)
        if bound > most:
            most = bound
            best = i
    return best


@compiled
def _with_sights(log: Log, label: int, searcher: int) -> int:
    """The edge, with the masks that the searcher is shown: twelve at most, four bits each."""
    for k in range(log.count):
        event = log.event[k]
        if _SIGHTS >> int(event.kind) & 1 and int(event.seen_by) & bit(searcher):
            label = label * 16 + int(event.value)
    return label


@compiled
def _descend(p: Position, t: Tree, g: Row, searcher: int, turns: int, explore: float) -> int:
    """Go down the tree and one step beyond; returns how many arms were taken."""
    log, legal, minds = p.logs[0], p.legals[0], p.minds
    depth = 0
    number = 0
    while g.status == RUNNING and number != _NONE and (g.turn < turns or g.phase != TURN):
        find_legal(g, legal)
        count = int(legal.count)
        if player_on(g, g.actor) == searcher:
            fresh = t.nodes[number].arms == _NONE
            if depth == t.path.shape[1] or (fresh and not _add_arms(p, t, number)):
                break
            i = _pick(t, number, count, explore)
            t.path[0, depth] = t.nodes[number].arms + i
            t.path[1, depth] = number
            depth += 1
            label = int(legal.id[i]) + 1
        else:
            hidden = g.phase == TABLE
            i = choose(g, minds, legal)
            label = _HIDDEN if hidden else int(legal.id[i]) + 1
        t.nodes[number].visits += 1
        advance(g, log, minds, legal.id[i])
        number = _follow(t, number, _with_sights(log, label, searcher))
    return depth


@compiled
def grow(
    p: Position, t: Tree, seed: int, first: int, count: int, rounds: int, explore: float
) -> None:
    """Make `count` simulations, numbered from `first`.

    Args:
        p: the position.
        t: a tree that was cleared before the first of them.
        seed: of all simulations of a decision.
        first: the number of the first one.
        count: how many.
        rounds: of the table that are played before a simulation is broken off.
        explore: the constant of the bounds.
    """
    searcher = player_on(p.rows[0], p.rows[0].actor)
    turns = int(p.rows[0].turn) + rounds * int(p.rows[0].players) + 1
    for simulation in range(first, first + count):
        begin(p, seed, simulation)
        g = p.rows[1]
        depth = _descend(p, t, g, searcher, turns, explore)
        roll_out(g, p.logs[0], p.minds, p.legals[0], turns)
        won = share(g, p.minds, searcher)
        for step in range(depth):
            arm = t.arms[t.path[0, step]]
            t.nodes[t.path[1, step]].total += won
            arm.total += won
            arm.visits += 1


@compiled
def most_visited(t: Tree, count: int) -> int:
    """The arm of the root tried most often, the better mean first among equals."""
    best = 0
    for i in range(1, count):
        arm, top = t.arms[i], t.arms[best]
        if arm.visits > top.visits or (arm.visits == top.visits and arm.total > top.total):
            best = i
    return best
