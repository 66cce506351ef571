"""Measure how a policy plays, over the whole tree: looks, false announcements, claims and others.

    from mascarade_env.exact import build, conduct

    game = build("tiny-2")
    conduct(game, game.tree.uniform()).mean("knowing_bluff")

The measures are computed without sampling: the weight of each decision is the probability that a
game reaches it. The measures have the names and meanings that
agents/mascarade_agents/behaviour/MEASURES.md gives, so that you can compare agents in an arena with
an equilibrium. Only this module has `false_known` and `mixing`.

The measures use the neutral belief, which treats every hidden swap as a fair coin (rules 8). In a
tree, the neutral probability of a mask is a share of nodes. The nodes of an information state are
the histories that its player cannot tell apart. They all contain the same number of hidden swaps by
other players, so they are equally likely.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env.exact._game_tree import GameTree
from mascarade_env.exact._sweeps import reach_of
from mascarade_env.exact._tree import Policy
from mascarade_env.game._actions import announce_id, claim_id, look_id, swap_id
from mascarade_env.game._masks import FOOL, MASKS, SPY
from mascarade_env.game._positions import CHALLENGE, NOBODY, TABLE, TURN
from mascarade_env.game._state import new_rows

Floats = NDArray[np.float64]

#: The title of each measure, by name. Each measure is a share.
MEASURES: Mapping[str, str] = {
    "look_rate": "looks",
    "take_rate": "takes",
    "announce_rate": "announcements",
    "false": "false announcements",
    "sure_true": "sure and true ones",
    "honest_uncertain": "honest, uncertain ones",
    "gamble": "gambles",
    "knowing_bluff": "knowing bluffs",
    "false_known": "false ones known to be false",
    "bluff_success": "false ones unclaimed",
    "knowing_bluff_success": "knowing bluffs unclaimed",
    "claimed_false": "claimed ones are false",
    "claim_rate": "claims when asked",
    "claim_precision": "true claims",
    "claim_recall": "claims when it is theirs",
    "sure_recall": "claims when sure it is",
    "bluff_claim": "bluff claims",
    "catch_rate": "claims against false ones",
    "challenge_precision": "claims that catch",
    "swap_take": "swaps after a take",
    "swap_spy": "swaps by the Spy",
    "swap_fool": "swaps by the Fool",
    "look_known": "looks at a known mask",
    "mixing": "undecidedness",
}


@dataclass(frozen=True)
class Opportunities:
    """The opportunities that a measure counts, and how players use them.

    Attributes:
        number: [n] opportunities of each player in a game, on average.
        total: [n] the sum of their values; for a share, the number of used opportunities.
    """

    number: Floats
    total: Floats

    def mean(self, player: int | None = None) -> float:
        """Return the mean over the opportunities of one player, or of all players.

        It is nan if there are no opportunities.
        """
        players = slice(None) if player is None else slice(player, player + 1)
        number = float(self.number[players].sum())
        return float(self.total[players].sum()) / number if number > 0 else float("nan")


@dataclass(frozen=True)
class Conduct:
    """How a policy plays.

    Attributes:
        measures: the opportunities for each of `MEASURES`. For `look_rate` they are the turns after
            the opening, for `false` the announcements, and for `claim_rate` the answers to
            announcements.
        said: for each mask, the share of announcements that name it.
        said_falsely: for each mask, the share of the announcements naming it that are false.
        shared: the share of games in which all players get the same win share.
    """

    measures: Mapping[str, Opportunities]
    said: Mapping[str, Opportunities]
    said_falsely: Mapping[str, Opportunities]
    shared: float

    def mean(self, measure: str, player: int | None = None) -> float:
        """Return a measure for one player, or for all players; nan if there is no opportunity."""
        return self.measures[measure].mean(player)


def conduct(game: GameTree, policy: Policy) -> Conduct:
    """Measure how the players play if all follow one policy of a tree."""
    weighing = _Weighing(game, game.tree.checked(policy))
    measured = {
        **dict(weighing.turns()),
        **dict(weighing.announcements()),
        **dict(weighing.answers()),
        **dict(weighing.choices()),
        "mixing": weighing.mixing(),
    }
    return Conduct(
        measures={name: measured[name] for name in MEASURES},
        said=dict(weighing.said()),
        said_falsely=dict(weighing.falsely()),
        shared=weighing.shared(),
    )


class _Decisions(NamedTuple):
    """Possible decisions: steps from a node to one of its children."""

    node: NDArray[np.int32]  # the node of the decision
    to: NDArray[np.int64]  # the node after it
    state: NDArray[np.int32]
    player: NDArray[np.int8]
    action: NDArray[np.int16]
    weight: Floats  # how often a game takes it

    def where(self, holds: NDArray[Any]) -> "_Decisions":
        return _Decisions(*(array[holds] for array in self))


class _Weighing:
    """The decisions of a tree by kind, and the probability with which a policy takes each."""

    def __init__(self, game: GameTree, policy: Policy) -> None:
        self._game = game
        self._tree = tree = game.tree
        self._policy = policy
        self._reach = reach_of(tree, policy)
        self._row = new_rows(game.scenario, 1)[0]
        to = np.arange(1, tree.nodes)
        node = tree.parent[1:]
        state = tree.state[node]
        action = game.actions[tree.start[state] + to - tree.first[node]]
        self._all = _Decisions(node, to, state, tree.owner[state], action, self._reach[1:])

    def _in(self, phase: int) -> _Decisions:
        return self._all.where(self._game.phase[self._all.state] == phase)

    def _mean(self, among: _Decisions, counts: NDArray[Any]) -> Opportunities:
        return Opportunities(
            self._by_player(among.player, among.weight),
            self._by_player(among.player, among.weight * counts),
        )

    def _by_player(self, player: NDArray[np.int8], weight: Floats) -> Floats:
        return np.bincount(player, weight, self._tree.players).astype(np.float64)

    # What the acting player can know

    @cached_property
    def _nodes_by_mask(self) -> NDArray[np.int64]:
        """[I, 16] for each information state and mask, the number of nodes with this own mask."""
        inner = self._tree.state >= 0
        cells = self._tree.state[inner].astype(np.int64) * len(MASKS) + self._game.own[inner]
        counts = np.bincount(cells, minlength=self._tree.states * len(MASKS))
        return counts.reshape(-1, len(MASKS))

    @cached_property
    def _nodes(self) -> NDArray[np.int64]:
        """[I] the number of nodes of each information state."""
        nodes: NDArray[np.int64] = self._nodes_by_mask.sum(axis=1)
        return nodes

    @cached_property
    def _most(self) -> NDArray[np.int64]:
        """[I] for each information state, the number of nodes with the most likely own mask."""
        nodes: NDArray[np.int64] = self._nodes_by_mask.max(axis=1)
        return nodes

    # Turns

    @cached_property
    def _turns(self) -> _Decisions:
        turns = self._in(TURN)
        return turns.where(self._game.turn[turns.state] >= self._game.scenario.opening_turns)

    def turns(self) -> Iterator[tuple[str, Opportunities]]:
        turns, look = self._turns, look_id(self._row)
        looks = turns.where(turns.action == look)
        yield "look_rate", self._mean(turns, turns.action == look)
        yield "take_rate", self._mean(turns, turns.action < look)
        yield "announce_rate", self._mean(turns, turns.action >= announce_id(self._row))
        yield "look_known", self._mean(looks, self._most[looks.state] == self._nodes[looks.state])

    # Announcements

    @cached_property
    def _announced(self) -> _Decisions:
        return self._turns.where(self._turns.action >= announce_id(self._row))

    @cached_property
    def _mask_said(self) -> NDArray[np.int8]:
        kinds: NDArray[np.int8] = self._row["kind"]
        return kinds[self._announced.action - announce_id(self._row)]

    @cached_property
    def _is_false(self) -> NDArray[np.bool_]:
        return np.asarray(self._mask_said != self._game.own[self._announced.node])

    def announcements(self) -> Iterator[tuple[str, Opportunities]]:
        announced, false = self._announced, self._is_false
        believed = self._nodes_by_mask[announced.state, self._mask_said]
        bluff, sure = believed == 0, believed == self._nodes[announced.state]
        likeliest = believed == self._most[announced.state]
        yield "false", self._mean(announced, false)
        yield "sure_true", self._mean(announced, sure)
        yield "honest_uncertain", self._mean(announced, likeliest & ~sure)
        yield "gamble", self._mean(announced, ~bluff & ~likeliest)
        yield "knowing_bluff", self._mean(announced, bluff)
        yield "false_known", self._mean(announced.where(false), bluff[false])
        unclaimed = self._unclaimed()
        yield "bluff_success", self._mean(announced.where(false), unclaimed[false])
        yield "knowing_bluff_success", self._mean(announced.where(bluff), unclaimed[bluff])
        claimed = announced._replace(weight=announced.weight * (1 - unclaimed))
        yield "claimed_false", self._mean(claimed, false)

    def _unclaimed(self) -> Floats:
        """Return, for each announcement, the probability that all other players pass."""
        weight, node = self._announced.weight, self._announced.to
        for _ in range(self._tree.players - 1):
            node = (
                self._tree.first[node].astype(np.int64) + 1
            )  # the first child is the claim, the second the pass
        return np.divide(self._reach[node], weight, out=np.zeros(len(node)), where=weight > 0)

    def _kinds(self) -> list[tuple[str, int]]:
        return [(MASKS[mask].id, int(mask)) for mask in self._row["kind"][: self._row["kinds"]]]

    def said(self) -> Iterator[tuple[str, Opportunities]]:
        for name, mask in self._kinds():
            yield name, self._mean(self._announced, self._mask_said == mask)

    def falsely(self) -> Iterator[tuple[str, Opportunities]]:
        for name, mask in self._kinds():
            of_mask = self._mask_said == mask
            yield name, self._mean(self._announced.where(of_mask), self._is_false[of_mask])

    # Answers

    def answers(self) -> Iterator[tuple[str, Opportunities]]:
        answered = self._in(CHALLENGE)
        mask = self._game.announced[answered.state]
        claims = answered.action == claim_id(self._row)
        holds = self._game.own[answered.node] == mask
        believed = self._nodes_by_mask[answered.state, mask]
        sure = believed == self._nodes[answered.state]
        false = self._game.own[self._announcing(answered.node)] != mask
        claimed = answered.where(claims)
        yield "claim_rate", self._mean(answered, claims)
        yield "claim_precision", self._mean(claimed, holds[claims])
        yield "claim_recall", self._mean(answered.where(holds), claims[holds])
        yield "sure_recall", self._mean(answered.where(sure), claims[sure])
        yield "bluff_claim", self._mean(claimed, (believed == 0)[claims])
        yield "catch_rate", self._mean(answered.where(false), claims[false])
        yield "challenge_precision", self._mean(claimed, false[claims])

    def _announcing(self, node: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return, for each node at which a player answers, the node of the announcement."""
        for _ in range(self._tree.players - 1):
            answering = self._game.phase[self._tree.state[node]] == CHALLENGE
            node = np.where(answering, self._tree.parent[node], node)
        return node

    # The rest

    def choices(self) -> Iterator[tuple[str, Opportunities]]:
        decided = self._in(TABLE)
        swaps = decided.action == swap_id(self._row)
        by = self._game.announced[decided.state]
        for name, mask in (("swap_take", NOBODY), ("swap_spy", SPY), ("swap_fool", FOOL)):
            yield name, self._mean(decided.where(by == mask), swaps[by == mask])

    def shared(self) -> float:
        tree = self._tree
        alike = np.ptp(tree.payoffs, axis=1) == 0
        ends = tree.state < 0
        return float(self._reach[ends] @ alike[~tree.state[ends]])

    def mixing(self) -> Opportunities:
        """Return the entropy of decisions as a share of its maximum."""
        tree, policy = self._tree, self._policy
        logarithms = np.log(policy, out=np.zeros(len(policy)), where=policy > 0)
        entropy = -np.add.reduceat(policy * logarithms, tree.start[:-1])
        choice = tree.options > 1
        share = np.divide(entropy, np.log(tree.options), out=np.zeros(tree.states), where=choice)
        inner = tree.state >= 0
        visits = np.bincount(tree.state[inner], self._reach[inner], tree.states)
        weight = np.where(choice, visits, 0.0)
        return Opportunities(
            self._by_player(tree.owner, weight), self._by_player(tree.owner, weight * share)
        )
