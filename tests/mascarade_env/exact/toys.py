"""Small games from the literature, as trees: what is known of them is what the solver must find."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from mascarade_env.exact import CHANCE, Tree


@dataclass
class Node:
    """A decision of a player, or of chance; what it may lead to, and how probably by chance."""

    owner: int
    knows: str
    options: "Mapping[str, Node | Payoffs]"
    chance: list[float] = field(default_factory=list)


Payoffs: TypeAlias = tuple[float, ...]


def tree_of(root: Node) -> Tree:
    """Any game as a tree, level by level."""
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
    """Both choose, unseen by the other; where paper meets scissors, `stake` is at stake."""
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
    """Kuhn's poker with one card more than players: everybody puts one in, and may bet one more."""
    cards = players + 1
    deals = list(itertools.permutations(range(cards), players))

    def after(deal: tuple[int, ...], said: str) -> "Node | Payoffs":
        bet = said.find("b")
        if len(said) == (players if bet < 0 else bet + players):
            # Those who bet or called, by what each said last; without a bet all stay.
            last = {place % players: word for place, word in enumerate(said)}
            stay = [p for p in range(players) if bet < 0 or last[p] == "b"]
            paid = [1 + (bet >= 0 and p in stay) for p in range(players)]
            best = max(stay, key=lambda p: deal[p])
            return tuple(float(sum(paid) * (p == best) - paid[p]) for p in range(players))
        who = len(said) % players
        return Node(who, f"{deal[who]}{said}", {word: after(deal, said + word) for word in "pb"})

    return Node(
        CHANCE,
        "",
        {str(deal): after(deal, "") for deal in deals},
        [1 / len(deals)] * len(deals),
    )
