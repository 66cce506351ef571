"""Small games from the literature, as trees. Their equilibria are known."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from mascarade_env.exact import CHANCE, Tree


@dataclass
class Node:
    """A decision of a player, or a chance node with the probabilities of its options."""

    owner: int
    knows: str
    options: "Mapping[str, Node | Payoffs]"
    chance: list[float] = field(default_factory=list)


Payoffs: TypeAlias = tuple[float, ...]


def tree_of(root: Node) -> Tree:
    """Return the tree of a game, built level by level."""
    state: list[int] = []
    owner: list[int] = []
    options: list[int] = []
    chance: list[float] = []
    payoffs: dict[Payoffs, int] = {}
    level: list[Node | Payoffs] = [root]
    while level:
        known: dict[tuple[int, str], int] = {}
        below: list[Node | Payoffs] = []
        for node in level:
            if isinstance(node, tuple):
                state.append(~payoffs.setdefault(node, len(payoffs)))
                continue
            who = (node.owner, node.knows)
            if who not in known:
                known[who] = len(owner)
                owner.append(node.owner)
                options.append(len(node.options))
                chance += node.chance or [0.0] * len(node.options)
            state.append(known[who])
            below += node.options.values()
        level = below
    return Tree(
        np.array(state, np.int32),
        np.array(owner, np.int8),
        np.array(options, np.int32),
        np.array(list(payoffs), np.float64),
        np.array(chance),
    )


def rock_paper_scissors(stake: float = 1.0) -> Node:
    """Return rock paper scissors, in which paper against scissors pays `stake`."""
    signs = ("rock", "paper", "scissors")

    def result(mine: int, theirs: int) -> Payoffs:
        sign = (0, 1, -1)[(mine - theirs) % 3]
        stakes = stake if {mine, theirs} == {1, 2} else 1.0
        return (sign * stakes, -sign * stakes)

    return Node(
        0,
        "",
        {
            signs[mine]: Node(1, "", {signs[theirs]: result(mine, theirs) for theirs in range(3)})
            for mine in range(3)
        },
    )


def kuhn_poker(players: int = 2) -> Node:
    """Return Kuhn poker with n + 1 cards: each of n players antes one and may bet one more."""
    cards = players + 1
    deals = list(itertools.permutations(range(cards), players))

    def after(deal: tuple[int, ...], moves: str) -> "Node | Payoffs":
        bet = moves.find("b")
        if len(moves) == (players if bet < 0 else bet + players):
            # Players whose last move is a bet or a call stay in; without a bet all stay.
            last = {place % players: move for place, move in enumerate(moves)}
            stay = [p for p in range(players) if bet < 0 or last[p] == "b"]
            paid = [1 + (bet >= 0 and p in stay) for p in range(players)]
            best = max(stay, key=lambda p: deal[p])
            return tuple(float(sum(paid) * (p == best) - paid[p]) for p in range(players))
        player = len(moves) % players
        options = {move: after(deal, moves + move) for move in "pb"}
        return Node(player, f"{deal[player]}{moves}", options)

    return Node(
        CHANCE,
        "",
        {str(deal): after(deal, "") for deal in deals},
        [1 / len(deals)] * len(deals),
    )
