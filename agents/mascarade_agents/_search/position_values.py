"""The value of a position where a simulation stops, at the start of a turn.

The value is an estimate of a player's win share: a softmax of `_strength` over the seats. The
weights of `_strength` come from a logistic regression. Its data are games in the scenarios 4A to
8B, 10A and 12B, with equal weights of the scenarios, and one in seven turns of each game. The agent
on each seat was drawn at random from the ladder, from honest to stopper.

The weights were fitted to the first three quarters of these turns. On the last quarter, the mean
loss is 1.58 nats. With the terms for coins and turn order only, it is 1.68 nats. The real
improvement is somewhat smaller, because the last quarter is from the same games, and was also used
to choose the terms. For other agents, other weights may fit better.
"""

import math

from mascarade_agents._search.power_values import holding, wins
from mascarade_agents._search.simulated_beliefs import SimulatedBeliefs
from mascarade_env._jit import compiled
from mascarade_env.game._masks import WITCH
from mascarade_env.game._positions import RUNNING, WON, Row, bit

# Weights of `_strength`:
_COIN = 0.336  # for each coin
_COIN_WITCH = 0.167  # for each coin if the Witch, who exchanges fortunes, is in the scenario
_PLACE = 0.322  # subtracted; for a whole round until the player's next turn
_MASK = 0.1  # for each coin of the expected worth of the player's mask
_MOST = 5.0  # the largest expected worth that counts
_READY = 1.67  # for a mask that wins; divided by the number of turns until the player can use it
_KNOWN = 0.284  # for the probability of the mask that the player most probably has


@compiled
def _strength(g: Row, beliefs: SimulatedBeliefs, seat: int, coin: float) -> float:
    """Return the log-odds of a win for a seat, plus a constant that is equal for all seats."""
    places = seat - int(g.marker)
    if places < 0:
        places += int(g.players)
    player = int(g.player_at[seat])
    worth, ready, known = 0.0, 0.0, 0.0
    for column in range(g.kinds):
        holds = beliefs.belief[player, seat, column]
        if holds <= 0.0:
            continue
        mask = int(g.kind[column])
        worth += holds * holding(g, seat, mask)
        if wins(g, seat, mask):
            ready += holds
        known = max(known, holds)
    strength = coin * g.coins[seat] - _PLACE * places / g.players
    strength += _MASK * min(worth, _MOST) + _READY * ready / (1 + places) + _KNOWN * known
    return float(strength)


@compiled
def share(g: Row, beliefs: SimulatedBeliefs, player: int) -> float:
    """Return a player's win share; estimate it if the game is not over."""
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
    coin = _COIN
    for column in range(g.kinds):
        if g.kind[column] == WITCH:
            coin = _COIN_WITCH
    own = _strength(g, beliefs, int(g.seat_of[player]), coin)
    total = 0.0
    for seat in range(players):
        total += math.exp(_strength(g, beliefs, seat, coin) - own)
    return 1.0 / total
