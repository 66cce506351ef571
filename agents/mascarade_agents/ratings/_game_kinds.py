"""The kind of each game, by the agents at its table: mixed, one against many or mirror."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._results import Results

NONE = -1  # in `single` and `many`, for a game that is not one against many


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kind of each game.

    Every game is of exactly one kind, with one exception. In an arena of two agents and three
    players, the two agents cannot have equal numbers of players. Each game in which both agents
    play counts as mixed and also as one against many. Otherwise this arena would have no mixed
    games.

    Attributes:
        mixed: [G] whether two or more agents play, and the game is not one against many.
        one_against_many: [G] whether one agent has one player and another agent has all others.
            Games of two players are mixed instead, because each agent has one player.
        mirror: [G] whether one agent plays all players. These games compare no agents.
        single: [G] the agent with one player in one against many, -1 in other games.
        many: [G] the agent with all other players in one against many, -1 in other games.
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
    one_against_many = alone_first | alone_last
    both_kinds = n == 3 and len(results.agents) == 2
    return Kinds(
        mixed=~mirror & (~one_against_many | both_kinds),
        one_against_many=one_against_many,
        mirror=mirror,
        single=np.where(one_against_many, np.where(alone_first, first, last), NONE),
        many=np.where(one_against_many, np.where(alone_first, last, first), NONE),
    )
