"""`mascarade rllib`: self-play with Ray RLlib, on one host or many."""

from typing import Annotated

import tyro

from mascarade_env._errors import MascaradeError
from mascarade_train._rllib.settings import Settings


def rllib(settings: Annotated[Settings, tyro.conf.arg(name="")]) -> None:
    """Train a player by self-play on Ray RLlib, which may have many hosts.

    Example: mascarade rllib --scenario 6A --minutes 10 --runners 8

    RLlib needs an environment of its own: RLLIB.md describes how to set it up. Ctrl-C ends the
    learning early; what has been learned is kept and measured.
    """
    try:
        from mascarade_train._rllib.training import train  # noqa: PLC0415  Ray takes time to load
    except ImportError as missing:
        raise MascaradeError(
            "`mascarade rllib` needs Ray RLlib, in an environment of its own: in a checkout, "
            f"pip install -r train/mascarade_train/requirements-rllib.txt . ({missing})"
        ) from missing
    train(settings)
