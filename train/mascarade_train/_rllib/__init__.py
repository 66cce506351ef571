"""Self-play with Ray RLlib, on one host or many; RLLIB.md is its page.

Imports `mascarade_env.adapters.rllib` and what policies need, not `_ppo`. Each file may import
those above it:

settings.py: settings, read and checked without Ray
module.py: the network that RLlib trains
training.py: `train`, from top to bottom
"""
