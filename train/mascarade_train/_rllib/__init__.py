"""Self-play with Ray RLlib, on one host or on a cluster. RLLIB.md documents it.

It imports `mascarade_env.adapters.rllib` and the files for policies, but not `_ppo`. Each file may
import those above it:

settings.py: settings, which are checked without Ray
module.py: the network that RLlib trains
training.py: `train`, which reads from top to bottom
"""
