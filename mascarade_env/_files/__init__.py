"""Files from elsewhere, read within limits; at most one process writes an output.

bounded.py: read files within a limit of size
strict_json.py: JSON without repeated keys and NaN
arrays.py: `.npz` files of numbers, checked
locks.py: locks on outputs

Imports `_errors` alone.
"""
