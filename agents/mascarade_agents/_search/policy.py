"""The policy of all players in simulations, based on their simulated beliefs.

A simulation takes place in one world, but its players must not use its masks in their decisions.
Each player computes the expected value of an action, in coins, under that player's belief (see
simulated_beliefs.py); a win counts as coins too. The action is sampled with a softmax of these
values. The probabilities that other players claim depend on public knowledge only.

The policy is a simple and fast version of the hand-written agents. Its constants were chosen by
hand. Only the depth of simulations and the exploration constant were tuned (see agents.py).
"""

import math

from mascarade_agents._search.power_values import fine, gain, harm, holding
from mascarade_agents._search.simulated_beliefs import SimulatedBeliefs, advance
from mascarade_env._jit import compiled
from mascarade_env.game._actions import (
    Legal,
    decline_id,
    find_legal,
    look_id,
    taken_slot,
    target_seat,
)
from mascarade_env.game._events import Log
from mascarade_env.game._masks import FOOL, GURU, PUPPET_MASTER, SPY, WITCH
from mascarade_env.game._positions import (
    CHALLENGE,
    DECLARE,
    RUNNING,
    TABLE,
    TURN,
    Row,
    bit,
    left_of,
    player_on,
)
from mascarade_env.game._rng import below

_SOFT = 0.4  # temperature of the softmax, in coins
_CLAIM_SOFT = 0.3  # temperature of the softmax for claims, in coins
_LOOK = 0.15  # score of a look, as a fraction of the value of knowing the own mask
_TAKE = 0.9  # score of a take, as a fraction of the difference in worth of the two masks
_VEIL = 0.3  # coins added to a take, after which others are less certain of the player's mask
_TRUST = 3.0  # factor of the belief that the announcer has the announced mask
_BARRED = 1.0  # coins subtracted from a claim that prevents an announcement on the next turn
_SURE = 0.95  # probability that a player claims a mask if they know that they have it
_RARELY = 0.1  # least probability that a player claims a mask if they have it without knowing it
_FALSE = 0.03  # least probability that a player claims a mask if they do not have it
_NAMED = 4.0  # coins that a wrong mask named to the Guru costs
_LEAST = 1e-3  # least denominator
_STEPS = 1 << 30  # number of values of `uniform`


@compiled
def uniform(g: Row) -> float:
    """Return a random number greater than 0 and less than 1, from the row's rng."""
    return (below(g, _STEPS) + 0.5) / _STEPS


@compiled
def _claims(g: Row, beliefs: SimulatedBeliefs, seat: int, column: int, worth: float) -> float:
    """Return the probability that the player on a seat claims a mask, by public knowledge."""
    own = beliefs.belief[g.players, seat, column]
    return 1.0 / (1.0 + math.exp((1.0 - own - own * worth) / _CLAIM_SOFT))


@compiled
def _having(sure: bool, claims: float) -> float:
    """Return the probability that a player who has the mask claims it."""
    return _SURE if sure else max(_RARELY, claims)


@compiled
def _lacking(sure: bool, claims: float) -> float:
    """Return the probability that a player who does not have the mask claims it.

    Args:
        sure: whether the player must know their own mask, by public events.
        claims: the probability of a claim, by public knowledge.
    """
    return _FALSE if sure else min(_SURE, max(_FALSE, claims))


@compiled
def _announcing(g: Row, beliefs: SimulatedBeliefs, seat: int, column: int) -> float:
    """Return the expected value of an announcement, in coins."""
    belief, player, mask = beliefs.belief, player_on(g, seat), int(g.kind[column])
    own = belief[player, seat, column]
    gained = gain(g, seat, mask)
    fined = -fine(g, seat)
    silent = 1.0  # probability that no other player claims, if none of them has the mask
    for places in range(1, g.players):
        other = left_of(g, seat, places)
        sure = beliefs.sure[0] & bit(player_on(g, other)) != 0
        silent *= 1.0 - _lacking(sure, _claims(g, beliefs, other, column, gain(g, other, mask)))
    value = own * gained
    centre = 1.0 - own  # probability that the mask is in the centre
    for places in range(1, g.players):
        other = left_of(g, seat, places)
        holds = belief[player, other, column]
        if holds <= 0.0:
            continue
        centre -= holds
        sure = beliefs.sure[0] & bit(player_on(g, other)) != 0
        claims = _claims(g, beliefs, other, column, gain(g, other, mask))
        having, lacking = _having(sure, claims), _lacking(sure, claims)
        others_silent = silent / (1.0 - lacking)
        passed = others_silent * gained + (1.0 - others_silent) * fined
        claimed = fined - harm(g, other, mask, seat)
        value += holds * (having * claimed + (1.0 - having) * passed)
    if centre > 0.0:
        value += centre * (silent * gained + (1.0 - silent) * fined)
    return float(value)


@compiled
def _turn(g: Row, beliefs: SimulatedBeliefs, legal: Legal) -> None:
    """Write the scores of takes, look and announcements into `beliefs.scores`."""
    seat = int(g.actor)
    belief, player, scores = beliefs.belief, player_on(g, seat), beliefs.scores
    look = look_id(g)
    best = -1e9  # score of the best announcement
    known = 0.0  # expected worth of the own mask, counting negative worths as 0
    here = 0.0  # expected worth of the own mask
    for column in range(g.kinds):
        worth = holding(g, seat, int(g.kind[column]))
        scores[legal.count + column] = worth  # stored after the scores, for the takes below
        here += belief[player, seat, column] * worth
        known += belief[player, seat, column] * max(worth, 0.0)
    for i in range(legal.count):
        action = int(legal.id[i])
        if action > look:
            scores[i] = _announcing(g, beliefs, seat, action - look - 1)
            best = max(best, scores[i])
    for i in range(legal.count):
        action = int(legal.id[i])
        if action < look:
            slot = taken_slot(g, action)
            taken = 0.0
            for column in range(g.kinds):
                taken += belief[player, slot, column] * scores[legal.count + column]
            scores[i] = _VEIL + _TAKE * (taken - here)
        elif action == look:
            # A look pays if the player could then announce a better mask on the next turn.
            scores[i] = _LOOK * (known - max(best, -1.0))


@compiled
def _claiming(g: Row, beliefs: SimulatedBeliefs) -> float:
    """Return the expected value of a claim minus that of a pass, in coins."""
    seat, mask = int(g.actor), int(g.announced)
    belief, player, column = beliefs.belief, player_on(g, seat), int(beliefs.column[mask])
    own = belief[player, seat, column]
    marker = int(g.marker)
    total = own  # weight of all places where the mask may be, given the answers so far
    silent = 1.0  # probability that no player who answers later claims
    centre = 1.0 - own
    answered = True  # whether `other` answered before this player
    quiet = 0.0  # weight of the players who have the mask and do not claim it
    for places in range(g.players):
        other = left_of(g, marker, places)
        if other == seat:
            answered = False
            continue
        holds = belief[player, other, column]
        centre -= holds
        if other == marker:
            total += holds * _TRUST
            quiet += holds * _TRUST
            continue
        sure = beliefs.sure[0] & bit(player_on(g, other)) != 0
        claims = _claims(g, beliefs, other, column, gain(g, other, mask))
        having, lacking = _having(sure, claims), _lacking(sure, claims)
        if answered:
            if g.claims & bit(other):
                total += holds * having / lacking
            else:
                total += holds * (1.0 - having) / (1.0 - lacking)
                quiet += holds * (1.0 - having) / (1.0 - lacking)
        else:
            total += holds
            silent *= 1.0 - lacking
            quiet += holds * (1.0 - having) / (1.0 - lacking)
    centre = max(centre, 0.0)
    total = max(total + centre, _LEAST)
    own = own / total
    value = own * gain(g, seat, mask) - (1.0 - own) * fine(g, seat)
    if g.claims == 0:
        # The first claim stops an announcer who would otherwise use the power.
        blocked = own + (quiet + centre) / total
        # A true announcer is not stopped by a false claim.
        blocked -= belief[player, marker, column] * _TRUST / total
        value += blocked * silent * harm(g, marker, mask, seat)
    if left_of(g, marker, 1) == seat:
        value -= _BARRED
    return float(value)


@compiled
def _swapping(g: Row, beliefs: SimulatedBeliefs) -> float:
    """Return the expected value of a swap minus that of a keep, in coins."""
    seat, one, other = int(g.actor), int(g.table[0]), int(g.table[1])
    if seat not in (one, other):
        return 0.0
    belief, player = beliefs.belief, player_on(g, seat)
    partner = other if one == seat else one
    value = 0.0
    for column in range(g.kinds):
        difference = belief[player, partner, column] - belief[player, seat, column]
        value += difference * holding(g, seat, int(g.kind[column]))
    return value


@compiled
def _target(g: Row, beliefs: SimulatedBeliefs, seat: int) -> float:
    """Return the score of a target: an estimate of its worth in coins."""
    own_coins = int(g.coins[g.actor])
    coins = int(g.coins[seat])
    player = player_on(g, g.actor)
    if g.announced == WITCH:
        return 2.0 * (coins - own_coins)
    if g.announced == SPY:
        value = 0.0
        for column in range(g.kinds):
            worth = holding(g, int(g.actor), int(g.kind[column]))
            value += beliefs.belief[player, seat, column] * worth
        return value
    if g.announced == GURU:
        return 0.0 if beliefs.sure[0] & bit(player_on(g, seat)) else float(min(coins, 4))
    if g.announced in (PUPPET_MASTER, FOOL):
        return 0.5 * coins
    return 0.0


@compiled
def _score(g: Row, beliefs: SimulatedBeliefs, legal: Legal) -> None:
    """Write an estimate of the value of each legal action, in coins, into `beliefs.scores`."""
    scores = beliefs.scores
    for i in range(legal.count):
        scores[i] = 0.0
    if g.phase == TURN:
        _turn(g, beliefs, legal)
    elif g.phase == CHALLENGE:
        scores[0] = _claiming(g, beliefs)
    elif g.phase == TABLE:
        scores[0] = _swapping(g, beliefs)
    else:
        for i in range(legal.count):
            if g.phase == DECLARE:
                scores[i] = _NAMED * beliefs.belief[player_on(g, g.actor), g.actor, i]
            elif legal.id[i] < decline_id(g):
                scores[i] = _target(g, beliefs, target_seat(g, legal.id[i]))


@compiled
def weigh(g: Row, beliefs: SimulatedBeliefs, legal: Legal) -> None:
    """Write the probability of each legal action into `beliefs.scores`."""
    _score(g, beliefs, legal)
    scores = beliefs.scores
    soft = _CLAIM_SOFT if g.phase == CHALLENGE else _SOFT
    highest = scores[0]
    for i in range(1, legal.count):
        highest = max(highest, scores[i])
    total = 0.0
    for i in range(legal.count):
        scores[i] = math.exp((scores[i] - highest) / soft)  # never overflows
        total += scores[i]
    for i in range(legal.count):
        scores[i] /= total


@compiled
def choose(g: Row, beliefs: SimulatedBeliefs, legal: Legal) -> int:
    """Return the index in `legal` of a sampled action."""
    if legal.count == 1:
        return 0
    weigh(g, beliefs, legal)
    remaining = uniform(g)
    for i in range(legal.count):
        remaining -= beliefs.scores[i]
        if remaining < 0.0:
            return i
    return int(legal.count) - 1  # by rounding, the probabilities may sum to less than 1


@compiled
def roll_out(g: Row, log: Log, beliefs: SimulatedBeliefs, legal: Legal, turns: int) -> int:
    """Play to the end of the game or the start of turn `turns`.

    Return the number of decisions.
    """
    decisions = 0
    while g.status == RUNNING and (g.turn < turns or g.phase != TURN):
        find_legal(g, legal)
        advance(g, log, beliefs, legal.id[choose(g, beliefs, legal)])
        decisions += 1
    return decisions
