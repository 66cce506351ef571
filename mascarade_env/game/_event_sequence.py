"""Check that one player can see a sequence of events in a game that follows the rules.

Public facts determine which actions are legal next, and the masks that a step shows are in its
events. So the check plays each legal action on a row without masks. It keeps the events that the
player sees, and compares them with the received ones. It contains no rules: it calls _rules.py.

It does not check whether a shown mask is possible, given what the player saw before.
`AgentView.hear` checks that with the player's belief.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._jit import compiled
from mascarade_env.game import _actions as actions
from mascarade_env.game import _events as events
from mascarade_env.game import _rules as rules
from mascarade_env.game._actions import LEGAL
from mascarade_env.game._events import EVENT, KINDS, LOG, LOG_SIZE, Log
from mascarade_env.game._masks import PEASANT
from mascarade_env.game._positions import NOBODY, RUNNING, Row, Rows, bit
from mascarade_env.game._scenarios import Scenario

#: Names of the numbers of an event, in their order in a tuple.
FIELDS = EVENT.names or ()

# If more events than this are possible at one place, an error lists only their kinds.
_MOST_LISTED = 3


class _Room(NamedTuple):
    """Working memory of the kernels below."""

    rows: Rows  # [3] of GAME: before the step, after a trial action, after the best trial so far
    log: Rows  # [1] of LOG: events of the trial that the player sees
    expected: Rows  # [1] of LOG: after a mismatch, the events that are possible at its place
    legals: Rows  # [1] of LEGAL


_AGREED = -1  # all events match


@compiled
def _first_wrong(room: _Room, given: NDArray[Any], player: int, dealt: bool) -> int:
    """Return the index of the first wrong event, len(given) if one is missing, or _AGREED.

    After a mismatch `room.rows[0]` is the position before the step of that event.
    """
    rows, at = room.rows, 0
    if not dealt:
        at = _check_deal(room, given)
        if at < rows[0].slots:
            return at
        rules.start(rows[0], room.log[0])
        at = _agreeing(room, given, 0, -1)
        if at < room.log[0].count:
            return at
    while at < len(given):
        if rows[0].status != RUNNING:
            return at
        _lay_open(rows[0], given, at)
        agreeing = _follow_step(room, given, at, player)
        at += agreeing
        if room.expected[0].count:
            return at
        rows[0] = rows[2]
    return _AGREED


@compiled
def _check_deal(room: _Room, given: NDArray[Any]) -> int:
    """Deal the masks of the events; return the first slot with a wrong event, or the slot count."""
    g = room.rows[0]
    if g.fixed_deal:
        return int(g.slots)
    for slot in range(g.slots):
        expected, possible = room.expected[0], False
        expected.count = 0
        for i in range(g.kinds):
            left = 2 if g.kind[i] == PEASANT else 1
            for before in range(slot):
                left -= given[before].value == g.kind[i]
            if left > 0:
                events.log_event(
                    expected, events.EVERYONE, events.DEAL, NOBODY, (slot, 0, g.kind[i])
                )
                if slot < len(given):
                    possible |= _same(expected.event[expected.count - 1], given[slot])
        if not possible:
            return slot
        g.deal[slot] = given[slot].value
    return int(g.slots)


@compiled
def _lay_open(g: Row, given: NDArray[Any], at: int) -> None:
    """Put at each slot the mask that the step from index `at` on shows there, or no mask."""
    for slot in range(g.slots):
        g.mask_at[slot] = NOBODY
    for k in range(at, min(at + LOG_SIZE, len(given))):
        event = given[k]
        kind = int(event.kind)
        if kind == events.ASK:
            return
        if 0 <= kind < len(KINDS) and events.SIGHTS >> kind & 1 and 0 <= event.a < g.slots:
            for i in range(g.kinds):
                if g.kind[i] == event.value:
                    g.mask_at[event.a] = event.value


@compiled
def _follow_step(room: _Room, given: NDArray[Any], at: int, player: int) -> int:
    """Play the legal action that matches the most given events; return how many match.

    `room.expected` is empty if all events of the step match.
    """
    rows, log, legal = room.rows, room.log[0], room.legals[0]
    longest = -1
    actions.find_legal(rows[0], legal)
    for k in range(legal.count):
        rows[1] = rows[0]
        rules.apply(rows[1], log, legal.id[k])
        _keep_seen(log, player)
        agreeing = _agreeing(room, given, at, longest)
        if agreeing > longest:
            longest = agreeing
            rows[2] = rows[1]
        if agreeing == log.count:
            break
    return longest


@compiled
def _keep_seen(log: Log, player: int) -> None:
    """Drop the events that the player does not see."""
    kept = 0
    for k in range(log.count):
        if log.event[k].seen_by & bit(player):
            log.event[kept] = log.event[k]
            kept += 1
    log.count = kept


@compiled
def _agreeing(room: _Room, given: NDArray[Any], at: int, longest: int) -> int:
    """Return how many events of the trial match those from index `at` on, before a mismatch.

    The trial's event at the mismatch is added to `room.expected` if no other trial matched longer.
    If all match, `room.expected` is empty.
    """
    log, expected = room.log[0], room.expected[0]
    for k in range(log.count):
        mine = log.event[k]
        unknown = events.SIGHTS >> int(mine.kind) & 1 and mine.value == NOBODY
        if at + k == len(given) or unknown or not _same(mine, given[at + k]):
            if k > longest:
                expected.count = 0
            if k >= longest:
                expected.event[expected.count] = mine
                expected.count += 1
            return k
    expected.count = 0
    return int(log.count)


@compiled
def _same(one: Any, other: Any) -> bool:
    """Return whether two events are equal; Numba cannot compare records."""
    return (
        one.kind == other.kind
        and one.player == other.player
        and one.a == other.a
        and one.b == other.b
        and one.value == other.value
        and one.seen_by == other.seen_by
    )


def events_of(message: Any, player: int) -> NDArray[Any]:
    """Return a message of events for a player as a new array of EVENT.

    Args:
        message: an array of EVENT, or a list of events. Each event of a list is six whole numbers,
            in the order of `FIELDS`.
        player: the number of the player, who must see all of them.

    Raises:
        MascaradeError: the message is neither of these, a number is out of range, or the player may
            not see an event.
    """
    expected = f"an array like AgentView.events or a list of tuples ({', '.join(FIELDS)})"
    try:
        given = np.asarray(message)
    except (ValueError, TypeError, OverflowError):  # ragged, or numbers of any length
        raise MascaradeError(f"expected {expected}; got tuples of different lengths") from None
    if given.dtype == EVENT and given.ndim == 1:
        fresh = given.copy()
    elif given.dtype.kind in "iu" and given.ndim == 2 and given.shape[1] == len(FIELDS):
        fresh = np.zeros(len(given), EVENT)
        for column, name in enumerate(FIELDS):
            fresh[name] = given[:, column]
            if (wrong := np.flatnonzero(fresh[name] != given[:, column])).size:
                raise MascaradeError(
                    f"event {wrong[0]} of the message: {name} {given[wrong[0], column]} is out of "
                    f"range for {EVENT[name].name}"
                )
    elif given.shape == (0,):
        fresh = np.zeros(0, EVENT)
    else:
        raise MascaradeError(f"expected {expected}; got {given.dtype} of shape {given.shape}")
    if (wrong := np.flatnonzero(fresh["seen_by"] >> player & 1 == 0)).size:
        raise MascaradeError(
            f"event {wrong[0]} of the message, {in_fields(fresh[wrong[0]])}, is not for player "
            f"{player}: send only events whose seen_by has bit {player}"
        )
    return fresh


def check(
    scenario: Scenario, position: Rows, given: NDArray[Any], player: int, received: int
) -> None:
    """Refuse events that cannot follow the events received before.

    Args:
        scenario: the scenario of the game.
        position: [1] of GAME, after the events received before; its masks are not used.
        given: array of EVENT, all for the player.
        player: the number of the player who receives them.
        received: number of events received before; 0 before the deal.

    Raises:
        MascaradeError: an event is wrong or missing. The error names the first such event, and the
            possible events.
    """
    room = _Room(np.repeat(position, 3), np.zeros(1, LOG), np.zeros(1, LOG), np.zeros(1, LEGAL))
    wrong = int(_first_wrong(room, given, player, received > 0))
    if wrong == _AGREED or not len(given):
        return
    if wrong == len(given):
        problem = f"event {received + wrong} is missing, in the middle of a step"
        remedy = "send whole steps, up to the next ASK or to the end of the game"
    else:
        problem = f"event {received + wrong}, {in_fields(given[wrong])}, is not possible there"
        remedy = f"send all events that player {player} sees, in order, from the deal on"
    raise MascaradeError(
        f"{scenario.name}: {problem}; expected {_listed(room.expected[0])}; {remedy}"
    )


def _listed(expected: Log) -> str:
    """Describe the events that are possible at one place."""
    listed = [in_fields(event) for event in expected["event"][: expected["count"]]]
    if not listed:
        return "no event, because the game is over"
    if len(listed) > _MOST_LISTED:
        kinds = {KINDS[kind] for kind in expected["event"]["kind"][: expected["count"]]}
        return f"one of {len(listed)} events of kind {', '.join(sorted(kinds))}"
    return " or ".join(listed)


def in_fields(event: Any) -> str:
    """Return an event as text: the name of its kind and its other numbers."""
    kind = int(event["kind"])
    name = KINDS[kind] if 0 <= kind < len(KINDS) else f"kind {kind}"
    rest = (f"{field}={int(event[field])}" for field in FIELDS if field != "kind")
    return f"{name}({', '.join(rest)})"
