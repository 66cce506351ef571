"""Actions: their ids, the words for them, and which are legal.

Ids count seats clockwise from the acting player's seat, so that one policy can play on every seat.
For example, the first target id is always the neighbour on the left. With n players, m slots and
k kinds of mask:

| ids                          | action            | meaning                                      |
|------------------------------|-------------------|----------------------------------------------|
| 0 .. n-2                     | `take:<slot>`     | the seats 1 .. n-1 places to the left        |
| n-1 .. m-2                   | `take:<slot>`     | the slots of the centre                      |
| m-1                          | `look`            |                                              |
| m .. m+k-1                   | `announce:<mask>` | the kinds in play, in the order of `MASKS`   |
| m+k, m+k+1                   | `swap`, `keep`    |                                              |
| m+k+2, m+k+3                 | `claim`, `pass`   |                                              |
| m+k+4 .. m+k+n+2             | `target:<seat>`   | the seats 1 .. n-1 places to the left        |
| m+k+n+3                      | `decline`         |                                              |
| m+k+n+4 .. m+2k+n+3          | `declare:<mask>`  | the kinds in play, in the order of `MASKS`   |

Padded ids are the same in every scenario: the ids for n = 12, m = 14, k = 16. `padded_ids`
translates the ids of a scenario into padded ids.

Words name seats and slots by their numbers at the table, as a game record does.
"""

from typing import Any, TypeAlias

import numpy as np

from mascarade_env._errors import IllegalActionError, UnknownNameError, did_you_mean
from mascarade_env._jit import compiled
from mascarade_env.game._masks import FOOL, MASK_IDS, PUPPET_MASTER, TRICKSTER, WITCH, mask_number
from mascarade_env.game._positions import (
    CHALLENGE,
    DECLARE,
    NOBODY,
    PHASES,
    TABLE,
    TARGET,
    TURN,
    Row,
    bit,
    left_of,
    player_on,
)
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS

#: The largest number of legal actions in a position: takes, look, announcements.
MAX_LEGAL = MAX_SLOTS + len(MASK_IDS)
#: The number of action ids of the largest scenario, and of padded ids.
MAX_ACTIONS = MAX_SLOTS + 2 * len(MASK_IDS) + MAX_PLAYERS + 4

#: The legal ids of a position, ascending. It is a record, like LOG, because records are passed by
#: their address.
LEGAL = np.dtype(
    (np.record, np.dtype([("count", np.int64), ("id", np.int64, (MAX_LEGAL,))], align=True))
)

# One element of an array of LEGAL; NumPy has no static type for it.
Legal: TypeAlias = Any


@compiled
def look_id(g: Row) -> int:
    """Return the id of look, which is also the number of takes."""
    return int(g.slots) - 1


@compiled
def announce_id(g: Row) -> int:
    """Return the id of announcing the first kind; the other kinds follow in order."""
    return int(g.slots)


@compiled
def swap_id(g: Row) -> int:
    """Return the id of swap; keep is the next id."""
    return int(g.slots) + g.kinds


@compiled
def claim_id(g: Row) -> int:
    """Return the id of claim; pass is the next id."""
    return swap_id(g) + 2


@compiled
def target_id(g: Row) -> int:
    """Return the id of the left neighbour as target; the other seats follow clockwise."""
    return swap_id(g) + 4


@compiled
def decline_id(g: Row) -> int:
    """Return the id of decline, which is legal for the Witch."""
    return target_id(g) + g.players - 1


@compiled
def declare_id(g: Row) -> int:
    """Return the id of declaring the first kind; the other kinds follow in order."""
    return target_id(g) + g.players


@compiled
def count_ids(g: Row) -> int:
    """Return the number of action ids of the scenario of a row."""
    return declare_id(g) + g.kinds


@compiled
def taken_slot(g: Row, action: int) -> int:
    """Return the slot that a take names; the other slot of a take is the actor's seat."""
    return left_of(g, g.actor, action + 1) if action + 1 < g.players else action + 1


@compiled
def target_seat(g: Row, action: int) -> int:
    """Return the seat that a target id chooses."""
    return left_of(g, g.actor, action - target_id(g) + 1)


@compiled
def richest_other(g: Row, seat: int) -> int:
    """Return the largest number of coins on any seat but `seat`."""
    most = 0
    for other in range(g.players):
        if other != seat and g.coins[other] > most:
            most = int(g.coins[other])
    return most


@compiled
def may_target(g: Row, seat: int) -> bool:
    """Return whether the power in use may choose a seat (rules 6); not for the user's own seat."""
    if g.announced == TRICKSTER:
        return g.coins[seat] == richest_other(g, g.user)
    if g.announced == FOOL or g.announced == PUPPET_MASTER:
        return seat != g.target
    return True


@compiled
def _fill(legal: Legal, first: int, count: int) -> None:
    legal.count = count
    for i in range(count):
        legal.id[i] = first + i


@compiled
def find_legal(g: Row, legal: Legal) -> None:
    """Write the legal ids, ascending; none when the game is over."""
    # In all phases but TARGET the legal ids are a range without gaps.
    if g.phase == TURN:
        barred = g.barred & bit(player_on(g, g.actor))
        if g.turn < g.opening_turns:
            _fill(legal, 0, look_id(g))
        elif barred:
            _fill(legal, 0, announce_id(g))
        else:
            _fill(legal, 0, swap_id(g))
    elif g.phase == TABLE:
        _fill(legal, swap_id(g), 2)
    elif g.phase == CHALLENGE:
        _fill(legal, claim_id(g), 2)
    elif g.phase == DECLARE:
        _fill(legal, declare_id(g), g.kinds)
    else:
        legal.count = 0
        if g.phase == TARGET:
            _find_targets(g, legal)


@compiled
def _find_targets(g: Row, legal: Legal) -> None:
    for action in range(target_id(g), decline_id(g)):
        if may_target(g, target_seat(g, action)):
            legal.id[legal.count] = action
            legal.count += 1
    # Only the Witch may decline (rules 6).
    if g.announced == WITCH:
        legal.id[legal.count] = decline_id(g)
        legal.count += 1


def padded_ids(g: Row) -> list[int]:
    """Return the padded id of each id of a scenario.

    Padded ids are the ids of a table with 12 seats, 14 slots and 16 masks. A padded id means the
    same in every scenario, so one policy can play all scenarios.
    """
    players, centre = int(g["players"]), int(g["slots"]) - int(g["players"])
    kinds = [int(mask) for mask in g["kind"][: g["kinds"]]]
    announce = MAX_SLOTS
    simple = announce + len(MASK_IDS)  # swap, keep, claim, pass
    target = simple + 4
    decline = target + MAX_PLAYERS - 1
    return [
        *range(players - 1),
        *range(MAX_PLAYERS - 1, MAX_PLAYERS - 1 + centre),
        announce - 1,  # look
        *(announce + mask for mask in kinds),
        *range(simple, target),
        *range(target, target + players - 1),
        decline,
        *(decline + 1 + mask for mask in kinds),
    ]


def word_of(g: Row, action: int) -> str:
    """Return the word for an action id of the acting player.

    Raises:
        IllegalActionError: the scenario has no such id.
    """
    if not 0 <= action < count_ids(g):
        raise IllegalActionError(
            f"action id {action} is out of range: this scenario has ids 0..{count_ids(g) - 1}"
        )
    if action >= declare_id(g):
        return f"declare:{MASK_IDS[g['kind'][action - declare_id(g)]]}"
    if action >= target_id(g):
        return "decline" if action == decline_id(g) else f"target:{target_seat(g, action)}"
    if action >= swap_id(g):
        return ("swap", "keep", "claim", "pass")[action - swap_id(g)]
    if action >= announce_id(g):
        return f"announce:{MASK_IDS[g['kind'][action - announce_id(g)]]}"
    return "look" if action == look_id(g) else f"take:{taken_slot(g, action)}"


def id_of(g: Row, word: str) -> int:
    """Return the action id of the acting player for a word.

    Raises:
        IllegalActionError: the word names a seat, slot or mask that is not in this game.
        UnknownNameError: the word names no action, or a mask that does not exist.
    """
    if not isinstance(word, str):
        raise IllegalActionError(f"an action in words must be a string, not {word!r}")
    verb, _, what = word.partition(":")
    simple = {
        "look": look_id(g),
        "swap": swap_id(g),
        "keep": swap_id(g) + 1,
        "claim": claim_id(g),
        "pass": claim_id(g) + 1,
        "decline": decline_id(g),
    }
    if word in simple:
        return simple[word]
    if verb in ("announce", "declare"):
        kind = np.flatnonzero(g["kind"][: g["kinds"]] == mask_number(what))
        if not kind.size:
            raise IllegalActionError(
                f"{word!r}: the {what} is not in play in this scenario; in play: "
                f"{', '.join(MASK_IDS[mask] for mask in g['kind'][: g['kinds']])}"
            )
        return int(kind[0]) + (announce_id(g) if verb == "announce" else declare_id(g))
    if verb in ("take", "target"):
        return _id_of_place(g, word, verb, what)
    verbs = [*simple, "take:<slot>", "announce:<mask>", "target:<seat>", "declare:<mask>"]
    raise UnknownNameError(f"unknown action {word!r}{did_you_mean(word, verbs)}")


def _id_of_place(g: Row, word: str, verb: str, what: str) -> int:
    players, actor = int(g["players"]), int(g["actor"])
    last = int(g["slots"] if verb == "take" else players) - 1
    if what not in map(str, range(last + 1)):
        place = "slot" if verb == "take" else "seat"
        raise IllegalActionError(
            f"{word!r}: a {place} of this game must be a number 0..{last}, not {what!r}"
        )
    place_number = int(what)
    if place_number == actor:
        raise IllegalActionError(
            f"{word!r}: seat {actor} is the acting player's own; choose another"
        )
    if place_number >= players:
        return place_number - 1
    places = (place_number - actor) % players
    return places - 1 if verb == "take" else target_id(g) + places - 1


def legal_words(g: Row) -> list[str]:
    """Return the legal actions in words, in the order of their ids."""
    legal = np.zeros(1, LEGAL)[0]
    find_legal(g, legal)
    return [word_of(g, int(action)) for action in legal["id"][: legal["count"]]]


def illegal(g: Row, action: str) -> IllegalActionError:
    """Return the error for an action in words that is not legal now."""
    if g["actor"] == NOBODY:
        return IllegalActionError(f"illegal action {action!r}: the game is over")
    seat = int(g["actor"])
    return IllegalActionError(
        f"illegal action {action!r} in phase {PHASES[g['phase']]!r} of player "
        f"{g['player_at'][seat]} on seat {seat}; legal: {', '.join(legal_words(g))}"
    )
