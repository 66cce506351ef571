"""The first version of the PettingZoo environment: `env(...)` and `raw_env(...)`.

See `mascarade_env.envs._aec` for what it is. From 1.0.0 on a change that gives other observations,
actions, rewards or rules gets a new number; VERSIONS.md tells more.
"""

from mascarade_env.envs._aec import env, raw_env

__all__ = ["env", "raw_env"]
