"""Other libraries' own interfaces to the game: `sb3`, `rllib` and `openspiel`.

Each module imports its library, which is an extra or needs an environment of its own, so import
the module, not this package. Adapters import envs and what is below them, never each other.
"""
