"""Names and small helpers for positions: elements of GAME (the full state) or FACTS (public facts).

Seats, slots and players are numbered as in RULES.md. Sets of players or seats are bit sets: bit i
is player (or seat) i.
"""

from typing import Any, TypeAlias

from numpy.typing import NDArray

from mascarade_env._jit import compiled

# One element of an array of GAME or FACTS, and the array; NumPy has no static types for them.
Row: TypeAlias = Any
Rows: TypeAlias = NDArray[Any]

NOBODY = -1  # no mask, no seat, no player

# The kind of the next decision; records use these words.
PHASES = ("turn", "table", "challenge", "target", "declare", "over")
TURN, TABLE, CHALLENGE, TARGET, DECLARE, OVER = range(6)

# Values of the field `status` of a game.
RUNNING, WON, TRUNCATED = range(3)


def slots_under_table(position: Any) -> tuple[int, int] | None:
    """Return the two slots whose masks are under the table, None if there are none.

    Args:
        position: one element of GAME or FACTS.
    """
    if position["phase"] != TABLE:
        return None
    return int(position["table"][0]), int(position["table"][1])


@compiled
def bit(number: int) -> int:
    """Return the bit set of one player or seat."""
    return 1 << int(number)


@compiled
def left_of(g: Row, seat: int, places: int) -> int:
    """Return the seat `places` places clockwise of a seat, 0 <= places <= number of seats."""
    there = int(seat) + places
    return there - g.players if there >= g.players else there


@compiled
def player_on(g: Row, seat: int) -> int:
    """Return the player on a seat."""
    return int(g.player_at[seat])
