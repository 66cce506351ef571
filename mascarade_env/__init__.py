"""Mascarade (second edition) as an environment for reinforcement learning.

import mascarade_env as mascarade

game = mascarade.Game("6A", seed=7)          # one game: words, undo, clones, records
batch = mascarade.Batch("6A", size=4096)     # many games in step: arrays in, arrays out
play = mascarade.SelfPlay(batch, steps=128)  # each decision credited to the player who made it
env = gymnasium.make("Mascarade-v0")         # one learner, the others played inside
env = mascarade.mascarade_v0.env("6A")       # PettingZoo: all players

`MASKS`, `scenarios` and `Scenario` describe what is played; `Schema` lays out observations;
`AgentView` holds what one player knows, and `Worlds` the placements that the player holds possible;
`Policy` is everything that acts, asked about `Positions`; `Pool` is a growing set of opponents;
`read_games` and `write_games` store games.

Public modules: `mascarade_v0`, `testing`, `render`, `exact`, `adapters.sb3`, `adapters.rllib` and
`adapters.openspiel`. `game`, `knowledge`, `observation`, `envs` and `cli` group private modules and
offer no names of their own. A name that begins with an underscore may change in any version.

The order of imports is that of this list; nothing here imports agents or training:

_lazy.py: names that a package loads when they are used
_errors.py: the errors
_colours.py: whether the user wants colours in terminals
_files/: read files from elsewhere within limits, lock outputs
_jit/: compile functions, and keep the compiled code
game/: the rules, records, `Game` and `Batch`
knowledge/: public facts, beliefs, the follower of events, `AgentView`
observation/: what a player knows as a vector
_policies/: what everything that acts is: the protocol, policies by name, views for them
render/: text, pictures and pages
envs/: PettingZoo, Gymnasium, `SelfPlay`
mascarade_v0.py: the PettingZoo environment by its version
exact/: small scenarios as whole trees, solved
adapters/: Stable-Baselines3, RLlib, OpenSpiel
testing/: checks for what others build
_benchmarks/: the lines of `mascarade bench`
cli/: the command `mascarade`

Modules of `game`, `knowledge` and `observation` are layers of one core: `game._rules` is below
`knowledge`, and `game._batch` above `observation`. The contracts in pyproject.toml have each one's
place.
"""

from typing import TYPE_CHECKING

from mascarade_env._errors import (
    IllegalActionError,
    InexactBeliefWarning,
    MascaradeError,
    RecordError,
    ScenarioError,
    UnknownNameError,
)
from mascarade_env._lazy import loaded_on_use
from mascarade_env._policies.protocol import Policy, Positions
from mascarade_env.envs import _registration
from mascarade_env.envs._opponents import Pool
from mascarade_env.game._batch import Batch
from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASKS, Mask
from mascarade_env.game._record_files import read_games, write_games
from mascarade_env.game._scenarios import Scenario, scenarios
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.knowledge._worlds import Worlds
from mascarade_env.observation._schema import Schema

if TYPE_CHECKING:
    from mascarade_env import mascarade_v0
    from mascarade_env.envs._decisions import Decisions
    from mascarade_env.envs._self_play import SelfPlay

__version__ = "0.1.0"

_registration.register()

__all__ = [
    "MASKS",
    "AgentView",
    "Batch",
    "Decisions",
    "Game",
    "IllegalActionError",
    "InexactBeliefWarning",
    "MascaradeError",
    "Mask",
    "Policy",
    "Pool",
    "Positions",
    "RecordError",
    "Scenario",
    "ScenarioError",
    "Schema",
    "SelfPlay",
    "UnknownNameError",
    "Worlds",
    "__version__",
    "mascarade_v0",
    "read_games",
    "scenarios",
    "write_games",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = loaded_on_use(
        __name__,
        {
            "Decisions": "mascarade_env.envs._decisions",
            "SelfPlay": "mascarade_env.envs._self_play",
            "mascarade_v0": "mascarade_env.mascarade_v0",
        },
    )
