"""Self-play with Stable-Baselines3: the usual baseline.

Imports `mascarade_env.adapters.sb3` and what reports need, not `_ppo`. Each file may import those
above it:

settings.py: settings, read and checked without torch
policies.py: policies of SB3 as opponents, and on disk
callback.py: snapshots, checkpoints and figures while SB3 learns
training.py: `train`, from top to bottom
"""
