"""Values of powers, in coins, for the players of a simulation. A win counts as coins too."""

from mascarade_env._jit import compiled
from mascarade_env.game._actions import richest_other
from mascarade_env.game._masks import (
    BEGGAR,
    CHEAT,
    GURU,
    JUDGE,
    SPY,
    THIEF,
    TRICKSTER,
    WIDOW,
    WITCH,
)
from mascarade_env.game._positions import Row, left_of
from mascarade_env.game._rules import CHEAT_FORTUNE, GURU_PRICE, WIDOW_FORTUNE

_WIN = 40.0  # the value of the win in coins
_SHARED = 0.5  # the loss of all other players together for each coin that one player gains
_SOON = 0.4  # if a player can win with a mask now, the probability that they still can next turn

# The coins that a power brings, by the number of the mask; 0 where they depend on the position.
_COINS = (0.0, 3.0, 2.0, 0.0, 3.0, 2.0, 1.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 2.0)
# The least worth of a mask: its power may bring more later, as fortunes and the tribunal change.
_LEAST = (1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.5, 0.7, 0.7, 0.0)


@compiled
def coins_of(g: Row, seat: int, mask: int) -> int:
    """Return an estimate of the coins that a power brings now.

    The Cheat brings the goal, the number of coins needed to win, if it wins now.
    """
    coins = int(g.coins[seat])
    if mask == JUDGE:
        return int(g.tribunal)
    if mask == WIDOW:
        return max(0, WIDOW_FORTUNE - coins)
    if mask == CHEAT:
        return int(g.goal_coins) if coins >= CHEAT_FORTUNE else 0
    if mask == BEGGAR:
        return _begged(g, seat)
    if mask in (WITCH, TRICKSTER, GURU):
        return _taken_from_richest(mask, coins, richest_other(g, seat))
    return int(_COINS[mask])


@compiled
def _begged(g: Row, seat: int) -> int:
    """Return the coins that the Beggar would get on a seat."""
    coins = int(g.coins[seat])
    begged = 0
    for places in range(1, g.players):
        # Players give in turn, and each compares their coins with those that the Beggar then has.
        if g.coins[left_of(g, seat, places)] > coins + begged:
            begged += 1
    return begged


@compiled
def _taken_from_richest(mask: int, coins: int, most: int) -> int:
    """Return the coins that a power takes from the richest player, who has `most`.

    Assume that a player whom the Guru asks names a wrong mask half of the time.
    """
    if mask == WITCH:
        return max(0, most - coins)
    return min(2, most) if mask == TRICKSTER else min(GURU_PRICE, most) // 2


@compiled
def wins(g: Row, seat: int, mask: int) -> bool:
    """Return whether the player on a seat wins by using a power now."""
    return int(g.coins[seat]) + coins_of(g, seat, mask) >= int(g.goal_coins)


@compiled
def gain(g: Row, seat: int, mask: int) -> float:
    """Return what the player on a seat gains by using a power now, in coins."""
    coins = coins_of(g, seat, mask)
    if int(g.coins[seat]) + coins >= g.goal_coins:
        return _WIN * (1.0 - 1.0 / int(g.players))
    return float(coins) + (_COINS[mask] if mask == SPY else 0.0)


@compiled
def harm(g: Row, user: int, mask: int, seat: int) -> float:
    """Return the coins that the player on `seat` loses if the player on `user` uses a power."""
    coins = coins_of(g, user, mask)
    if int(g.coins[user]) + coins >= g.goal_coins:
        return _WIN / int(g.players)
    loss = _SHARED * coins / (int(g.players) - 1)
    if mask in (TRICKSTER, WITCH, GURU):
        if coins > 0 and g.coins[seat] == richest_other(g, user):
            loss += coins
    elif mask == THIEF:
        if left_of(g, user, 1) == seat or left_of(g, seat, 1) == user:
            loss += 1.0
    elif mask == BEGGAR and g.coins[seat] > g.coins[user]:
        loss += 1.0
    return loss


@compiled
def fine(g: Row, seat: int) -> float:
    """Return the cost of the fine for a false announcement or claim, in coins."""
    # A player who pays their last coin ends the game, and the richest player wins.
    if g.coins[seat] > 1:
        return 1.0
    return _WIN / int(g.players)


@compiled
def holding(g: Row, seat: int, mask: int) -> float:
    """Return the worth of having a mask on the next turn, in coins."""
    coins = int(g.coins[seat])
    if mask == CHEAT and coins < CHEAT_FORTUNE:
        return 0.5 * max(0, coins - 4)
    worth = gain(g, seat, mask)
    if worth > _WIN / 2:
        return _SOON * worth
    return max(worth, _LEAST[mask])
