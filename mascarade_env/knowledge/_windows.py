"""Windows: the last events that each player saw, as tokens of four numbers.

A token counts seats from the player's own seat, so an observation can copy tokens unchanged. A
token names players by the seats on which they sit now. So when two players exchange seats, tokens
are rewritten.
"""

from typing import Any, TypeAlias

import numpy as np

from mascarade_env._jit import compiled, inlined
from mascarade_env.game import _events as events
from mascarade_env.game._masks import MASKS
from mascarade_env.game._positions import NOBODY, Row, Rows, left_of
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS
from mascarade_env.knowledge._facts import Event

#: The number of events that a window holds, and the names of the four numbers of an event.
WINDOW = 32
TOKEN = ("kind", "who", "where", "what")
_KIND, _WHO, _WHERE, _WHAT = range(len(TOKEN))
# The numbers of a token have the same meaning in every scenario; 0 means none.
CENTRE_WORD = MAX_PLAYERS + 1  # `who`, `where`: 1..12 are seats, clockwise from the player's seat
MAX_CENTRE = MAX_SLOTS - 2  # most slots of the centre, with two players
PLACE_WORD = len(MASKS) + 1  # `what`: 1..16 are masks, larger numbers are second places
LAST_WORD = PLACE_WORD - 1 + MAX_PLAYERS + MAX_CENTRE

# Bit sets of kinds of events.
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
#: The kinds that windows keep. The other kinds (turns, masks under the table, passes, coins, the
#: end) follow from these, or are elsewhere in an observation.
KEPT = WITH_PLACE | WITH_MASK | 1 << events.DECLINE

#: The window of one player: a ring buffer, in which new events overwrite the oldest.
RING = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("end", np.int8),  # place of the next token
                ("held", np.int8),  # number of tokens
                ("token", np.int8, (WINDOW * len(TOKEN),)),  # numbers of all tokens
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
        rings: [n] of RING, one for each player.
        facts: the public facts after the event.
        event: an event of a kind in KEPT.
    """
    kind, players = int(event.kind), int(facts.players)
    # The slots (NOBODY for none) and the mask of the event are the same for all viewers.
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
            at = place - 1  # the window lists the deal from the player's own seat
        token = ring.token[len(TOKEN) * at : len(TOKEN) * at + len(TOKEN)]
        token[_KIND] = 1 + kind
        token[_WHO] = _word(doer, seat, players)
        token[_WHERE] = place
        token[_WHAT] = mask if second == NOBODY else PLACE_WORD - 1 + _word(second, seat, players)


@compiled
def _word(slot: int, seat: int, players: int) -> int:
    """Return the number in a token for a slot, counted from a seat; 0 for NOBODY."""
    if slot == NOBODY:
        return 0
    if slot >= players:
        return CENTRE_WORD + slot - players
    return 1 + slot - seat if slot >= seat else 1 + slot - seat + players


@compiled
def exchange_seats(rings: Rows, facts: Row, event: Event) -> None:
    """Rewrite the windows of all players for an exchange of two seats.

    Args:
        rings: [n] of RING, one for each player.
        facts: the public facts before the event.
        event: an event of the kind MOVE.
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
    """Return the seat of the player on `seat` after an exchange of two seats."""
    if seat == one:
        return other
    return one if seat == other else seat
