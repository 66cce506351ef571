"""Trained networks as ONNX files, with a card for programs in other languages.

Writing needs the package onnx, playing also needs onnxruntime. This package imports `_policy_file`,
`_net_policy` and mascarade_env, never torch. Each file may import those above it:

card.py: the card next to an ONNX file, which describes its inputs and outputs
graph.py: convert a policy file to an ONNX graph
export.py: `export`: write both files
check.py: refuse graphs that could use unbounded memory or read other files
policy.py: play an ONNX file with ONNX Runtime
"""
