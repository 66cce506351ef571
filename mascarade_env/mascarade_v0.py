"""The first version of the PettingZoo environment: `env(...)` and `raw_env(...)`.

`raw_env` is the environment; `env` wraps it so that calls in the wrong order fail. From 1.0.0 on a
change that gives other observations, actions, rewards or rules gets a new number: see VERSIONS.md.
"""

from mascarade_env.envs._aec import env, raw_env

__all__ = ["env", "raw_env"]
