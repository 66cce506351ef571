"""The tree of an information-set search, in flat arrays.

The searcher is the player who searches. A node represents everything that the searcher has seen
since the start of the search: public decisions, masks, and the searcher's own swaps and keeps.
Another player's swap and keep look the same to the searcher, so they are one edge. The searcher's
choices depend only on these events, and never on the world of a simulation. Legal actions are
public, so each action of a node is legal in every world. The number of times that an action was
available is therefore the number of visits of its node.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._search.policy import choose, roll_out, weigh
from mascarade_agents._search.position_values import share
from mascarade_agents._search.simulated_beliefs import advance
from mascarade_agents._search.worlds import Position, Simulations, begin, last_turn
from mascarade_env._jit import compiled
from mascarade_env.game import _events as events
from mascarade_env.game._actions import MAX_LEGAL, find_legal
from mascarade_env.game._events import Log
from mascarade_env.game._positions import RUNNING, TABLE, TURN, bit, player_on

_NONE = -1
_HIDDEN = 0  # label of another player's swap or keep; other labels are the action id + 1
_SIGHTS = 1 << events.SEE | 1 << events.REVEAL | 1 << events.SHOW
_EVEN = 0.5  # weight of the uniform distribution in the prior; the policy has weight 1 - _EVEN
_DEEPEST = 128  # the most decisions of the searcher on a path in the tree

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("label", np.int64),  # the label of the edge to this node
                ("first", np.int32),  # the first child; `next` links to the others
                ("next", np.int32),
                ("arms", np.int32),  # the first arm; _NONE before the first decision here
                ("visits", np.int32),
                ("total", np.float64),  # the sum of the totals of its arms
            ],
            align=True,
        ),
    )
)

#: One of the searcher's actions at a node. Arms are in the order of the legal ids.
ARM = np.dtype(
    (
        np.record,
        np.dtype([("total", np.float64), ("prior", np.float64), ("visits", np.int64)], align=True),
    )
)


class Tree(NamedTuple):
    """The memory of a tree, reused for each decision.

    Attributes:
        nodes: an array of NODE.
        arms: an array of ARM.
        path: [2, deepest] the arms on the path of a simulation, and their nodes.
        used: [2] the number of nodes in use, and the number of arms in use.
    """

    nodes: NDArray[Any]
    arms: NDArray[Any]
    path: NDArray[np.int64]
    used: NDArray[np.int64]


def new_tree(nodes: int) -> Tree:
    """Return the memory for a tree of `nodes` nodes; when it is full, a search adds no more."""
    return Tree(
        nodes=np.zeros(nodes, NODE),
        arms=np.zeros(MAX_LEGAL + 4 * nodes, ARM),
        path=np.zeros((2, _DEEPEST), np.int64),
        used=np.zeros(2, np.int64),
    )


@compiled
def clear(t: Tree) -> None:
    """Remove all nodes, and add a new root."""
    t.used[0] = 0
    t.used[1] = 0
    _add_node(t, _HIDDEN)


@compiled
def _add_node(t: Tree, label: int) -> int:
    """Return the number of a new node, or _NONE if the memory is full."""
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
    """Return the child at the end of an edge; if there is no child yet, add it and return _NONE.

    So each simulation adds at most one node. From that node on, the policy plays.
    """
    child = int(t.nodes[number].first)
    while child != _NONE and t.nodes[child].label != label:
        child = int(t.nodes[child].next)
    if child == _NONE:
        added = _add_node(t, label)
        if added != _NONE:
            t.nodes[added].next = t.nodes[number].first
            t.nodes[number].first = added
    return child


@compiled
def _add_arms(p: Position, t: Tree, number: int) -> bool:
    """Add the arms of a node, with priors from the policy; return False if the memory is full."""
    start = int(t.used[1])
    count = int(p.legals[0].count)
    if start + count > len(t.arms):
        return False
    weigh(p.rows[1], p.simulated, p.legals[0])
    for i in range(count):
        arm = t.arms[start + i]
        arm.total = 0.0
        arm.visits = 0
        arm.prior = (1.0 - _EVEN) * p.simulated.scores[i] + _EVEN / count
    t.nodes[number].arms = start
    t.nodes[number].total = 0.0
    t.used[1] = start + count
    return True


@compiled
def _pick(t: Tree, number: int, count: int, explore: float) -> int:
    """Return the arm with the largest upper confidence bound (PUCT).

    For an arm without visits, the mean of its node replaces its own mean.
    """
    node = t.nodes[number]
    mean = node.total / node.visits if node.visits else 0.0
    root = math.sqrt(node.visits + 1.0)
    best = 0
    highest = -1.0  # less than every bound, because shares and priors are not negative
    for i in range(count):
        arm = t.arms[node.arms + i]
        bound = arm.total / arm.visits if arm.visits else mean
        bound += explore * arm.prior * root / (1.0 + arm.visits)
        if bound > highest:
            highest = bound
            best = i
    return best


@compiled
def _with_sights(log: Log, label: int, searcher: int) -> int:
    """Return the label of an edge: the decision, followed by the masks that the searcher sees.

    The searcher sees at most twelve masks, of four bits each.
    """
    for k in range(log.count):
        event = log.event[k]
        if _SIGHTS >> int(event.kind) & 1 and int(event.seen_by) & bit(searcher):
            label = label * 16 + int(event.value)
    return label


@compiled
def _descend(p: Position, t: Tree, turns: int, explore: float) -> int:
    """Follow the tree, take the first decision outside of it, and return the length of the path.

    `t.path` receives the arms that the searcher chose on the way. The length is their number.
    """
    g, log, legal, beliefs = p.rows[1], p.logs[0], p.legals[0], p.simulated
    searcher = player_on(p.rows[0], p.rows[0].actor)
    depth = 0
    number = 0
    while g.status == RUNNING and number != _NONE and (g.turn < turns or g.phase != TURN):
        find_legal(g, legal)
        count = int(legal.count)
        if player_on(g, g.actor) == searcher:
            no_arms = t.nodes[number].arms == _NONE
            # If the memory is full, the policy plays from here, and the simulation still counts.
            if depth == t.path.shape[1] or (no_arms and not _add_arms(p, t, number)):
                break
            i = _pick(t, number, count, explore)
            t.path[0, depth] = t.nodes[number].arms + i
            t.path[1, depth] = number
            depth += 1
            label = int(legal.id[i]) + 1
        else:
            # The searcher does not see whether another player swaps or keeps: both are one edge.
            hidden = g.phase == TABLE
            i = choose(g, beliefs, legal)
            label = _HIDDEN if hidden else int(legal.id[i]) + 1
        t.nodes[number].visits += 1
        advance(g, log, beliefs, legal.id[i])
        number = _follow(t, number, _with_sights(log, label, searcher))
    return depth


@compiled
def grow(p: Position, t: Tree, simulations: Simulations, explore: float) -> None:
    """Run simulations, and add their results to the tree.

    Args:
        p: the position.
        t: the tree, cleared before the first simulation of the position.
        simulations: the simulations to run.
        explore: the exploration constant of the bounds.
    """
    searcher = player_on(p.rows[0], p.rows[0].actor)
    turns = last_turn(p, simulations.rounds)
    for number in range(simulations.first, simulations.first + simulations.size):
        begin(p, simulations.seed, number)
        g = p.rows[1]
        depth = _descend(p, t, turns, explore)
        roll_out(g, p.logs[0], p.simulated, p.legals[0], turns)
        won = share(g, p.simulated, searcher)
        for step in range(depth):
            arm = t.arms[t.path[0, step]]
            t.nodes[t.path[1, step]].total += won
            arm.total += won
            arm.visits += 1


@compiled
def most_visited(t: Tree, count: int) -> int:
    """Return the arm of the root with the most visits; on a tie, that with the larger total."""
    best = 0
    for i in range(1, count):
        arm, top = t.arms[i], t.arms[best]
        if arm.visits > top.visits or (arm.visits == top.visits and arm.total > top.total):
            best = i
    return best
