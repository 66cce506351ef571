"""How everybody plays in rollouts: light, fast, and far better than at random.

A rollout takes place in one world, so the masks are known to the machine; the players in it are
not to act on that. Each has a `mind`: the mask they take their own for, or `UNSURE`. A look, a
reveal or a power that shows it makes one sure; a take by others makes one unsure. Choices rest on
the mind of who decides and on what is public, so that looking is worth something, bluffs exist and
the searcher itself never acts on what is hidden from it.
"""

import math
from typing import Any, TypeAlias

import numpy as np

from mascarade_env.core import events
from mascarade_env.core._jit import compiled
from mascarade_env.core.actions import (
    Legal,
    find_legal,
    look_id,
    richest_other,
    target_seat,
)
from mascarade_env.core.events import Log
from mascarade_env.core.masks import (
    BEGGAR,
    CHEAT,
    JUDGE,
    SPY,
    WIDOW,
    WITCH,
)
from mascarade_env.core.rng import below
from mascarade_env.core.rules import CHEAT_FORTUNE, WIDOW_FORTUNE, apply
from mascarade_env.core.scenarios import MAX_PLAYERS
from mascarade_env.core.state import (
    CHALLENGE,
    DECLARE,
    RUNNING,
    TABLE,
    TARGET,
    TURN,
    WON,
    Row,
    bit,
    player_on,
)

UNSURE = -1

#: The mask that each player takes their own for, or UNSURE. A record for the reason that
#: events.LOG is one.
MINDS = np.dtype((np.record, np.dtype([("mask", np.int8, (MAX_PLAYERS,))])))

# One element of an array of MINDS; NumPy has no static type for it.
Minds: TypeAlias = Any

# Tuned by win shares of flat Monte Carlo against the scripted agents of the ladder.
_WINS = 20.0  # what winning at once is worth, in coins
_TRUE = 15.0  # how much likelier an announcement is that one takes for true
_FALSE = 0.1  # and one that one takes for false
_LOOK = 8.0  # weight of a look by who is unsure
_TAKE = 1.0  # weight of a take
_CLAIM_TRUE = 0.95  # chances of a claim: by who takes it for true,
_CLAIM_UNSURE = 0.04  # by who does not know,
_CLAIM_FALSE = 0.02  # by who knows better,
_BLOCK = 0.4  # and by these two if the announcer would win and nobody has claimed
_STEEP = 2.5  # coins by which the chance to win grows e-fold, where a rollout is broken off
_EVEN = 1 << 30

# What a power brings, in coins, by the number of the mask; 0 where it depends on the table.
_COINS = (0.0, 3.0, 2.0, 0.0, 3.0, 2.0, 1.0, 1.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.5, 2.0, 2.0)


@compiled
def chance(g: Row) -> float:
    """A random number, 0 < number < 1, by the row's own random numbers."""
    return (below(g, _EVEN) + 0.5) / _EVEN


@compiled
def worth(g: Row, seat: int, mask: int) -> float:
    """About how many coins the power of a mask brings to a seat now; `_WINS` if it may win."""
    coins = int(g.coins[seat])
    gain = _COINS[mask]
    if mask == CHEAT:
        return _WINS if coins >= CHEAT_FORTUNE else 0.0
    if mask == WITCH:
        return float(max(0, richest_other(g, seat) - coins))
    if mask == JUDGE:
        gain = float(g.tribunal)
    elif mask == WIDOW:
        gain = float(max(0, WIDOW_FORTUNE - coins))
    elif mask == BEGGAR:
        for other in range(g.players):
            if g.coins[other] > coins:
                gain += 1.0
    return _WINS if coins + gain >= g.goal_coins else gain


@compiled
def choose(g: Row, minds: Minds, legal: Legal) -> int:
    """Where in `legal` the action stands that who decides takes."""
    mind = int(minds.mask[player_on(g, g.actor)])
    if g.phase == TURN:
        return _turn(g, mind, legal)
    if g.phase == CHALLENGE:
        return 0 if chance(g) < _claims(g, mind) else 1
    if g.phase == TABLE:
        return _swap(g)
    if g.phase == TARGET and g.announced == WITCH:
        return _exchange(g, legal)
    if g.phase == DECLARE and mind != UNSURE:
        return _declaration(g, mind, legal)
    return below(g, legal.count)


@compiled
def _exchange(g: Row, legal: Legal) -> int:
    """The Witch exchanges with the richest, if it pays; declining is the last action."""
    most = richest_other(g, g.actor)
    if most > g.coins[g.actor]:
        for i in range(legal.count - 1):
            if g.coins[target_seat(g, legal.id[i])] == most:
                return i
    return int(legal.count) - 1


@compiled
def _declaration(g: Row, mind: int, legal: Legal) -> int:
    """The mask that one takes for one's own."""
    for i in range(legal.count):
        if g.kind[i] == mind:
            return i
    return below(g, legal.count)


@compiled
def _weight(g: Row, mind: int, action: int) -> float:
    """How likely an action of a turn is, beside others."""
    if action < look_id(g):
        return _TAKE / look_id(g)
    if action == look_id(g):
        return _LOOK if mind == UNSURE else 0.0
    mask = int(g.kind[action - look_id(g) - 1])
    gain = worth(g, int(g.actor), mask)
    gain *= gain
    if mind == mask:
        return gain * _TRUE
    return gain if mind == UNSURE else gain * _FALSE


@compiled
def _turn(g: Row, mind: int, legal: Legal) -> int:
    """Takes, a look and announcements, each by its weight."""
    count = int(legal.count)
    if legal.id[count - 1] < look_id(g):
        return below(g, count)
    total = 0.0
    for i in range(count):
        total += _weight(g, mind, legal.id[i])
    left = chance(g) * total
    for i in range(count):
        left -= _weight(g, mind, legal.id[i])
        if left < 0.0:
            return i
    return count - 1


@compiled
def _claims(g: Row, mind: int) -> float:
    """The probability of a claim by who is asked."""
    if mind == g.announced:
        return _CLAIM_TRUE
    if g.claims == 0 and worth(g, int(g.marker), int(g.announced)) >= _WINS:
        return _BLOCK
    return _CLAIM_UNSURE if mind == UNSURE else _CLAIM_FALSE


@compiled
def _swap(g: Row) -> int:
    """Whether to swap (0) or keep (1): a Spy, who has seen both, takes the better mask."""
    if g.announced == SPY:
        seat = int(g.actor)
        other = int(g.table[1])
        mine = worth(g, seat, int(g.mask_at[seat]))
        return 0 if worth(g, seat, int(g.mask_at[other])) > mine else 1
    return below(g, 2)


@compiled
def advance(g: Row, log: Log, minds: Minds, action: int) -> None:
    """Take one decision, and what it teaches the players about their own masks."""
    spying = g.announced == SPY
    apply(g, log, action)
    for k in range(log.count):
        event = log.event[k]
        kind = int(event.kind)
        player = int(event.player)
        if kind == events.REVEAL:
            minds.mask[player] = event.value
        elif kind == events.SEE:
            if event.a == g.seat_of[player]:
                minds.mask[player] = event.value
        elif kind == events.RETURN:
            _doubt(g, minds, player, int(event.a))
            _doubt(g, minds, player, int(event.b))
        elif kind == events.SWAP:
            # A Spy knows both masks; who swaps unseen knows neither; a Fool has swapped others'.
            if event.a == g.seat_of[player]:
                minds.mask[player] = g.mask_at[event.a] if spying else UNSURE
        elif kind == events.MOVE:
            minds.mask[g.player_at[event.a]] = UNSURE
            minds.mask[g.player_at[event.b]] = UNSURE


@compiled
def _doubt(g: Row, minds: Minds, player: int, slot: int) -> None:
    """Who sits where masks came back, and did not do it, is unsure."""
    if slot < g.players and g.player_at[slot] != player:
        minds.mask[g.player_at[slot]] = UNSURE


@compiled
def roll_out(g: Row, log: Log, minds: Minds, legal: Legal, most: int) -> int:
    """Play on until the game is over or `most` decisions are made; returns their number."""
    made = 0
    while g.status == RUNNING and made < most:
        find_legal(g, legal)
        advance(g, log, minds, legal.id[choose(g, minds, legal)])
        made += 1
    return made


@compiled
def share(g: Row, player: int) -> float:
    """A player's part of the win; of a game broken off, about how likely it is.

    A void game is shared by all. One broken off before its end counts by fortunes: a player's
    chance grows e-fold with every `_STEEP` coins.
    """
    players = int(g.players)
    if g.status == WON:
        if not g.winners & bit(player):
            return 0.0
        count = 0
        for other in range(players):
            if g.winners & bit(other):
                count += 1
        return 1.0 / count
    if g.status != RUNNING:
        return 1.0 / players
    own = int(g.coins[g.seat_of[player]])
    total = 0.0
    for seat in range(players):
        total += math.exp((int(g.coins[seat]) - own) / _STEEP)
    return 1.0 / total
