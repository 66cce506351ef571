"""Trained networks as ONNX files."""
