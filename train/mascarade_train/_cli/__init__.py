"""Subcommands of `mascarade` about what was learned: one file each, named in pyproject.toml.

The signature and docstring of a command become its flags and help. torch, Ray, SB3 and ONNX are
imported when a command runs. Imports all of mascarade_train; nothing imports it.

train.py: train a network by self-play
best_response.py: what an agent leaves to gain, at least
export.py: a network as ONNX
sb3.py: self-play with Stable-Baselines3
rllib.py: self-play with Ray RLlib
"""
