"""Subcommands of `mascarade` for training: one file each, named in pyproject.toml.

The signature and docstring of a command become its flags and help. torch, Ray, SB3 and ONNX are
imported when a command runs. This package imports all of mascarade_train; nothing imports it.

train.py: train a network by self-play
best_response.py: find a lower bound on the exploitability of an agent
export.py: write a network as an ONNX file
sb3.py: self-play with Stable-Baselines3
rllib.py: self-play with Ray RLlib
"""
