"""`mascarade rllib`: self-play with Ray RLlib, on one host or on a cluster."""

from typing import Annotated

import tyro

from mascarade_env._errors import MascaradeError
from mascarade_train._rllib.settings import Settings


def rllib(settings: Annotated[Settings, tyro.conf.arg(name="")]) -> None:
    """Train with Ray RLlib by self-play, on one host or on a cluster.

    Example: mascarade rllib --scenario 6A --minutes 10 --runners 8

    RLlib needs a separate Python environment; RLLIB.md shows how to make it. Ctrl-C ends training
    early, saves the policy and measures it.
    """
    try:
        from mascarade_train._rllib.training import train  # noqa: PLC0415  Ray takes time to load
    except ImportError as missing:
        raise MascaradeError(
            "`mascarade rllib` needs Ray RLlib, in a separate Python environment: in a checkout, "
            f"pip install -r train/mascarade_train/requirements-rllib.txt . ({missing})"
        ) from missing
    train(settings)
