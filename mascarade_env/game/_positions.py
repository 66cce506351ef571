"""Names and small helpers for positions: what the row of a game and facts about it have in common.

Seats, slots and players are numbered as in the rules. Sets of players or seats are bit sets: bit i
is player (or seat) i.
"""

from typing import Any, TypeAlias

from numpy.typing import NDArray

from mascarade_env._jit import compiled

# One element of a structured array (GAME, FACTS), and such an array; NumPy has no static types
# for them.
Row: TypeAlias = Any
Rows: TypeAlias = NDArray[Any]

NOBODY = -1  # no mask, no seat

# What kind of decision is asked for (the words are those of a record).
PHASES = ("turn", "table", "challenge", "target", "declare", "over")
TURN, TABLE, CHALLENGE, TARGET, DECLARE, OVER = range(6)

# How a game stands; kept in the field `status`.
RUNNING, WON, TRUNCATED = range(3)


def slots_under_table(position: Any) -> tuple[int, int] | None:
    """Return the slots whose masks are about to come back from under the table, if any are.

    Args:
        position: one of GAME or of FACTS.
    """
    if position["phase"] != TABLE:
        return None
    return int(position["table"][0]), int(position["table"][1])


@compiled
def bit(number: int) -> int:
    """Return the bit set that holds one player or seat."""
    return 1 << int(number)


@compiled
def left_of(g: Row, seat: int, places: int) -> int:
    """Return the seat `places` clockwise of a seat, 0 <= places <= number of seats."""
    there = int(seat) + places
    return there - g.players if there >= g.players else there


@compiled
def player_on(g: Row, seat: int) -> int:
    """Return the player on a seat."""
    return int(g.player_at[seat])
