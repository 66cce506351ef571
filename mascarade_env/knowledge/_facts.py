"""What a listener at the table would have noted: the public facts, and each player's last events.

`watch` makes the notes from events alone, so nothing hidden can get in: what the public fields say
comes from events that everyone sees, what a player's window holds from events that this player
sees. The fields that decide what is legal have the names they have in GAME, so `find_legal` takes
notes too.
"""

from typing import Any, TypeAlias

import numpy as np

from mascarade_env._jit import compiled
from mascarade_env.game import _events as events
from mascarade_env.game._events import BANK, ONLOOKER, TRIBUNAL, Log
from mascarade_env.game._masks import FOOL, MASKS, PRINCESS, PUPPET_MASTER, SPY
from mascarade_env.game._positions import CHALLENGE, NOBODY, OVER, Row, bit, left_of
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS
from mascarade_env.observation._blocks import (
    AGE_HALF,
    AGE_STEPS,
    ANSWER,
    BARRED,
    CENTRE_WORD,
    CHOSEN,
    CLAIMS_FALSE,
    CLAIMS_TRUE,
    COINS,
    DECIDES,
    MARKER,
    MAX_COLUMNS,
    MOST_COINS,
    OCCUPIED,
    PLACE_WORD,
    PROVEN_FALSE,
    PROVEN_TRUE,
    REVEALED_AGO,
    SAID,
    SAID_AGO,
    SAID_OUTCOME,
    SURE,
    TALLIES,
    TALLY_HALF,
    TOKEN,
    TOUCHED_AGO,
    UNDER_TABLE,
    UNPROVEN,
    USES_POWER,
    WINDOW,
)

# One element of an array of NOTES, of EVENT, of schema.LAYOUT; NumPy has no static types for them.
Notes: TypeAlias = Any
Event: TypeAlias = Any
Layout: TypeAlias = Any

_ROOM = WINDOW + 16  # a window slides through this room; when it is full, it is moved back
_KIND, _WHO, _WHERE, _WHAT = range(len(TOKEN))
_OPEN, _UNCHALLENGED, _TRUE, _FALSE = range(4)  # of blocks.OUTCOMES
_ANNOUNCES, _CLAIMS, _PASSES, _NOT_ASKED = range(4)  # of blocks.ANSWERS

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
#: What windows leave out follows from the rest or stands elsewhere in an observation: turns, masks
#: still under the table, passes, coins, the end.
KEPT = WITH_PLACE | WITH_MASK | 1 << events.DECLINE

_FIELDS: list[Any] = [
    # 32 bits
    ("coins", np.int32, (MAX_PLAYERS,)),  # by seat
    ("tribunal", np.int32),
    ("turn", np.int32),
    ("start_coins", np.int32),
    ("goal_coins", np.int32),
    ("opening_turns", np.int32),
    ("turn_limit", np.int32),
    ("clock", np.int32),  # public events so far
    ("columns", np.int32),  # numbers in the picture of a slot
    ("revealed_on", np.int32, (MAX_SLOTS,)),  # turn on which all last saw the mask, by slot
    ("touched_on", np.int32, (MAX_SLOTS,)),  # turn on which it last may have been moved, by slot
    ("said_on", np.int32, (MAX_PLAYERS,)),  # turn of the last announcement, by player
    # 16 bits
    ("revealed", np.int16),  # players made to reveal during this turn, a bit set
    ("barred", np.int16),  # players made to reveal during the preceding turn, a bit set
    ("claims", np.int16),  # seats that claim the announced mask, a bit set
    ("liars", np.int16),  # players shown to have spoken falsely on this turn, a bit set
    ("tally", np.int16, (MAX_PLAYERS, len(TALLIES))),  # of each player's words
    # By player and slot, a bit set of slots: the player, by public facts alone, must know the masks
    # of these slots as a set; the slot is one of them. Alone in its set, its mask is known.
    ("known", np.int16, (MAX_PLAYERS, MAX_SLOTS)),
    # The block "slots" of observations, by slot and column, before it is scaled and turned.
    ("picture", np.int16, (MAX_SLOTS * MAX_COLUMNS,)),
    # 8 bits
    ("players", np.int8),
    ("slots", np.int8),
    ("kinds", np.int8),
    ("kind", np.int8, (len(MASKS),)),
    ("column", np.int8, (len(MASKS),)),  # of each mask in observations
    ("player_at", np.int8, (MAX_PLAYERS,)),
    ("seat_of", np.int8, (MAX_PLAYERS,)),
    ("phase", np.int8),
    ("marker", np.int8),
    ("actor", np.int8),
    ("announced", np.int8),
    ("user", np.int8),
    ("target", np.int8),  # first of two seats to choose
    ("table", np.int8, (2,)),  # slots whose masks are under the table
    ("end", np.int8, (MAX_PLAYERS,)),  # where in its room a player's window ends
    ("window", np.int8, (MAX_PLAYERS, _ROOM, len(TOKEN))),
    ("spare", np.int8, (5,)),  # leaves no padding
]

#: The structured dtype of the notes on one game.
NOTES = np.dtype((np.record, np.dtype(_FIELDS, align=True)))


@compiled
def prepare(notes: Notes, g: Row, layout: Layout) -> None:
    """Note the scenario of a game, which everybody knows, and how to picture it."""
    notes.players = g.players
    notes.slots = g.slots
    notes.kinds = g.kinds
    for i in range(g.kinds):
        notes.kind[i] = g.kind[i]
    for mask in range(len(notes.column)):
        notes.column[mask] = layout.column[mask]
    notes.columns = layout.columns
    notes.start_coins = g.start_coins
    notes.goal_coins = g.goal_coins
    notes.opening_turns = g.opening_turns
    notes.turn_limit = g.turn_limit


@compiled
def watch(notes: Notes, log: Log) -> None:
    """Take note of the events of a step."""
    for k in range(log.count):
        event = log.event[k]
        if event.seen_by & bit(ONLOOKER):
            notes.clock += 1
            _note(notes, event)
        if KEPT >> int(event.kind) & 1:
            _remember(notes, event)


@compiled
def _paint(notes: Notes, slot: int, column: int, value: int) -> None:
    """Change a number of the picture."""
    notes.picture[slot * notes.columns + column] = value


@compiled
def _note(notes: Notes, event: Event) -> None:
    """Take note of an event that everyone sees."""
    kind = event.kind
    if kind == events.ASK:
        notes.phase = event.value
        _let_decide(notes, event.a)
    elif kind == events.BEGIN:
        _note_turn(notes, event)
    elif kind == events.PASS:
        _answer(notes, event, _PASSES)
    elif kind == events.CLAIM:
        _answer(notes, event, _CLAIMS)
        notes.claims |= bit(notes.seat_of[event.player])
    elif kind == events.ANNOUNCE:
        _note_announcement(notes, event)
    elif kind == events.REVEAL:
        notes.revealed |= bit(event.player)
        if notes.phase == CHALLENGE:
            _note_proof(notes, event)
        notes.revealed_on[event.a] = notes.turn
        _paint(notes, event.a, REVEALED_AGO, 0)
        for player in range(notes.players):
            _learn(notes, player, event.a)
    elif kind == events.POWER:
        notes.user = event.a
        _paint(notes, event.a, USES_POWER, 1)
        if not notes.claims:
            _settle(notes, event, _UNCHALLENGED)
            _count(notes, event.player, UNPROVEN)
    elif kind == events.PAY:
        _note_payment(notes, event)
    elif kind == events.TAKE:
        _paint(notes, event.a, UNDER_TABLE, 1)
        _paint(notes, event.b, UNDER_TABLE, 1)
        notes.table[0] = event.a
        notes.table[1] = event.b
        if notes.announced == SPY:
            _learn(notes, event.player, event.a)
            _learn(notes, event.player, event.b)
    elif kind == events.RETURN:
        _note_return(notes, event)
    elif kind == events.LOOK:
        _learn(notes, event.player, event.a)
    elif kind == events.CHOOSE:
        _note_choice(notes, event)
    elif kind == events.EXCHANGE:
        fortune = int(notes.coins[event.a])
        _set_coins(notes, event.a, notes.coins[event.b])
        _set_coins(notes, event.b, fortune)
    elif kind == events.MOVE:
        _note_move(notes, event)
    elif kind == events.LIMIT:
        notes.turn = event.value
        notes.barred = notes.revealed
        notes.revealed = 0
        _age_all(notes)
        _end(notes)
    elif kind == events.WIN:
        _end(notes)
    elif kind == events.DEAL and event.a == 0:
        _clear(notes)


@compiled
def _end(notes: Notes) -> None:
    notes.phase = OVER
    _let_decide(notes, NOBODY)


@compiled
def _let_decide(notes: Notes, seat: int) -> None:
    if notes.actor != NOBODY:
        _paint(notes, notes.actor, DECIDES, 0)
    notes.actor = seat
    if seat != NOBODY:
        _paint(notes, seat, DECIDES, 1)


@compiled
def _clear(notes: Notes) -> None:
    """The first mask of a new game is dealt."""
    for i in range(notes.slots * notes.columns):
        notes.picture[i] = 0
    for seat in range(notes.players):
        notes.player_at[seat] = seat
        notes.seat_of[seat] = seat
        notes.said_on[seat] = 0
        for k in range(len(TALLIES)):
            notes.tally[seat, k] = 0
        notes.end[seat] = 0
        _set_coins(notes, seat, notes.start_coins)
        _paint(notes, seat, OCCUPIED, 1)
        _paint(notes, seat, SURE, 1)
        for slot in range(notes.slots):
            notes.known[seat, slot] = bit(slot)
    for slot in range(notes.slots):
        notes.revealed_on[slot] = 0
        notes.touched_on[slot] = 0
    notes.tribunal = 0
    notes.revealed = 0
    notes.marker = 0
    notes.actor = NOBODY
    notes.clock = 1


@compiled
def _note_turn(notes: Notes, event: Event) -> None:
    _paint(notes, notes.marker, MARKER, 0)
    _paint(notes, event.a, MARKER, 1)
    notes.turn = event.value
    notes.marker = event.a
    notes.barred = notes.revealed
    notes.revealed = 0
    notes.announced = NOBODY
    notes.user = NOBODY
    notes.target = NOBODY
    notes.claims = 0
    notes.liars = 0
    notes.table[0] = NOBODY
    notes.table[1] = NOBODY
    for slot in range(notes.slots):
        for column in range(UNDER_TABLE, BARRED):
            _paint(notes, slot, column, 0)
    for seat in range(notes.players):
        _paint(notes, seat, BARRED, notes.barred >> notes.player_at[seat] & 1)
    _age_all(notes)


@compiled
def _age_all(notes: Notes) -> None:
    """A turn has ended: all that happened is a turn longer ago."""
    for slot in range(notes.slots):
        _paint(notes, slot, REVEALED_AGO, _age(notes.turn - notes.revealed_on[slot]))
        _paint(notes, slot, TOUCHED_AGO, _age(notes.turn - notes.touched_on[slot]))
    for seat in range(notes.players):
        said_on = notes.said_on[notes.player_at[seat]]
        if said_on:
            _paint(notes, seat, SAID_AGO, _age(notes.turn + 1 - said_on))


@compiled
def _age(turns: int) -> int:
    """How long ago, in AGE_STEPS of the way to for ever."""
    return int(turns) * AGE_STEPS // (int(turns) + AGE_HALF)


@compiled
def _note_announcement(notes: Notes, event: Event) -> None:
    notes.announced = event.value
    notes.said_on[event.player] = notes.turn + 1  # 0 is never
    for seat in range(notes.players):
        _paint(notes, seat, ANSWER + (_ANNOUNCES if seat == notes.marker else _NOT_ASKED), 1)
    for column in range(SAID, notes.columns):
        _paint(notes, notes.marker, column, 0)
    _paint(notes, notes.marker, SAID + notes.column[event.value], 1)
    _paint(notes, notes.marker, SAID_AGO, 0)
    _settle(notes, event, _OPEN)


@compiled
def _answer(notes: Notes, event: Event, answer: int) -> None:
    seat = notes.seat_of[event.player]
    _paint(notes, seat, ANSWER + _NOT_ASKED, 0)
    _paint(notes, seat, ANSWER + answer, 1)


@compiled
def _settle(notes: Notes, event: Event, outcome: int) -> None:
    """Something becomes of an announcement."""
    seat = notes.seat_of[event.player]
    for other in range(4):
        _paint(notes, seat, SAID_OUTCOME + other, other == outcome)


@compiled
def _note_proof(notes: Notes, event: Event) -> None:
    """A challenge shows whether somebody spoke the truth."""
    true = event.value == notes.announced
    if not true:
        notes.liars |= bit(event.player)
    if event.a == notes.marker:
        _settle(notes, event, _TRUE if true else _FALSE)
        _count(notes, event.player, PROVEN_TRUE if true else PROVEN_FALSE)
    else:
        _count(notes, event.player, CLAIMS_TRUE if true else CLAIMS_FALSE)


@compiled
def _count(notes: Notes, player: int, column: int) -> None:
    """One more of what a column of the picture counts."""
    times = min(int(notes.tally[player, column - UNPROVEN]) + 1, AGE_STEPS)
    notes.tally[player, column - UNPROVEN] = times
    _paint(notes, notes.seat_of[player], column, times * AGE_STEPS // (times + TALLY_HALF))


@compiled
def _set_coins(notes: Notes, seat: int, coins: int) -> None:
    notes.coins[seat] = coins
    _paint(notes, seat, COINS, min(int(coins), MOST_COINS))


@compiled
def _note_payment(notes: Notes, event: Event) -> None:
    if event.a == TRIBUNAL:
        notes.tribunal -= event.value
    elif event.a != BANK:
        _set_coins(notes, event.a, notes.coins[event.a] - event.value)
    if event.b == TRIBUNAL:
        notes.tribunal += event.value
    else:
        _set_coins(notes, event.b, notes.coins[event.b] + event.value)


@compiled
def _note_choice(notes: Notes, event: Event) -> None:
    _paint(notes, event.a, CHOSEN, 1)
    two = notes.announced == FOOL or notes.announced == PUPPET_MASTER
    if two and notes.target == NOBODY:
        notes.target = event.a
    if notes.announced == PRINCESS:
        # The one who shows sees no SHOW, but all know what it means to be chosen.
        shows = notes.player_at[event.a]
        notes.revealed |= bit(shows)
        for player in range(notes.players):
            if player != shows:
                _learn(notes, player, event.a)


@compiled
def _note_return(notes: Notes, event: Event) -> None:
    for k in range(2):
        slot = event.a if k == 0 else event.b
        notes.touched_on[slot] = notes.turn
        _paint(notes, slot, TOUCHED_AGO, 0)
        _paint(notes, slot, UNDER_TABLE, 0)
    for player in range(notes.players):
        _lose_track(notes, player, event)


@compiled
def _note_move(notes: Notes, event: Event) -> None:
    """Two players exchange seats; what is said of them goes along."""
    one, other = int(event.a), int(event.b)
    for player in range(notes.players):
        before = int(notes.seat_of[player])
        _turn_window(notes, player, before, _moved(before, one, other), one, other)
    for column in range(ANSWER, notes.columns):
        value = notes.picture[one * notes.columns + column]
        _paint(notes, one, column, notes.picture[other * notes.columns + column])
        _paint(notes, other, column, value)
    player = notes.player_at[one]
    notes.player_at[one] = notes.player_at[other]
    notes.player_at[other] = player
    for seat in (one, other):
        player = notes.player_at[seat]
        notes.seat_of[player] = seat
        _paint(notes, seat, SURE, notes.known[player, seat] == bit(seat))


@compiled
def _moved(seat: int, one: int, other: int) -> int:
    """Where who sat on a seat sits after an exchange of two."""
    if seat == one:
        return other
    return one if seat == other else seat


@compiled
def _turn_window(notes: Notes, player: int, before: int, after: int, one: int, other: int) -> None:
    """Let a window count seats from the seat `after`, and name people by their new seats."""
    for k in range(notes.end[player]):
        who = int(notes.window[player, k, _WHO])
        if who:
            seat = _moved(left_of(notes, before, who - 1), one, other)
            notes.window[player, k, _WHO] = _place_word(notes, seat, after)
        where = int(notes.window[player, k, _WHERE])
        if 0 < where < CENTRE_WORD:
            seat = left_of(notes, before, where - 1)
            notes.window[player, k, _WHERE] = _place_word(notes, seat, after)
        second = int(notes.window[player, k, _WHAT]) - PLACE_WORD + 1
        if 0 < second < CENTRE_WORD:
            seat = left_of(notes, before, second - 1)
            notes.window[player, k, _WHAT] = PLACE_WORD - 1 + _place_word(notes, seat, after)


@compiled
def _learn(notes: Notes, player: int, slot: int) -> None:
    """A player sees the mask of a slot: the others of its set are a set without it."""
    rest = notes.known[player, slot] & ~bit(slot)
    if rest:
        notes.known[player, slot] = bit(slot)
        for other in range(notes.slots):
            if rest & bit(other):
                notes.known[player, other] = rest
        _judge_sure(notes, player)


@compiled
def _lose_track(notes: Notes, player: int, event: Event) -> None:
    """Two masks may have been swapped: their sets become one.

    So they do for who held the masks, unless both were known: nobody else can say whether that
    player now knows the one slot or the other.
    """
    one, other = int(event.a), int(event.b)
    both = notes.known[player, one] | notes.known[player, other]
    apart = notes.known[player, one] == bit(one) and notes.known[player, other] == bit(other)
    if player == event.player and apart:
        return
    for slot in range(notes.slots):
        if both & bit(slot):
            notes.known[player, slot] = both
    _judge_sure(notes, player)


@compiled
def _judge_sure(notes: Notes, player: int) -> None:
    seat = int(notes.seat_of[player])
    _paint(notes, seat, SURE, notes.known[player, seat] == bit(seat))


@compiled
def _place_word(notes: Notes, slot: int, seat: int) -> int:
    """The word of a token for a place, seen from a seat."""
    if slot >= notes.players:
        return CENTRE_WORD + slot - notes.players
    places = slot - seat
    return 1 + (places if places >= 0 else places + notes.players)


@compiled
def _remember(notes: Notes, event: Event) -> None:
    """Append an event to the windows of those who see it."""
    kind = int(event.kind)
    placed = WITH_PLACE >> kind & 1
    second = WITH_TWO_PLACES >> kind & 1
    what = 1 + event.value if WITH_MASK >> kind & 1 else 0
    doer = NOBODY if event.player == NOBODY else int(notes.seat_of[event.player])
    for player in range(notes.players):
        if not event.seen_by >> player & 1:
            continue
        window = notes.window[player]
        end = int(notes.end[player])
        if end == _ROOM:
            end = WINDOW - 1
            for k in range(end):
                for part in range(len(TOKEN)):
                    window[k, part] = window[_ROOM - end + k, part]
        notes.end[player] = end + 1
        seat = int(notes.seat_of[player])
        where = _place_word(notes, event.a, seat) if placed else 0
        if kind == events.DEAL and event.a < notes.players:
            end = where - 1  # the deal is listed from one's own seat
        window[end, _KIND] = 1 + kind
        window[end, _WHO] = 0 if doer == NOBODY else _place_word(notes, doer, seat)
        window[end, _WHERE] = where
        window[end, _WHAT] = PLACE_WORD - 1 + _place_word(notes, event.b, seat) if second else what
