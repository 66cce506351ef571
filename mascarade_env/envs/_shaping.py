"""Optional rewards before the end of a game. They do not change the value of any policy.

This is potential-based shaping (Ng, Harada and Russell, ICML 1999, without discount). The potential
of a player measures how much richer this player is than the average, as a share of the goal:

    potential = scale * (own coins - average coins) / goal coins

At each decision, every player gets the rise of the player's potential as a reward. When a game
terminates, the sum of these rewards is subtracted again. So the rewards of a whole game sum to the
return without shaping, and the rewards of all players sum to zero at every step. If the turn limit
truncates a game, nothing is subtracted, because the learner then bootstraps from the value of the
last position.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError


def checked_scale(shaping: Any) -> float:
    """Return the scale of shaping as a float; raise an error if it is not finite."""
    try:
        scale = float(shaping)
    except (TypeError, ValueError):
        scale = math.nan
    if not math.isfinite(scale):
        raise MascaradeError(f"shaping must be a finite number, 0 for none, not {shaping!r}")
    return scale


def potentials(rows: NDArray[Any], scale: float) -> NDArray[np.float32]:
    """Return the potential of each player, [B, n].

    Args:
        rows: [B] the games, an array of GAME.
        scale: the factor of the potential.
    """
    players = int(rows["players"][0])
    coins = np.take_along_axis(rows["coins"], rows["seat_of"][:, :players].astype(np.int64), axis=1)
    lead = coins - coins.mean(axis=1, keepdims=True)
    shares: NDArray[np.float32] = (scale * lead / rows["goal_coins"][:, None]).astype(np.float32)
    return shares
