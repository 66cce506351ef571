"""Checks for environments, agents and encoders that others build on the game.

    from mascarade_env.testing import check_agent, check_env, check_no_leak, observer_of

    check_env(my_env)                          # PettingZoo, Gymnasium, or a vector environment
    check_agent(my_policy, "6A")               # observations and masks in, action ids out
    check_no_leak(my_encoder, "6A")            # my_encoder(game, player) tells no secrets
    check_no_leak(observer_of(my_aec_env))     # nor does my environment

Each raises a `ConformanceError` that says what is wrong, where, and what to do, or returns a report
of how much was checked. They take seconds and belong into tests.

`_environments` is `check_env`: `_drivers` steps each kind of environment in the same way,
`_moment_checks` looks at what it shows, `_action_trials` tries actions on copies, `_against_game`
compares it with the game itself (`_twin_games`). `_agents` and `_view_agents` are `check_agent`,
`_leaks` is `check_no_leak`. Imports envs and what is below them.
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
