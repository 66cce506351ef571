"""The first version of the PettingZoo environment: `env(...)` and `raw_env(...)`.

`raw_env` makes the environment. `env` adds PettingZoo's wrapper, which reports calls in the wrong
order. From 1.0.0 on, a change of observations, actions, rewards or rules raises the number in
the module's name: see VERSIONS.md.
"""

from mascarade_env.envs._aec import env, raw_env

__all__ = ["env", "raw_env"]
