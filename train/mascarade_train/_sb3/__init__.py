"""Self-play with Stable-Baselines3, as a baseline for comparison.

It imports `mascarade_env.adapters.sb3` and the parts of `_run` for reports, but not `_ppo`. Each
file may import those above it:

settings.py: settings, which are checked without torch
policies.py: policies of SB3 as opponents, and on disk
callback.py: snapshots, checkpoints and figures while SB3 learns
training.py: `train`, which reads from top to bottom
"""
