"""What happened, and who may know it (rules 8).

Each step of the rules writes its events, in order, into a log (one element of an array of LOG).
Everything that players or onlookers are told is made from these, so visibility is decided here and
nowhere else.
"""

from typing import Any, TypeAlias

import numpy as np

from mascarade_env._jit import compiled
from mascarade_env.game._masks import MASKS
from mascarade_env.game._positions import PHASES, Row, bit, player_on
from mascarade_env.game._scenarios import MAX_PLAYERS

#: One event. What `a`, `b` and `value` mean depends on the kind, see the table below.
EVENT = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("value", np.int32),
                ("seen_by", np.int16),  # bit set of players, and ONLOOKER
                ("kind", np.int8),
                ("player", np.int8),  # who did it, or whom it happened to
                ("a", np.int16),
                ("b", np.int16),
            ],
            align=True,
        ),
    )
)

# Room for one step: twelve reveal, a Beggar takes from eleven, eleven pay fines, all win.
LOG_SIZE = 64

#: The events of one step. A record and not an array: passing one is passing one address.
LOG = np.dtype(
    (
        np.record,
        np.dtype([("count", np.int32), ("event", EVENT, (LOG_SIZE,))], align=True),
    )
)

# One element of an array of LOG; NumPy has no static type for it.
Log: TypeAlias = Any

# Sets for `seen_by`. The onlooker sees what every player sees, and nothing else: what is shown to
# the Princess is kept from one of them, so it is not public.
ONLOOKER = MAX_PLAYERS
PLAYERS = (1 << MAX_PLAYERS) - 1
EVERYONE = PLAYERS | 1 << ONLOOKER

# Places other than seats that coins come from or go to.
BANK = 100
TRIBUNAL = 101

# Kind: what it tells (player, a, b, value).
(
    DEAL,  # mask value is dealt to slot a, face up
    BEGIN,  # the turn of player on seat a begins; value turns have ended
    LOOK,  # player looks at the mask of slot a
    SEE,  # player sees mask value at slot a; private
    TAKE,  # player takes the masks of slots a and b under the table
    RETURN,  # player puts two masks back on slots a and b, swapped or not
    SWAP,  # player swapped the masks of slots a and b; private
    KEEP,  # player kept the masks of slots a and b; private
    ANNOUNCE,  # player announces mask value
    CLAIM,  # player claims mask value too
    PASS,  # player does not claim mask value
    REVEAL,  # player reveals mask value at seat a
    SHOW,  # player shows mask value at seat a to all the others
    POWER,  # player on seat a uses the power of mask value
    CHOOSE,  # player chooses seat a as target
    DECLINE,  # player declines to use the Witch's power
    DECLARE,  # player names mask value to the Guru
    PAY,  # value coins move from a to b (seats, BANK or TRIBUNAL)
    EXCHANGE,  # seats a and b exchange their fortunes
    MOVE,  # the players of seats a and b exchange seats
    LIMIT,  # the turn limit is reached after value turns
    WIN,  # player wins
    ASK,  # player on seat a decides next; value is the phase
) = range(23)

# Set of the kinds that show a mask to someone during a game.
SIGHTS = 1 << SEE | 1 << REVEAL | 1 << SHOW

#: Their names, in order.
KINDS = (
    "DEAL", "BEGIN", "LOOK", "SEE", "TAKE", "RETURN", "SWAP", "KEEP", "ANNOUNCE", "CLAIM", "PASS",
    "REVEAL", "SHOW", "POWER", "CHOOSE", "DECLINE", "DECLARE", "PAY", "EXCHANGE", "MOVE", "LIMIT",
    "WIN", "ASK",
)  # fmt: skip


@compiled
def log_event(log: Log, seen_by: int, kind: int, player: int, what: tuple[int, int, int]) -> None:
    """Append an event to the log of this step.

    Args:
        log: the log.
        seen_by: set of players, and ONLOOKER.
        kind: of event.
        player: who did it, or whom it happened to.
        what: a, b and value, as the table above has them; 0 where a kind has no use for one.
    """
    event = log.event[log.count]
    event.seen_by = seen_by
    event.kind = kind
    event.player = player
    event.a, event.b, event.value = what
    log.count += 1


@compiled
def log_for_all(g: Row, log: Log, kind: int, seat: int, what: tuple[int, int, int]) -> None:
    """Log an event that everyone sees, of the player on a seat."""
    log_event(log, EVERYONE, kind, player_on(g, seat), what)


@compiled
def log_for_one(g: Row, log: Log, kind: int, seat: int, what: tuple[int, int, int]) -> None:
    """Log an event that only the player on a seat sees."""
    player = player_on(g, seat)
    log_event(log, bit(player), kind, player, what)


@compiled
def log_for_others(g: Row, log: Log, kind: int, seat: int, what: tuple[int, int, int]) -> None:
    """Log an event that all players but the one on a seat see, so that it is not public."""
    player = player_on(g, seat)
    log_event(log, PLAYERS & ~bit(player), kind, player, what)


def _place(place: int, players: int) -> str:
    if place == BANK:
        return "the bank"
    if place == TRIBUNAL:
        return "the tribunal"
    return f"seat {place}" if place < players else f"centre slot {place}"


# Each kind as a sentence, in the words of `in_words`.
_SENTENCES = {
    DEAL: "the {mask} is dealt to {a}",
    BEGIN: "turn {value}: {who} on {a}",
    LOOK: "{who} looks at the mask of {a}",
    SEE: "{who} sees the {mask} at {a}",
    TAKE: "{who} takes the masks of {a} and {b} under the table",
    RETURN: "{who} puts the masks of {a} and {b} back, swapped or not",
    SWAP: "{who} has swapped the masks of {a} and {b}",
    KEEP: "{who} has kept the masks of {a} and {b} as they were",
    ANNOUNCE: '{who} announces: "I am the {mask}"',
    CLAIM: '{who} claims: "No, I am the {mask}"',
    PASS: "{who} passes",
    REVEAL: "{who} reveals the {mask} at {a}",
    SHOW: "{who} shows, without seeing it, the {mask} at {a}",
    POWER: "{who} uses the power of the {mask}",
    CHOOSE: "{who} chooses {a}",
    DECLINE: "{who} declines",
    DECLARE: '{who} says to the Guru: "I have the {mask}"',
    PAY: "{coins} from {a} to {b}",
    EXCHANGE: "{a} and {b} exchange their fortunes",
    MOVE: "the players of {a} and {b} exchange seats",
    LIMIT: "the turn limit of {value} is reached",
    WIN: "{who} wins",
    ASK: "{who} on {a} decides next ({phase})",
}


def in_words(event: np.record, players: int) -> str:
    """Return one event as a sentence; `players` tells seats from centre slots."""
    value, _, kind, player, a, b = event.item()
    return _SENTENCES[kind].format(
        who=f"player {player}",
        mask=MASKS[value].name if 0 <= value < len(MASKS) else "",
        a=_place(a, players),
        b=_place(b, players),
        value=value,
        coins="1 coin" if value == 1 else f"{value} coins",
        phase=PHASES[value] if kind == ASK else "",
    )
