"""`mascarade sb3`: self-play with Stable-Baselines3."""

from typing import Annotated

import tyro

from mascarade_env._errors import MascaradeError
from mascarade_train._sb3.settings import Settings


def sb3(settings: Annotated[Settings, tyro.conf.arg(name="")]) -> None:
    """Train with MaskablePPO of Stable-Baselines3 by self-play.

    Example: mascarade sb3 --scenario 6A --minutes 10

    This is a baseline for comparison; `mascarade train` learns faster. Ctrl-C ends training early,
    saves the policy and measures it.
    """
    try:
        from mascarade_train._sb3.training import train  # noqa: PLC0415  torch takes time to load
    except ImportError as missing:
        raise MascaradeError(
            f"`mascarade sb3` needs the extra train: pip install 'mascarade-env[train]' ({missing})"
        ) from missing
    train(settings)
