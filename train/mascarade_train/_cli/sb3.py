"""`mascarade sb3`: self-play with Stable-Baselines3."""

from typing import Annotated

import tyro

from mascarade_env._errors import MascaradeError
from mascarade_train._sb3.settings import Settings


def sb3(settings: Annotated[Settings, tyro.conf.arg(name="")]) -> None:
    """Train a player by self-play with MaskablePPO of Stable-Baselines3.

    Example: mascarade sb3 --scenario 6A --minutes 10

    A compatible baseline; `mascarade train` learns faster. Ctrl-C ends the learning early; what has
    been learned is kept and shown.
    """
    try:
        from mascarade_train._sb3.training import train  # noqa: PLC0415  torch takes time to load
    except ImportError as missing:
        raise MascaradeError(
            f"`mascarade sb3` needs the extra train: pip install 'mascarade-env[train]' ({missing})"
        ) from missing
    train(settings)
