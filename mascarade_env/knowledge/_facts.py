"""Public facts, which everyone at the table knows, from the events that everyone sees.

The functions of this file receive public events only, never a private event or the row of the game.
So facts cannot contain anything hidden. The fields that determine the legal actions have the same
names as in GAME, so `find_legal` takes facts too.

Facts about players are indexed by player, and facts about places by slot. So an exchange of seats
changes only `player_at`, `seat_of` and `sure`.
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

#: The outcome of a player's last announcement.
OUTCOMES = ("open", "unchallenged", "true", "false")
OPEN, UNCHALLENGED, PROVEN, DISPROVEN = range(1, 5)  # values of the field `outcome`; 0 for none
#: The answer of a player to this turn's announcement.
ANSWERS = ("announces", "claims", "passes", "not asked yet")
ANNOUNCES, CLAIMS, PASSES, NOT_ASKED = range(1, 5)  # values of the field `answer`; 0 for none
#: Counters of each player's announcements and claims that everyone can count.
TALLIES = ("unproven", "proven_true", "proven_false", "claims_true", "claims_false")
UNPROVEN, PROVEN_TRUE, PROVEN_FALSE, CLAIMS_TRUE, CLAIMS_FALSE = range(len(TALLIES))
MOST_COUNTED = 32767

# Ordered by size, so that no padding bytes are left between the fields.
_FIELDS: list[Any] = [
    # 32 bits
    ("coins", np.int32, (MAX_PLAYERS,)),  # by seat
    ("revealed_on", np.int32, (MAX_SLOTS,)),  # by slot, last turn on which all players saw its mask
    ("touched_on", np.int32, (MAX_SLOTS,)),  # by slot, last turn on which its mask may have moved
    ("said_on", np.int32, (MAX_PLAYERS,)),  # by player, 1 + turn of the last announcement; 0: none
    ("tribunal", np.int32),
    ("turn", np.int32),
    ("start_coins", np.int32),
    ("goal_coins", np.int32),
    ("opening_turns", np.int32),
    ("turn_limit", np.int32),
    ("clock", np.int32),  # number of public events so far
    # 16 bits: bit sets
    ("revealed", np.int16),  # players who had to reveal their mask during this turn
    ("barred", np.int16),  # players who had to reveal it during the turn before
    # As `barred`, but the turn limit does not change it: observations show the last turn played.
    ("barred_on_turn", np.int16),
    ("claims", np.int16),  # seats that claim the announced mask
    ("liars", np.int16),  # players shown to have spoken falsely on this turn
    ("chosen", np.int16),  # seats chosen as targets on this turn
    ("users", np.int16),  # seats that use the announced power on this turn
    ("sure", np.int16),  # players who, by public facts, must know their mask
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
    ("outcome", np.int8, (MAX_PLAYERS,)),  # outcome of that announcement, by player
    ("answer", np.int8, (MAX_PLAYERS,)),  # answer to this turn's announcement, by player
    # 16 bits, of a length that depends on the scenario; see `tally_at` and `known_at`.
    ("tail", np.int16, (MAX_PLAYERS * (len(TALLIES) + MAX_SLOTS),)),
]

#: The structured dtype of the facts about one game. Rows use less memory: see `new_facts`.
FACTS = np.dtype((np.record, np.dtype(_FIELDS, align=True)))


def new_facts(scenario: Scenario, games: int) -> NDArray[np.uint8]:
    """Return memory for the facts about `games` undealt games; `facts_in` makes rows of it.

    A row is as long as the scenario needs. FACTS, which has room for twelve players, is longer. The
    speed of a batch depends on how much memory each step reads.
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
    by_game[1:] = by_game[0]  # all games have the same scenario
    return memory


def row_bytes(scenario: Scenario) -> int:
    """Return the distance in bytes between the facts about one game and about the next one."""
    used = scenario.players * (len(TALLIES) + scenario.slots)
    length = FACTS.itemsize - FACTS["tail"].itemsize + used * np.dtype(np.int16).itemsize
    return -(-length // 8) * 8  # a multiple of 8, so that numbers stay aligned


def facts_in(memory: NDArray[np.uint8], length: int) -> Rows:
    """Return memory of `new_facts` as rows of FACTS that begin every `length` bytes.

    The rows overlap: the end of each `tail` is the next row, and must not be used. There is one row
    more than there are games. Without this row Numba would treat the array of a single game as
    contiguous, which is another type.
    """
    games = (len(memory) - FACTS.itemsize) // length
    return np.ndarray((games + 1,), FACTS, memory, 0, (length,))


@compiled
def tally_at(player: int, tally: int) -> int:
    """Return the index in `tail` of a counter of a player."""
    return len(TALLIES) * int(player) + tally


@compiled
def known_at(facts: Row, player: int, slot: int) -> int:
    """Return the index in `tail` of a player's set of slots that contains `slot`.

    By public facts the player must know which masks are in this set of slots, but perhaps not at
    which slot each mask is. If the slot is the only one of its set, the player must know its mask.
    """
    return len(TALLIES) * int(facts.players) + int(facts.slots) * int(player) + int(slot)


@compiled
def note(facts: Row, event: Event) -> None:
    """Update the facts by an event that everyone sees."""
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
    """Start a new game, at the first mask of the deal."""
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
        # A reveal in a challenge shows whether the claim or announcement was true.
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
        # SHOW is not public, because its player does not see it. But everyone knows that SHOW
        # follows.
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
    """Let two players exchange seats."""
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
    """Take a slot out of its set, because the player sees its mask; the rest remains a set."""
    rest = facts.tail[known_at(facts, player, slot)] & ~bit(slot)
    if rest:
        facts.tail[known_at(facts, player, slot)] = bit(slot)
        for other in range(facts.slots):
            if rest & bit(other):
                facts.tail[known_at(facts, player, other)] = rest
        _judge_sure(facts, player)


@compiled
def _lose_track(facts: Row, player: int, event: Event) -> None:
    """Join the sets of slots that contain `event.a` and `event.b`: their masks may be swapped.

    The sets of the player who decided the swap are joined too, unless this player knew both masks.
    Facts are public: if the player knew one of the two masks, the others do not know at which of
    the two slots it is now.
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
