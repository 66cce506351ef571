"""Other libraries' own interfaces to the game: `sb3`, `rllib` and `openspiel`.

Each module imports its library, which is an extra or needs an environment of its own, so import
the module, not this package. Adapters import envs and what is below them, never each other.

sb3.py: a `VecEnv` of Stable-Baselines3, with action masks
rllib.py: a `MultiAgentEnv` of Ray RLlib
openspiel.py: a game of `pyspiel`, on `_openspiel_core.py`
_openspiel_core.py: what its states hold and show; needs no OpenSpiel
"""
