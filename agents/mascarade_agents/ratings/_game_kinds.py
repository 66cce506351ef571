"""What kind of game each game is: what can be learned from it depends on who sits at the table."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._results import Results

NONE = -1  # no such agent


@dataclass(frozen=True, slots=True)
class Kinds:
    """Return the kind of each game.

    Every game is of exactly one kind, but where two agents are all there are and three play: then
    tables in parts as equal as can be are one against many too, and every game of both is of both
    kinds. Else an arena of mixed tables alone would have no mixed game, and tell nobody's share.

    Attributes:
        mixed: [G] two agents or more, and not one against many.
        one_against_many: [G] one agent plays one player, and another all others. Games of two
            players are never that, since either could be the one: they are mixed.
        mirror: [G] one agent plays all. Such a game shows nothing about who is better.
        single: [G] the agent that is alone against many, -1 in other games.
        many: [G] the agent it is alone against, -1 in other games.
    """

    mixed: NDArray[np.bool_]
    one_against_many: NDArray[np.bool_]
    mirror: NDArray[np.bool_]
    single: NDArray[np.int64]
    many: NDArray[np.int64]


def kinds(results: Results) -> Kinds:
    """Return the kind of each game."""
    ordered = np.sort(results.lineups.astype(np.int64), axis=1)
    first, last, n = ordered[:, 0], ordered[:, -1], results.players
    mirror = first == last
    if n < 3:
        alone_first = alone_last = np.zeros(len(ordered), np.bool_)
    else:
        alone_first = ~mirror & (ordered[:, 1] == last)
        alone_last = ~mirror & (ordered[:, -2] == first)
    lone = alone_first | alone_last
    both = n == 3 and len(results.agents) == 2
    return Kinds(
        mixed=~mirror & (~lone | both),
        one_against_many=lone,
        mirror=mirror,
        single=np.where(lone, np.where(alone_first, first, last), NONE),
        many=np.where(lone, np.where(alone_first, last, first), NONE),
    )
