"""Trained networks as ONNX files, with a card for programs in other languages.

Writing needs the package onnx, playing needs onnxruntime. Imports `_policy_file`, `_net_policy` and
mascarade_env, never torch. Each file may import those above it:

card.py: the card beside a graph: all that a bot needs to know
graph.py: a policy file as an ONNX graph
export.py: `export`: write both
check.py: which graphs are played: bounded ones, without other files
policy.py: play a graph by ONNX Runtime
"""
