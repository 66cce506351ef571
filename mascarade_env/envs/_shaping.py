"""Optional rewards on the way, which leave the value of every policy as it is.

The potential of a player is how much richer that player is than the average, as a share of the
goal:

    potential = scale * (own coins - average coins) / goal coins

A decision earns each player the rise of their potential; what has been earned so far is given back
when a game is won or lost. Over a whole game the sum therefore is the plain return, and the rewards
of all players sum to zero at every step (Ng, Harada and Russell, ICML 1999, without discount). A
game cut off at the turn limit gives nothing back, as there the value of the last position stands
for what would have come.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError


def checked_scale(shaping: Any) -> float:
    """Return a scale of rewards on the way, or an error."""
    try:
        scale = float(shaping)
    except (TypeError, ValueError):
        scale = math.nan
    if not math.isfinite(scale):
        raise MascaradeError(f"shaping is a finite number, 0 for none, not {shaping!r}")
    return scale


def potentials(rows: NDArray[Any], scale: float) -> NDArray[np.float32]:
    """Return [B, n] the potential of each player in rows of GAME."""
    players = int(rows["players"][0])
    coins = np.take_along_axis(rows["coins"], rows["seat_of"][:, :players].astype(np.int64), axis=1)
    lead = coins - coins.mean(axis=1, keepdims=True)
    found: NDArray[np.float32] = (scale * lead / rows["goal_coins"][:, None]).astype(np.float32)
    return found
