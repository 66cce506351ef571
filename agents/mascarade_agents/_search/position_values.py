"""The value of a position at which a simulation stops, at the start of a turn.

A player's odds to win grow e-fold with each unit of `_strength`. Its weights come from a logistic
regression, a softmax over the seats. The data are one of seven turns of games in 4A to 8B, 10A and
12B, with equal weights of the scenarios. An agent of the ladder from honest to stopper was drawn
for each seat.

Fitted to the first three quarters of the turns, the mean loss on the others is 1.58 nats; with
coins and turn order alone it is 1.68. The difference is somewhat overstated, because these turns
are from the same games, and were used to choose the terms. Other agents may need other weights.
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
_PLACE = 0.322  # for a whole round of waiting for the next turn (subtracted)
_MASK = 0.1  # for each coin that the player's mask is expected to be worth
_MOST = 5.0  # the most of these coins that count
_READY = 1.67  # for a mask that wins, divided by the turns until its use
_KNOWN = 0.284  # for certainty about the player's own mask


@compiled
def _strength(g: Row, beliefs: SimulatedBeliefs, seat: int, coin: float) -> float:
    """Return the logarithm of a seat's odds to win, up to a constant of the position."""
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
    """Return a player's win share, or an estimate of it if the game is not over."""
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
