"""Adapters: the game in the interfaces of Stable-Baselines3, Ray RLlib and OpenSpiel.

Import a module, such as `mascarade_env.adapters.sb3`, not this package. Each module imports its
library, which is an extra or needs a separate environment. Adapters import envs and the packages
that envs may import, never each other. ADAPTERS.md shows how to use them.

sb3.py: a `VecEnv` of Stable-Baselines3, with action masks
rllib.py: a `MultiAgentEnv` of Ray RLlib
openspiel.py: a game of `pyspiel`, on `_openspiel_core.py`
_openspiel_core.py: the data of OpenSpiel's states and observers; it does not need OpenSpiel
"""
