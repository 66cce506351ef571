"""Mascarade (second edition) as an environment for reinforcement learning.

import mascarade_env as mascarade

game = mascarade.Game("6A", seed=7)          # one game: words, undo, clones, records
batch = mascarade.Batch("6A", size=4096)     # many games in step: arrays in, arrays out
"""

from mascarade_env.core.batch import Batch
from mascarade_env.core.errors import (
    IllegalActionError,
    InexactBeliefWarning,
    MascaradeError,
    RecordError,
    ScenarioError,
    UnknownNameError,
)
from mascarade_env.core.game import Game
from mascarade_env.core.masks import MASKS, Mask
from mascarade_env.core.record_files import read_games, write_games
from mascarade_env.core.scenarios import Scenario, scenarios
from mascarade_env.core.schema import Schema

__version__ = "0.1.0"

__all__ = [
    "MASKS",
    "Batch",
    "Game",
    "IllegalActionError",
    "InexactBeliefWarning",
    "MascaradeError",
    "Mask",
    "RecordError",
    "Scenario",
    "ScenarioError",
    "Schema",
    "UnknownNameError",
    "__version__",
    "read_games",
    "scenarios",
    "write_games",
]
