"""Checks for your own environments, agents and encoders of the game.

    from mascarade_env.testing import check_agent, check_env, check_no_leak, observer_of

    check_env(my_env)                          # PettingZoo, Gymnasium, or a vector environment
    check_agent(my_policy, "6A")               # observations and masks in, action ids out
    check_no_leak(my_encoder, "6A")            # my_encoder(game, player) shows no hidden state
    check_no_leak(observer_of(my_aec_env))     # the same for an environment

A check returns a report of what it checked, or raises a `ConformanceError` with the fault, its
place and a remedy. The checks take seconds, so call them in your tests.

This package imports envs and the packages that envs may import. Each file in this list may import
those above it:

_errors.py: `ConformanceError`: a fault, its place and a remedy
_compare.py: compare results bit by bit
_spaces.py: explain why a value is not in a space
_drivers.py: step each kind of environment in the same way
_twin_games.py: a `Game` that follows each table of our Gymnasium environments
_action_trials.py: try actions on copies
_moment_checks.py: check the state of an environment after each step
_against_game.py: compare an environment with the game
_environments.py: `check_env`
_view_agents.py: the part of `check_agent` for agents that read views
_agents.py: `check_agent`
_leaks.py: `check_no_leak`
"""

from mascarade_env.testing._agents import AgentReport, check_agent
from mascarade_env.testing._compare import difference
from mascarade_env.testing._environments import EnvReport, check_env
from mascarade_env.testing._errors import ConformanceError
from mascarade_env.testing._leaks import LeakReport, Observer, check_no_leak, observer_of

__all__ = [
    "AgentReport",
    "ConformanceError",
    "EnvReport",
    "LeakReport",
    "Observer",
    "check_agent",
    "check_env",
    "check_no_leak",
    "difference",
    "observer_of",
]
