"""The rules of Mascarade for one game; the only implementation in the package.

Every function takes the row `g` of a game (see _state.py). Most take its `log` too (see
_events.py). Numbers in docstrings refer to mascarade_env/RULES.md. `deal` starts a game and `apply`
takes one decision. Both leave `g` at the next decision or at the end of the game.

A power that needs a decision sets the phase and returns. After that decision the power continues
in `_choose`, `_put_back` or `_declare`. Each power calls `_settle` last, which does nothing if the
game is over.
"""

from mascarade_env._jit import compiled
from mascarade_env.game import _events as events
from mascarade_env.game._actions import (
    Legal,
    announce_id,
    claim_id,
    declare_id,
    decline_id,
    find_legal,
    look_id,
    richest_other,
    swap_id,
    taken_slot,
    target_seat,
)
from mascarade_env.game._events import BANK, TRIBUNAL, Log, log_for_all, log_for_one, log_for_others
from mascarade_env.game._masks import (
    BEGGAR,
    CHEAT,
    EMPRESS,
    FOOL,
    GURU,
    JUDGE,
    KING,
    PATRON,
    PEASANT,
    PRINCESS,
    PUPPET_MASTER,
    SPY,
    THIEF,
    TRICKSTER,
    WIDOW,
    WITCH,
)
from mascarade_env.game._positions import (
    CHALLENGE,
    DECLARE,
    NOBODY,
    OVER,
    RUNNING,
    TABLE,
    TARGET,
    TRUNCATED,
    TURN,
    WON,
    Row,
    bit,
    left_of,
    player_on,
)
from mascarade_env.game._rng import below
from mascarade_env.game._scenarios import AT_LIMIT

WIDOW_FORTUNE = 10  # neither this nor CHEAT_FORTUNE depends on the goal (6)
CHEAT_FORTUNE = 10
GURU_PRICE = 4
RICHEST_WIN = AT_LIMIT.index("richest")


# 3. Setup


@compiled
def deal(g: Row, log: Log) -> None:
    """Deal the masks at random, or in the order of a fixed deal, and start the game (3)."""
    if not g.fixed_deal:
        _gather(g)
        for last in range(g.slots - 1, 0, -1):
            other = below(g, last + 1)
            mask = g.deal[last]
            g.deal[last] = g.deal[other]
            g.deal[other] = mask
    start(g, log)


@compiled
def _gather(g: Row) -> None:
    """Sort the masks in play, so that a deal depends on the random numbers only."""
    slot = 0
    for i in range(g.kinds):
        for _ in range(2 if g.kind[i] == PEASANT else 1):
            g.deal[slot] = g.kind[i]
            slot += 1


@compiled
def start(g: Row, log: Log) -> None:
    """Set up the first turn with the masks of `g.deal` (3.1 to 3.4)."""
    log.count = 0
    for slot in range(g.slots):
        g.mask_at[slot] = g.deal[slot]
        events.log_event(log, events.EVERYONE, events.DEAL, NOBODY, (slot, 0, g.deal[slot]))
    for seat in range(g.players):
        g.coins[seat] = g.start_coins
        g.player_at[seat] = seat
        g.seat_of[seat] = seat
    g.tribunal = 0
    g.turn = 0
    g.decisions = 0
    g.liars = 0
    g.revealed = 0
    g.barred = 0
    g.winners = 0
    g.status = RUNNING
    g.marker = 0
    _begin_turn(g, log)
    _ask(g, log)


@compiled
def _ask(g: Row, log: Log) -> None:
    """Log which player decides next, so that a follower of events needs no rules to know it."""
    log_for_all(g, log, events.ASK, g.actor, (g.actor, 0, g.phase))


# 4. Turns


@compiled
def _begin_turn(g: Row, log: Log) -> None:
    g.phase = TURN
    g.actor = g.marker
    g.announced = NOBODY
    g.claims = 0
    g.user = NOBODY
    g.target = NOBODY
    g.table[0] = NOBODY
    g.table[1] = NOBODY
    log_for_all(g, log, events.BEGIN, g.marker, (g.marker, 0, g.turn))


@compiled
def _end_turn(g: Row, log: Log) -> None:
    """Move the marker one seat to the left, or stop at the turn limit (4.4, 7.3)."""
    g.turn += 1
    g.barred = g.revealed
    g.revealed = 0
    if g.turn == g.turn_limit:
        log_for_all(g, log, events.LIMIT, g.marker, (0, 0, g.turn))
        if g.at_limit == RICHEST_WIN:
            _win(g, log, _richest(g))
        else:
            _stop(g, TRUNCATED)
        return
    g.marker = left_of(g, g.marker, 1)
    _begin_turn(g, log)


@compiled
def apply(g: Row, log: Log, action: int) -> None:
    """Take one decision of the game. The caller has checked that the action is legal."""
    log.count = 0
    g.decisions += 1
    if g.phase == TURN:
        _play_turn(g, log, action)
    elif g.phase == TABLE:
        _put_back(g, log, action == swap_id(g))
    elif g.phase == CHALLENGE:
        _answer(g, log, action == claim_id(g))
    elif g.phase == TARGET:
        if action == decline_id(g):
            log_for_all(g, log, events.DECLINE, g.actor, (0, 0, 0))
            _settle(g, log)
        else:
            _choose(g, log, target_seat(g, action))
    elif g.phase == DECLARE:
        _declare(g, log, g.kind[action - declare_id(g)])
    # ASK is the last event of each step but the final one: it shows a follower where a step ends.
    if g.status == RUNNING:
        _ask(g, log)


@compiled
def _play_turn(g: Row, log: Log, action: int) -> None:
    """Look, take or announce (4.2)."""
    seat = g.actor
    if action < look_id(g):
        _take(g, log, seat, taken_slot(g, action))
    elif action == look_id(g):
        log_for_all(g, log, events.LOOK, seat, (seat, 0, 0))
        log_for_one(g, log, events.SEE, seat, (seat, 0, g.mask_at[seat]))
        _end_turn(g, log)
    else:
        g.announced = g.kind[action - announce_id(g)]
        log_for_all(g, log, events.ANNOUNCE, seat, (0, 0, g.announced))
        g.phase = CHALLENGE
        g.actor = left_of(g, seat, 1)


@compiled
def _take(g: Row, log: Log, one: int, other: int) -> None:
    """Let the actor take the masks of two slots under the table (4.2b, 6)."""
    g.table[0] = one
    g.table[1] = other
    g.phase = TABLE
    log_for_all(g, log, events.TAKE, g.actor, (one, other, 0))


@compiled
def _put_back(g: Row, log: Log, swap: bool) -> None:
    """Put the two masks back, swapped or kept (4.2b, 8).

    Everyone sees the two slots. Only the player who held the masks learns whether they moved.
    """
    one, other = g.table[0], g.table[1]
    # The public event is first, and is the same whether or not the masks were swapped.
    log_for_all(g, log, events.RETURN, g.actor, (one, other, 0))
    log_for_one(g, log, events.SWAP if swap else events.KEEP, g.actor, (one, other, 0))
    if swap:
        mask = g.mask_at[one]
        g.mask_at[one] = g.mask_at[other]
        g.mask_at[other] = mask
    # Without an announcement this was a take of the turn. With one it was a power: liars pay next.
    if g.announced == NOBODY:
        _end_turn(g, log)
    else:
        _settle(g, log)


# 5. Announcement and challenge; the announcer sits on the seat with the marker


@compiled
def _answer(g: Row, log: Log, claim: bool) -> None:
    """Take one answer, claim or pass; the last one settles the announcement (5.1)."""
    log_for_all(g, log, events.CLAIM if claim else events.PASS, g.actor, (0, 0, g.announced))
    if claim:
        g.claims |= bit(g.actor)
    g.actor = left_of(g, g.actor, 1)
    if g.actor != g.marker:
        return
    if g.claims:
        _reveal_claims(g, log)
    else:
        _use_power(g, log, g.marker)


@compiled
def _reveal_claims(g: Row, log: Log) -> None:
    """Reveal announcer and claimants. One who has the announced mask uses the power (5.3)."""
    spoke = g.claims | bit(g.marker)
    holder, second = NOBODY, NOBODY
    for places in range(g.players):
        seat = left_of(g, g.marker, places)
        if not spoke & bit(seat):
            continue
        _reveal(g, log, seat)
        if g.mask_at[seat] != g.announced:
            # A set of players: the Puppet Master may move a liar to another seat before the fine.
            g.liars |= bit(player_on(g, seat))
        elif holder == NOBODY:
            holder = seat
        else:
            second = seat
    if holder == NOBODY:
        _settle(g, log)
    elif second == NOBODY:
        _use_power(g, log, holder)
    else:
        _two_peasants(g, log, holder, second)


@compiled
def _reveal(g: Row, log: Log, seat: int) -> None:
    """Show a mask to everyone; its player may not announce on the next turn (4.3)."""
    g.revealed |= bit(player_on(g, seat))
    log_for_all(g, log, events.REVEAL, seat, (seat, 0, g.mask_at[seat]))


@compiled
def _settle(g: Row, log: Log) -> None:
    """Let players who announced or claimed falsely pay, after the power; end the turn (5.4)."""
    if g.status != RUNNING:
        return
    if g.liars:
        # All fines are one step (5.4): the game cannot end between two of them (7.1).
        for player in range(g.players):
            if g.liars & bit(player):
                seat = g.seat_of[player]
                fine = min(1, g.coins[seat])
                g.coins[seat] -= fine
                g.tribunal += fine
                _paid(log, seat, TRIBUNAL, fine)
        g.liars = 0
        if _ends(g, log):
            return
    _end_turn(g, log)


# 6. Powers, in the order of the list of masks (2)


@compiled
def _use_power(g: Row, log: Log, seat: int) -> None:
    """Let the player on a seat use the power of the announced mask."""
    g.user = seat
    g.actor = seat
    mask = g.announced
    log_for_all(g, log, events.POWER, seat, (seat, 0, mask))
    if mask == JUDGE:
        _judge(g, log, seat)
    elif mask == EMPRESS:
        _from_bank(g, log, seat, 3)
    elif mask == KING:
        _from_bank(g, log, seat, 2)
    elif mask == WIDOW:
        _widow(g, log, seat)
    elif mask == PATRON:
        _patron(g, log, seat)
    elif mask == PRINCESS:
        _from_bank(g, log, seat, 2)
        _ask_target(g)
    elif mask == FOOL:
        _from_bank(g, log, seat, 1)
        _ask_target(g)
    elif mask == PEASANT:
        _from_bank(g, log, seat, 1)
    elif mask == THIEF:
        _thief(g, log, seat)
    elif mask == BEGGAR:
        _beggar(g, log, seat)
    elif mask == TRICKSTER:
        _trickster(g, log, seat)
    elif mask == CHEAT:
        _cheat(g, log, seat)
    else:  # witch, spy, guru, puppet master
        _ask_target(g)
    # A power that needs a target settles after the target is chosen.
    if g.phase != TARGET:
        _settle(g, log)


@compiled
def _ask_target(g: Row) -> None:
    """Ask the user of the power for a target next, unless the game is over."""
    if g.status == RUNNING:
        g.phase = TARGET


@compiled
def _choose(g: Row, log: Log, seat: int) -> None:
    """Continue the power with the seat that its user has chosen."""
    log_for_all(g, log, events.CHOOSE, g.actor, (seat, 0, 0))
    mask = g.announced
    if (mask == FOOL or mask == PUPPET_MASTER) and g.target == NOBODY:
        g.target = seat  # the user chooses a second target next
    elif mask == FOOL:
        _take(g, log, g.target, seat)
    elif mask == SPY:
        _spy(g, log, g.user, seat)
    elif mask == GURU:
        g.phase = DECLARE
        g.actor = seat
    else:
        if mask == PRINCESS:
            _princess(g, log, seat)
        elif mask == TRICKSTER:
            _rob(g, log, g.user, seat)
        elif mask == WITCH:
            _witch(g, log, g.user, seat)
        elif mask == PUPPET_MASTER:
            _puppet_master(g, log, g.target, seat)
        _settle(g, log)


@compiled
def _paid(log: Log, giver: int, taker: int, coins: int) -> None:
    """Log a payment, unless it is 0; giver and taker are seats, BANK or TRIBUNAL."""
    if coins:
        events.log_event(log, events.EVERYONE, events.PAY, NOBODY, (giver, taker, coins))


@compiled
def _from_bank(g: Row, log: Log, seat: int, coins: int) -> None:
    """Pay coins from the bank, which never runs out (3.5), as one step."""
    _draw(g, log, seat, coins)
    _ends(g, log)


@compiled
def _draw(g: Row, log: Log, seat: int, coins: int) -> None:
    """Pay coins from the bank as a part of a step."""
    g.coins[seat] += coins
    _paid(log, BANK, seat, coins)


@compiled
def _give(g: Row, log: Log, giver: int, taker: int, coins: int) -> None:
    """Move coins from seat to seat as a part of a step; the giver pays at most what they have."""
    moved = min(coins, g.coins[giver])
    g.coins[giver] -= moved
    g.coins[taker] += moved
    _paid(log, giver, taker, moved)


@compiled
def _judge(g: Row, log: Log, seat: int) -> None:
    """Take all coins of the tribunal."""
    coins = g.tribunal
    g.tribunal = 0
    g.coins[seat] += coins
    _paid(log, TRIBUNAL, seat, coins)
    _ends(g, log)


@compiled
def _widow(g: Row, log: Log, seat: int) -> None:
    """Take coins from the bank until the seat has exactly 10."""
    _from_bank(g, log, seat, max(0, WIDOW_FORTUNE - g.coins[seat]))


@compiled
def _patron(g: Row, log: Log, seat: int) -> None:
    """Take 3 from the bank; in a second step the neighbours take 1 each."""
    _from_bank(g, log, seat, 3)
    if g.status != RUNNING:
        return
    # With two players the same neighbour is on both sides, and takes 1 only once.
    left = left_of(g, seat, 1)
    right = left_of(g, seat, g.players - 1)
    _draw(g, log, left, 1)
    if right != left:
        _draw(g, log, right, 1)
    _ends(g, log)


@compiled
def _princess(g: Row, log: Log, seat: int) -> None:
    """Show the target's mask to all other players; the target may not announce next turn (4.3)."""
    g.revealed |= bit(player_on(g, seat))
    log_for_others(g, log, events.SHOW, seat, (seat, 0, g.mask_at[seat]))


@compiled
def _two_peasants(g: Row, log: Log, one: int, other: int) -> None:
    """Give 2 coins to each of the two revealed Peasants, in one step (5.3)."""
    log_for_all(g, log, events.POWER, one, (one, 0, PEASANT))
    log_for_all(g, log, events.POWER, other, (other, 0, PEASANT))
    _draw(g, log, one, 2)
    _draw(g, log, other, 2)
    _ends(g, log)
    _settle(g, log)


@compiled
def _thief(g: Row, log: Log, seat: int) -> None:
    """Take 1 from each neighbour, both coins in one step."""
    left = left_of(g, seat, 1)
    right = left_of(g, seat, g.players - 1)
    _give(g, log, left, seat, 1)
    if right != left:
        _give(g, log, right, seat, 1)
    _ends(g, log)


@compiled
def _beggar(g: Row, log: Log, seat: int) -> None:
    """Take 1 from each player, clockwise from the left, who is strictly richer at that moment."""
    for places in range(1, g.players):
        giver = left_of(g, seat, places)
        # Each gift is a step, compared at that moment: the Beggar may have caught up with the next.
        if g.coins[giver] > g.coins[seat]:
            _give(g, log, giver, seat, 1)
            if _ends(g, log):
                return


@compiled
def _trickster(g: Row, log: Log, seat: int) -> None:
    """Take 2 from the richest other player; on a tie ask the user to choose."""
    most = richest_other(g, seat)
    first, ties = NOBODY, 0
    for other in range(g.players):
        if other != seat and g.coins[other] == most:
            first = other
            ties += 1
    if ties > 1:
        _ask_target(g)
    else:  # nothing to choose
        _rob(g, log, seat, first)


@compiled
def _rob(g: Row, log: Log, seat: int, victim: int) -> None:
    """Let the Trickster take 2 from a victim."""
    _give(g, log, victim, seat, 2)
    _ends(g, log)


@compiled
def _cheat(g: Row, log: Log, seat: int) -> None:
    """Let the user win at once, as the only winner, with 10 coins or more (7.1)."""
    if g.coins[seat] >= CHEAT_FORTUNE:
        _win(g, log, bit(player_on(g, seat)))


@compiled
def _witch(g: Row, log: Log, seat: int, other: int) -> None:
    """Exchange all coins of two seats. No seat has 0 or the goal, so no end is tested."""
    fortune = g.coins[seat]
    g.coins[seat] = g.coins[other]
    g.coins[other] = fortune
    log_for_all(g, log, events.EXCHANGE, seat, (seat, other, 0))


@compiled
def _spy(g: Row, log: Log, seat: int, other: int) -> None:
    """Show both masks to the user, who then swaps or keeps them."""
    log_for_one(g, log, events.SEE, seat, (other, 0, g.mask_at[other]))
    log_for_one(g, log, events.SEE, seat, (seat, 0, g.mask_at[seat]))
    _take(g, log, seat, other)


@compiled
def _declare(g: Row, log: Log, mask: int) -> None:
    """Name a mask to the Guru, then reveal the target's mask; a wrong name costs 4."""
    seat = g.actor
    log_for_all(g, log, events.DECLARE, seat, (0, 0, mask))
    _reveal(g, log, seat)
    if mask != g.mask_at[seat]:
        _give(g, log, seat, g.user, GURU_PRICE)
        _ends(g, log)
    _settle(g, log)


@compiled
def _puppet_master(g: Row, log: Log, one: int, other: int) -> None:
    """Take 1 from each of two players in one step; then let them exchange seats."""
    _give(g, log, one, g.user, 1)
    _give(g, log, other, g.user, 1)
    # Only the players move: coins and masks stay with their seats.
    if _ends(g, log):
        return
    player = g.player_at[one]
    g.player_at[one] = g.player_at[other]
    g.player_at[other] = player
    g.seat_of[g.player_at[one]] = one
    g.seat_of[g.player_at[other]] = other
    log_for_all(g, log, events.MOVE, g.user, (one, other, 0))


# 7. End


@compiled
def _ends(g: Row, log: Log) -> bool:
    """Test whether the last step ends the game; if so, end it and return True (7.1, 7.2)."""
    rich = 0
    broke = False
    for seat in range(g.players):
        coins = g.coins[seat]
        if coins >= g.goal_coins:
            rich |= bit(player_on(g, seat))
        elif coins == 0:
            broke = True
    # The goal comes first: a player who reaches it wins even if another one is broke (7.1, 7.2).
    if rich:
        _win(g, log, rich)
        return True
    if broke:
        _win(g, log, _richest(g))
        return True
    return False


@compiled
def _richest(g: Row) -> int:
    """Return the set of players with the largest fortune."""
    most = 0
    richest = 0
    for seat in range(g.players):
        coins = g.coins[seat]
        if coins > most:
            most = int(coins)
            richest = 0
        if coins == most:
            richest |= bit(player_on(g, seat))
    return richest


@compiled
def _win(g: Row, log: Log, winners: int) -> None:
    g.winners = winners
    _stop(g, WON)
    for player in range(g.players):
        if winners & bit(player):
            log_for_all(g, log, events.WIN, g.seat_of[player], (0, 0, 0))


@compiled
def _stop(g: Row, status: int) -> None:
    g.status = status
    g.phase = OVER
    g.actor = NOBODY


@compiled
def returns_of(g: Row, player: int) -> float:
    """Return a player's return (7): zero-sum over players, 0 if truncated or not over."""
    if g.status != WON:
        return 0.0
    players, count = int(g.players), 0
    for other in range(players):
        if g.winners & bit(other):
            count += 1
    # The winners share equally what the others lose, so that a single winner gets 1.
    if g.winners & bit(player):
        return (players - count) / (count * (players - 1))
    return -1.0 / (players - 1)


# Random play


@compiled
def random_id(g: Row, legal: Legal) -> int:
    """Return a uniformly random legal id, from the random numbers of the row."""
    find_legal(g, legal)
    return legal.id[below(g, legal.count)]


@compiled
def playout(g: Row, log: Log, legal: Legal, most: int) -> int:
    """Play at random until the game ends or `most` decisions are taken; return their number."""
    count = 0
    while g.status == RUNNING and count < most:
        apply(g, log, random_id(g, legal))
        count += 1
    return count
