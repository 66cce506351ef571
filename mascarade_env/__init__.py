"""Mascarade (second edition) as an environment for reinforcement learning.

    import mascarade_env as mascarade

    game = mascarade.Game("6A", seed=7)          # one game: actions in words, undo, clones, records
    batch = mascarade.Batch("6A", size=4096)     # many games, stepped together with arrays
    play = mascarade.SelfPlay(batch, steps=128)  # credit each decision to the player who made it
    env = gymnasium.make("Mascarade-v0")         # one learner; opponents play inside
    env = mascarade.mascarade_v0.env("6A")       # PettingZoo, for all players

`MASKS` describes the masks. `scenarios` and `Scenario` describe the games that can be played.
`Schema` explains the numbers of an observation. An `AgentView` holds everything that one player
knows, and `Worlds` holds the placements of the masks that are possible for that player. A `Policy`
chooses actions for `Positions`. A `Pool` is a growing set of opponents. `read_games` and
`write_games` read and write files of game records.

Public modules: `mascarade_v0`, `testing`, `render`, `exact`, `adapters.sb3`, `adapters.rllib` and
`adapters.openspiel`. `game`, `knowledge`, `observation`, `envs` and `cli` only group private
modules. A name that begins with an underscore may change in any version.

Each part may import the parts above it in this list. No part imports agents or training:

_lazy.py: names that a package imports on first use
_errors.py: exceptions, warnings and helpers for messages
_colours.py: whether to use colours in terminals
_files/: reading files within limits, locking output files
_jit/: compiling functions, and storing the compiled code
game/: the rules, records, `Game` and `Batch`
knowledge/: public facts, beliefs, the follower of events, `AgentView`
observation/: observations, which show what a player knows as a vector
_policies/: the `Policy` protocol, policies by name, and adapters between kinds of policies
render/: text, pictures and pages
envs/: PettingZoo, Gymnasium, `SelfPlay`
mascarade_v0.py: the PettingZoo environment, named by its version
exact/: complete game trees of small scenarios, and their equilibria
adapters/: Stable-Baselines3, RLlib, OpenSpiel
testing/: checks of agents and environments that users write
_benchmarks/: the measurements of `mascarade bench`
cli/: the command `mascarade`

`game`, `knowledge` and `observation` together are the core. Their modules import each other across
the packages: `knowledge` imports `game._rules`, and `game._batch` imports `observation`. The
contracts in pyproject.toml list the order.
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
