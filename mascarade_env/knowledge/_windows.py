"""Windows: the last events that each player saw, as tokens of four numbers.

A token names places from the player's seat, so that observing is no more than copying. When two
players exchange seats, the tokens are rewritten: they name people by the seats they sit on now.
"""

from typing import Any, TypeAlias

import numpy as np

from mascarade_env._jit import compiled, inlined
from mascarade_env.game import _events as events
from mascarade_env.game._masks import MASKS
from mascarade_env.game._positions import NOBODY, Row, Rows, left_of
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS
from mascarade_env.knowledge._facts import Event

#: How many of the last events a window holds, and the numbers of each.
WINDOW = 32
TOKEN = ("kind", "who", "where", "what")
_KIND, _WHO, _WHERE, _WHAT = range(len(TOKEN))
# The words of a token are the same in every scenario; 0 is none.
CENTRE_WORD = MAX_PLAYERS + 1  # `who` and `where`: 1..12 are the seats from one's own, clockwise
MAX_CENTRE = MAX_SLOTS - 2  # slots of a centre; two players are the fewest
PLACE_WORD = len(MASKS) + 1  # `what`: 1..16 are the masks, above are second places
LAST_WORD = PLACE_WORD - 1 + MAX_PLAYERS + MAX_CENTRE

# Sets of kinds of events.
WITH_PLACE = (
    1 << events.DEAL | 1 << events.LOOK | 1 << events.SEE | 1 << events.RETURN
    | 1 << events.SWAP | 1 << events.KEEP | 1 << events.REVEAL | 1 << events.SHOW
    | 1 << events.POWER | 1 << events.CHOOSE | 1 << events.EXCHANGE | 1 << events.MOVE
)  # fmt: skip
WITH_TWO_PLACES = (
    1 << events.RETURN | 1 << events.SWAP | 1 << events.KEEP | 1 << events.EXCHANGE
    | 1 << events.MOVE
)  # fmt: skip
WITH_MASK = (
    1 << events.DEAL | 1 << events.SEE | 1 << events.ANNOUNCE | 1 << events.CLAIM
    | 1 << events.REVEAL | 1 << events.SHOW | 1 << events.POWER | 1 << events.DECLARE
)  # fmt: skip
#: What windows leave out follows from the rest or is elsewhere in an observation: turns, masks
#: still under the table, passes, coins, the end.
KEPT = WITH_PLACE | WITH_MASK | 1 << events.DECLINE

#: The window of one player: a ring, which an event enters once and leaves when it is overwritten.
RING = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("end", np.int8),  # where the next token goes
                ("held", np.int8),  # how many tokens there are
                ("token", np.int8, (WINDOW * len(TOKEN),)),  # one after the other
            ]
        ),
    )
)

# One element of an array of RING; NumPy has no static type for it.
Ring: TypeAlias = Any


@inlined
def remember(rings: Rows, facts: Row, event: Event) -> None:
    """Append an event to the windows of the players who see it.

    Args:
        rings: [n] of RING.
        facts: after the event.
        event: of a kind in KEPT.
    """
    kind, players = int(event.kind), int(facts.players)
    # What does not depend on the viewer: the slots that are named, NOBODY for none, and the mask.
    doer = NOBODY if event.player == NOBODY else int(facts.seat_of[event.player])
    where = int(event.a) if WITH_PLACE >> kind & 1 else NOBODY
    second = int(event.b) if WITH_TWO_PLACES >> kind & 1 else NOBODY
    mask = 1 + int(event.value) if WITH_MASK >> kind & 1 else 0
    seen_by = int(event.seen_by)
    dealt_to_seat = kind == events.DEAL and where < players
    for player in range(players):
        if not seen_by >> player & 1:
            continue
        ring, seat = rings[player], int(facts.seat_of[player])
        if dealt_to_seat and where == 0:
            ring.end = 0
            ring.held = 0
        at = int(ring.end)
        ring.end = (at + 1) & (WINDOW - 1)  # WINDOW is a power of two
        ring.held = min(int(ring.held) + 1, WINDOW)
        place = _word(where, seat, players)
        if dealt_to_seat:
            at = place - 1  # the deal is listed from one's own seat
        token = ring.token[len(TOKEN) * at : len(TOKEN) * at + len(TOKEN)]
        token[_KIND] = 1 + kind
        token[_WHO] = _word(doer, seat, players)
        token[_WHERE] = place
        token[_WHAT] = mask if second == NOBODY else PLACE_WORD - 1 + _word(second, seat, players)


@compiled
def _word(slot: int, seat: int, players: int) -> int:
    """Return the word of a token for a slot, seen from a seat; 0 for NOBODY."""
    if slot == NOBODY:
        return 0
    if slot >= players:
        return CENTRE_WORD + slot - players
    return 1 + slot - seat if slot >= seat else 1 + slot - seat + players


@compiled
def exchange_seats(rings: Rows, facts: Row, event: Event) -> None:
    """Rewrite the windows of all players for an exchange of two seats.

    Args:
        rings: [n] of RING.
        facts: before the event.
        event: of the kind MOVE.
    """
    one, other = int(event.a), int(event.b)
    for player in range(facts.players):
        before = int(facts.seat_of[player])
        after = _moved(before, one, other)
        ring = rings[player]
        for k in range(ring.held):
            token = ring.token[len(TOKEN) * k : len(TOKEN) * k + len(TOKEN)]
            who = int(token[_WHO])
            if who:
                seat = _moved(left_of(facts, before, who - 1), one, other)
                token[_WHO] = _word(seat, after, int(facts.players))
            where = int(token[_WHERE])
            if 0 < where < CENTRE_WORD:
                seat = left_of(facts, before, where - 1)
                token[_WHERE] = _word(seat, after, int(facts.players))
            second = int(token[_WHAT]) - PLACE_WORD + 1
            if 0 < second < CENTRE_WORD:
                seat = left_of(facts, before, second - 1)
                token[_WHAT] = PLACE_WORD - 1 + _word(seat, after, int(facts.players))


@compiled
def _moved(seat: int, one: int, other: int) -> int:
    """Return where a player of a seat sits after an exchange of two seats."""
    if seat == one:
        return other
    return one if seat == other else seat
