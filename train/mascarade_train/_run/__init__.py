"""A training run: processes, checkpoints, logs, reports."""
