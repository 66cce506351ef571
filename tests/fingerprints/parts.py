"""All imports of fingerprints from the three packages: if names move, edit only this file."""

from mascarade_agents import Agent, make_agent
from mascarade_agents._ladder import LADDER
from mascarade_agents.arena import run as run_arena
from mascarade_agents.report import summary
from mascarade_env import Batch, Game, InexactBeliefWarning, Positions, Scenario, Schema, scenarios
from mascarade_env.game._batch import Autoreset
from mascarade_env.game._positions import PHASES
from mascarade_env.observation._blocks import TRACKS, Track
from mascarade_train._best_response.search import best_response
from mascarade_train._best_response.settings import ResponseSettings
from mascarade_train._policy_file import PolicyFile
from mascarade_train._ppo import Training
from mascarade_train._released import released_names, released_path
from mascarade_train._settings import Settings
from tests.mascarade_env.game.golden import all_scenarios

__all__ = [
    "LADDER",
    "PHASES",
    "TRACKS",
    "Agent",
    "Autoreset",
    "Batch",
    "Game",
    "InexactBeliefWarning",
    "PolicyFile",
    "Positions",
    "ResponseSettings",
    "Scenario",
    "Schema",
    "Settings",
    "Track",
    "Training",
    "all_scenarios",
    "best_response",
    "make_agent",
    "released_names",
    "released_path",
    "run_arena",
    "scenarios",
    "summary",
]
