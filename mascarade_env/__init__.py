"""Mascarade (second edition) as an environment for reinforcement learning.

import mascarade_env as mascarade

game = mascarade.Game("6A", seed=7)          # one game: words, undo, clones, records
batch = mascarade.Batch("6A", size=4096)     # many games in step: arrays in, arrays out
env = gymnasium.make("Mascarade-v0")         # one learner, the others played inside
env = mascarade.mascarade_v0.env("6A")       # PettingZoo: all players
"""

from mascarade_env._errors import (
    IllegalActionError,
    InexactBeliefWarning,
    MascaradeError,
    RecordError,
    ScenarioError,
    UnknownNameError,
)
from mascarade_env.envs import _registration
from mascarade_env.envs._opponents import Pool
from mascarade_env.game._batch import Batch
from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASKS, Mask
from mascarade_env.game._record_files import read_games, write_games
from mascarade_env.game._scenarios import Scenario, scenarios
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.observation._schema import Schema

__version__ = "0.1.0"

_registration.register()

__all__ = [
    "MASKS",
    "AgentView",
    "Batch",
    "Game",
    "IllegalActionError",
    "InexactBeliefWarning",
    "MascaradeError",
    "Mask",
    "Pool",
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
