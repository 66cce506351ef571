"""What a position is worth where a simulation is stopped, at the start of a turn.

A player's odds to win grow e-fold with each unit of `_strength`. The weights are a logistic
regression (softmax over the seats) on games of the ladder's agents from honest to stopper, drawn
for each seat, in 4A to 8B, 10A and 12B, one turn of seven; all scenarios weigh alike. Fitted to the
earlier three quarters of the turns, the loss on the rest is 1.58 nats on average, and 1.68 for
coins and turn order alone. These are later turns of the same games, by which the terms were chosen
too, so the gain is rather overstated. Play unlike that of these agents may need other weights.
"""

import math

from mascarade_agents._search.power_values import holding, wins
from mascarade_agents._search.simulated_beliefs import SimulatedBeliefs
from mascarade_env._jit import compiled
from mascarade_env.game._masks import WITCH
from mascarade_env.game._positions import RUNNING, WON, Row, bit

_COIN = 0.336  # of a coin,
_COIN_WITCH = 0.167  # and where the Witch may exchange whole fortunes
_PLACE = 0.322  # of a round of waiting for one's turn
_MASK = 0.1  # of a coin that the own mask is expected to be worth,
_MOST = 5.0  # of which no more than so many count
_READY = 1.67  # of a mask that wins, divided by the turns until it can
_KNOWN = 0.284  # of being certain of the own mask


@compiled
def _strength(g: Row, beliefs: SimulatedBeliefs, seat: int, coin: float) -> float:
    """Return the logarithm of how likely a seat is to win, up to a constant of the position."""
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
    """Return a player's part of the win; if the game was stopped, the estimated probability."""
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
