"""Events: what happened in a game, and which players see it (rules 8).

Each step of the rules writes its events, in order, into a log (one element of an array of LOG).
Observations, beliefs and pages for players are computed from events only. So the field `seen_by`
alone decides what a player may know.
"""

from typing import Any, TypeAlias

import numpy as np

from mascarade_env._jit import compiled
from mascarade_env.game._masks import MASKS
from mascarade_env.game._positions import PHASES, Row, bit, player_on
from mascarade_env.game._scenarios import MAX_PLAYERS

#: One event. The list of kinds below says what `a`, `b` and `value` mean for each kind.
EVENT = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("value", np.int32),
                ("seen_by", np.int16),  # bit set of players and the ONLOOKER
                ("kind", np.int8),
                ("player", np.int8),  # the player who acted or was affected
                ("a", np.int16),
                ("b", np.int16),
            ],
            align=True,
        ),
    )
)

# Enough for the longest step: 12 reveals, a Beggar with 11 givers, 11 fines, 12 winners.
LOG_SIZE = 64

#: The events of one step. It is a record, because a record is passed by its address, which is
#: cheaper than passing an array.
LOG = np.dtype(
    (
        np.record,
        np.dtype([("count", np.int32), ("event", EVENT, (LOG_SIZE,))], align=True),
    )
)

# One element of an array of LOG; NumPy has no static type for it.
Log: TypeAlias = Any

# Sets for `seen_by`. The onlooker sees the events that all players see, and no others. A mask shown
# for the Princess is hidden from one player, so the onlooker does not see it.
ONLOOKER = MAX_PLAYERS
PLAYERS = (1 << MAX_PLAYERS) - 1
EVERYONE = PLAYERS | 1 << ONLOOKER

# Values of `a` and `b` of PAY for places other than seats.
BANK = 100
TRIBUNAL = 101

# Each kind, with what its fields `player`, `a`, `b` and `value` mean.
(
    DEAL,  # mask `value` is dealt to slot a, face up
    BEGIN,  # the turn of player on seat a begins; `value` turns have ended
    LOOK,  # player looks at the mask of slot a
    SEE,  # player sees mask `value` at slot a; private
    TAKE,  # player takes the masks of slots a and b under the table
    RETURN,  # player puts two masks back on slots a and b, swapped or not
    SWAP,  # player swapped the masks of slots a and b; private
    KEEP,  # player kept the masks of slots a and b; private
    ANNOUNCE,  # player announces mask `value`
    CLAIM,  # player claims mask `value` too
    PASS,  # player does not claim mask `value`
    REVEAL,  # player reveals mask `value` at seat a
    SHOW,  # player shows mask `value` at seat a to all other players
    POWER,  # player on seat a uses the power of mask `value`
    CHOOSE,  # player chooses seat a as target
    DECLINE,  # player declines to use the Witch's power
    DECLARE,  # player names mask `value` to the Guru
    PAY,  # `value` coins move from a to b (seats, BANK or TRIBUNAL)
    EXCHANGE,  # seats a and b exchange their fortunes
    MOVE,  # the players of seats a and b exchange seats
    LIMIT,  # the turn limit is reached after `value` turns
    WIN,  # player wins
    ASK,  # player on seat a decides next; `value` is the phase
) = range(23)

# Bit set of the kinds that show a mask after the deal.
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
        log: one element of an array of LOG.
        seen_by: bit set of the players who see the event, and of the ONLOOKER.
        kind: the kind of the event.
        player: the player who acts or is affected, or NOBODY.
        what: `a`, `b` and `value` as in the list of kinds; 0 for each number that the kind does not
            use.
    """
    event = log.event[log.count]
    event.seen_by = seen_by
    event.kind = kind
    event.player = player
    event.a, event.b, event.value = what
    log.count += 1


@compiled
def log_for_all(g: Row, log: Log, kind: int, seat: int, what: tuple[int, int, int]) -> None:
    """Log an event of the player on a seat. Everyone sees it."""
    log_event(log, EVERYONE, kind, player_on(g, seat), what)


@compiled
def log_for_one(g: Row, log: Log, kind: int, seat: int, what: tuple[int, int, int]) -> None:
    """Log an event of the player on a seat that only this player sees."""
    player = player_on(g, seat)
    log_event(log, bit(player), kind, player, what)


@compiled
def log_for_others(g: Row, log: Log, kind: int, seat: int, what: tuple[int, int, int]) -> None:
    """Log an event of the player on a seat. All other players see it, but not the onlooker."""
    player = player_on(g, seat)
    log_event(log, PLAYERS & ~bit(player), kind, player, what)


def _place(place: int, players: int) -> str:
    if place == BANK:
        return "the bank"
    if place == TRIBUNAL:
        return "the tribunal"
    return f"seat {place}" if place < players else f"centre slot {place}"


# A sentence for each kind; `in_words` fills in the names.
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
    """Return one event as a sentence; slots from `players` on are in the centre."""
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
