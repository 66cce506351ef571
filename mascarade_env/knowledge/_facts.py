"""Public facts: what everyone at the table knows, made from the events that everyone sees.

Nothing hidden can get in, because nothing here is given a private event or the row of the game.
The fields that decide what is legal have the names they have in GAME, so `find_legal` takes facts
too.

Facts about players are kept by player, about places by slot: an exchange of seats then moves
nothing but the seats.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled
from mascarade_env.game import _events as events
from mascarade_env.game._events import BANK, TRIBUNAL
from mascarade_env.game._masks import FOOL, MASKS, PRINCESS, PUPPET_MASTER, SPY, mask_number
from mascarade_env.game._positions import CHALLENGE, NOBODY, OVER, Row, Rows, bit
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS, Scenario

# One element of an array of EVENT; NumPy has no static type for it.
Event: TypeAlias = Any

#: What became of a player's last announcement.
OUTCOMES = ("open", "unchallenged", "true", "false")
OPEN, UNCHALLENGED, PROVEN, DISPROVEN = range(1, 5)  # in the field `outcome`; 0 is none
#: What a player has said to this turn's announcement.
ANSWERS = ("announces", "claims", "passes", "not asked yet")
ANNOUNCES, CLAIMS, PASSES, NOT_ASKED = range(1, 5)  # in the field `answer`; 0 is nothing
#: What is counted of each player's words, from public facts alone.
TALLIES = ("unproven", "proven_true", "proven_false", "claims_true", "claims_false")
UNPROVEN, PROVEN_TRUE, PROVEN_FALSE, CLAIMS_TRUE, CLAIMS_FALSE = range(len(TALLIES))
MOST_COUNTED = 32767

# In an order that leaves no padding, which would be left-over memory.
_FIELDS: list[Any] = [
    # 32 bits
    ("coins", np.int32, (MAX_PLAYERS,)),  # by seat
    ("revealed_on", np.int32, (MAX_SLOTS,)),  # turn on which all last saw the mask, by slot
    ("touched_on", np.int32, (MAX_SLOTS,)),  # turn on which it last may have been moved, by slot
    ("said_on", np.int32, (MAX_PLAYERS,)),  # 1 + turn of the last announcement, 0 for none
    ("tribunal", np.int32),
    ("turn", np.int32),
    ("start_coins", np.int32),
    ("goal_coins", np.int32),
    ("opening_turns", np.int32),
    ("turn_limit", np.int32),
    ("clock", np.int32),  # public events so far
    # 16 bits: bit sets
    ("revealed", np.int16),  # players made to reveal during this turn
    ("barred", np.int16),  # players made to reveal during the preceding turn
    # The same, but left alone at the turn limit: observations show the last turn that was played.
    ("barred_on_turn", np.int16),
    ("claims", np.int16),  # seats that claim the announced mask
    ("liars", np.int16),  # players shown to have spoken falsely on this turn
    ("chosen", np.int16),  # seats chosen as targets on this turn
    ("users", np.int16),  # seats that use the announced power on this turn
    ("sure", np.int16),  # players who, by public facts alone, must know their own mask
    # 8 bits
    ("players", np.int8),
    ("slots", np.int8),
    ("kinds", np.int8),
    ("kind", np.int8, (len(MASKS),)),
    ("phase", np.int8),
    ("marker", np.int8),
    ("actor", np.int8),
    ("announced", np.int8),
    ("user", np.int8),
    ("target", np.int8),  # first of two seats to choose
    ("table", np.int8, (2,)),  # slots whose masks are under the table
    ("player_at", np.int8, (MAX_PLAYERS,)),
    ("seat_of", np.int8, (MAX_PLAYERS,)),
    ("said", np.int8, (MAX_PLAYERS,)),  # mask last announced, by player
    ("outcome", np.int8, (MAX_PLAYERS,)),  # what became of that
    ("answer", np.int8, (MAX_PLAYERS,)),  # to this turn's announcement, by player
    # 16 bits, as many as the scenario needs; see `tally_at` and `known_at`.
    ("tail", np.int16, (MAX_PLAYERS * (len(TALLIES) + MAX_SLOTS),)),
]

#: The structured dtype of the facts about one game. Rows are shorter: see `new_facts`.
FACTS = np.dtype((np.record, np.dtype(_FIELDS, align=True)))


def new_facts(scenario: Scenario, games: int) -> NDArray[np.uint8]:
    """Return memory for the facts about games not dealt yet; `facts_in` reads it as rows.

    Rows are as long as the scenario needs, and shorter than FACTS, which has room for twelve
    players: how much memory a batch goes through at each step decides its speed.
    """
    length = row_bytes(scenario)
    memory = np.zeros(games * length + FACTS.itemsize, np.uint8)
    facts = facts_in(memory, length)[0]
    facts["players"] = scenario.players
    facts["slots"] = scenario.slots
    facts["kinds"] = len(scenario.kinds)
    facts["kind"][: len(scenario.kinds)] = [mask_number(mask) for mask in scenario.kinds]
    facts["start_coins"] = scenario.start_coins
    facts["goal_coins"] = scenario.goal_coins
    facts["opening_turns"] = scenario.opening_turns
    facts["turn_limit"] = scenario.turn_limit or 0
    by_game = memory[: games * length].reshape(games, length)
    by_game[1:] = by_game[0]  # all play the same scenario
    return memory


def row_bytes(scenario: Scenario) -> int:
    """Return from how many bytes to the next the facts about one game begin."""
    used = scenario.players * (len(TALLIES) + scenario.slots)
    length = FACTS.itemsize - FACTS["tail"].itemsize + used * np.dtype(np.int16).itemsize
    return -(-length // 8) * 8  # a multiple of 8, so that numbers stay aligned


def facts_in(memory: NDArray[np.uint8], length: int) -> Rows:
    """Return memory of `new_facts` as rows of FACTS, `length` bytes from one to the next.

    NumPy sees rows that overlap; nothing may touch the end of a `tail`. There is one row more than
    there are games, which keeps the type of the array the same for one game: Numba takes an array
    of a single row for contiguous, and its rows for as long as FACTS.
    """
    games = (len(memory) - FACTS.itemsize) // length
    return np.ndarray((games + 1,), FACTS, memory, 0, (length,))


@compiled
def tally_at(player: int, tally: int) -> int:
    """Return where in `tail` it is counted how often a player's words were of a kind."""
    return len(TALLIES) * int(player) + tally


@compiled
def known_at(facts: Row, player: int, slot: int) -> int:
    """Return where in `tail` a set of slots is that a player must know, one of them this slot.

    By public facts alone the player must know the masks of these slots as a set. If the slot is
    alone in its set, the player must know its mask.
    """
    return len(TALLIES) * int(facts.players) + int(facts.slots) * int(player) + int(slot)


@compiled
def note(facts: Row, event: Event) -> None:
    """Take note of an event that everyone sees."""
    kind = event.kind
    facts.clock += 1
    if kind == events.ASK:
        facts.phase = event.value
        facts.actor = event.a
    elif kind == events.BEGIN:
        _note_turn(facts, event)
    elif kind == events.PASS:
        facts.answer[event.player] = PASSES
    elif kind == events.CLAIM:
        facts.answer[event.player] = CLAIMS
        facts.claims |= bit(facts.seat_of[event.player])
    elif kind == events.ANNOUNCE:
        _note_announcement(facts, event)
    elif kind == events.REVEAL:
        _note_reveal(facts, event)
    elif kind == events.POWER:
        _note_power(facts, event)
    elif kind == events.PAY:
        _note_payment(facts, event)
    elif kind == events.TAKE:
        _note_take(facts, event)
    elif kind == events.RETURN:
        _note_return(facts, event)
    elif kind == events.LOOK:
        _learn(facts, event.player, event.a)
    elif kind == events.CHOOSE:
        _note_choice(facts, event)
    elif kind == events.EXCHANGE:
        fortune = int(facts.coins[event.a])
        facts.coins[event.a] = facts.coins[event.b]
        facts.coins[event.b] = fortune
    elif kind == events.MOVE:
        _note_move(facts, event)
    elif kind == events.LIMIT:
        facts.turn = event.value
        facts.barred = facts.revealed
        facts.revealed = 0
        _end(facts)
    elif kind == events.WIN:
        _end(facts)
    elif kind == events.DEAL and event.a == 0:
        _clear(facts)


@compiled
def _end(facts: Row) -> None:
    facts.phase = OVER
    facts.actor = NOBODY


@compiled
def _clear(facts: Row) -> None:
    """The first mask of a new game is dealt."""
    for seat in range(facts.players):
        facts.player_at[seat] = seat
        facts.seat_of[seat] = seat
        facts.coins[seat] = facts.start_coins
        facts.said[seat] = NOBODY
        facts.said_on[seat] = 0
        facts.outcome[seat] = 0
        facts.answer[seat] = 0
        for tally in range(len(TALLIES)):
            facts.tail[tally_at(seat, tally)] = 0
        for slot in range(facts.slots):
            facts.tail[known_at(facts, seat, slot)] = bit(slot)
    for slot in range(facts.slots):
        facts.revealed_on[slot] = 0
        facts.touched_on[slot] = 0
    facts.sure = bit(facts.players) - 1
    facts.tribunal = 0
    facts.revealed = 0
    facts.chosen = 0
    facts.users = 0
    facts.marker = 0
    facts.actor = NOBODY
    facts.clock = 1


@compiled
def _note_turn(facts: Row, event: Event) -> None:
    facts.turn = event.value
    facts.marker = event.a
    facts.barred = facts.revealed
    facts.barred_on_turn = facts.revealed
    facts.revealed = 0
    facts.announced = NOBODY
    facts.user = NOBODY
    facts.target = NOBODY
    facts.claims = 0
    facts.liars = 0
    facts.chosen = 0
    facts.users = 0
    facts.table[0] = NOBODY
    facts.table[1] = NOBODY
    for player in range(facts.players):
        facts.answer[player] = 0


@compiled
def _note_announcement(facts: Row, event: Event) -> None:
    facts.announced = event.value
    for player in range(facts.players):
        facts.answer[player] = NOT_ASKED
    facts.answer[event.player] = ANNOUNCES
    facts.said[event.player] = event.value
    facts.said_on[event.player] = facts.turn + 1
    facts.outcome[event.player] = OPEN


@compiled
def _note_reveal(facts: Row, event: Event) -> None:
    facts.revealed |= bit(event.player)
    if facts.phase == CHALLENGE:
        # A reveal in a challenge shows whether the player spoke the truth.
        true = event.value == facts.announced
        if not true:
            facts.liars |= bit(event.player)
        if event.a == facts.marker:
            facts.outcome[event.player] = PROVEN if true else DISPROVEN
            _count(facts, event.player, PROVEN_TRUE if true else PROVEN_FALSE)
        else:
            _count(facts, event.player, CLAIMS_TRUE if true else CLAIMS_FALSE)
    facts.revealed_on[event.a] = facts.turn
    for player in range(facts.players):
        _learn(facts, player, event.a)


@compiled
def _note_power(facts: Row, event: Event) -> None:
    facts.user = event.a
    facts.users |= bit(event.a)
    if not facts.claims:
        facts.outcome[event.player] = UNCHALLENGED
        _count(facts, event.player, UNPROVEN)


@compiled
def _count(facts: Row, player: int, tally: int) -> None:
    at = tally_at(player, tally)
    facts.tail[at] = min(int(facts.tail[at]) + 1, MOST_COUNTED)


@compiled
def _note_payment(facts: Row, event: Event) -> None:
    if event.a == TRIBUNAL:
        facts.tribunal -= event.value
    elif event.a != BANK:
        facts.coins[event.a] -= event.value
    if event.b == TRIBUNAL:
        facts.tribunal += event.value
    else:
        facts.coins[event.b] += event.value


@compiled
def _note_take(facts: Row, event: Event) -> None:
    facts.table[0] = event.a
    facts.table[1] = event.b
    if facts.announced == SPY:
        _learn(facts, event.player, event.a)
        _learn(facts, event.player, event.b)


@compiled
def _note_choice(facts: Row, event: Event) -> None:
    facts.chosen |= bit(event.a)
    two = facts.announced == FOOL or facts.announced == PUPPET_MASTER
    if two and facts.target == NOBODY:
        facts.target = event.a
    if facts.announced == PRINCESS:
        # The player who shows a mask sees no SHOW, but all know what it means to be chosen.
        shows = facts.player_at[event.a]
        facts.revealed |= bit(shows)
        for player in range(facts.players):
            if player != shows:
                _learn(facts, player, event.a)


@compiled
def _note_return(facts: Row, event: Event) -> None:
    facts.touched_on[event.a] = facts.turn
    facts.touched_on[event.b] = facts.turn
    for player in range(facts.players):
        _lose_track(facts, player, event)


@compiled
def _note_move(facts: Row, event: Event) -> None:
    """Two players exchange seats."""
    player = facts.player_at[event.a]
    facts.player_at[event.a] = facts.player_at[event.b]
    facts.player_at[event.b] = player
    for k in range(2):
        seat = event.a if k == 0 else event.b
        player = facts.player_at[seat]
        facts.seat_of[player] = seat
        _judge_sure(facts, player)


@compiled
def _learn(facts: Row, player: int, slot: int) -> None:
    """Split a set of slots, because a player sees the mask of one: the others stay a set."""
    rest = facts.tail[known_at(facts, player, slot)] & ~bit(slot)
    if rest:
        facts.tail[known_at(facts, player, slot)] = bit(slot)
        for other in range(facts.slots):
            if rest & bit(other):
                facts.tail[known_at(facts, player, other)] = rest
        _judge_sure(facts, player)


@compiled
def _lose_track(facts: Row, player: int, event: Event) -> None:
    """Join two sets of slots, because two masks of theirs may have been swapped.

    The player who held the masks loses track too, unless both were known: the others cannot say
    whether that player now knows the one slot or the other.
    """
    one, other = int(event.a), int(event.b)
    of_one = facts.tail[known_at(facts, player, one)]
    of_other = facts.tail[known_at(facts, player, other)]
    if player == event.player and of_one == bit(one) and of_other == bit(other):
        return
    both = of_one | of_other
    for slot in range(facts.slots):
        if both & bit(slot):
            facts.tail[known_at(facts, player, slot)] = both
    _judge_sure(facts, player)


@compiled
def _judge_sure(facts: Row, player: int) -> None:
    seat = facts.seat_of[player]
    if facts.tail[known_at(facts, player, seat)] == bit(seat):
        facts.sure |= bit(player)
    else:
        facts.sure &= ~bit(player)
