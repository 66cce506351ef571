"""Render pictures of a game in the render modes of environments."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_env import render
from mascarade_env._errors import MascaradeError
from mascarade_env.game._game import Game

Frame: TypeAlias = str | NDArray[np.uint8]

#: The perspective of the learner.
LEARNER = "learner"
RENDER_MODES = ["ansi", "human", "rgb_array"]


def checked_mode(render_mode: Any) -> str | None:
    """Return a render mode; raise an error if it does not exist."""
    if render_mode is None or render_mode in RENDER_MODES:
        mode: str | None = render_mode
        return mode
    raise MascaradeError(
        f"render_mode must be None or one of {', '.join(RENDER_MODES)}, not {render_mode!r}"
    )


def checked_view(perspective: Any, players: int) -> Any:
    """Return a perspective, which may be "learner"; raise an error if it does not exist."""
    if isinstance(perspective, str) and perspective == LEARNER:
        return LEARNER
    return render.checked_perspective(perspective, players)


def frame(game: Game, render_mode: str, perspective: Any) -> Frame | None:
    """Return a picture of a game. With "human", show the picture instead and return None."""
    if render_mode == "ansi":
        return render.ansi(game, perspective)
    if render_mode == "rgb_array":
        return render.rgb_array(game, perspective)
    render.show(game, perspective)
    return None
