"""Reading files that may be damaged or harmful, and locking output files.

bounded.py: read files up to a size limit
strict_json.py: read JSON without repeated keys and NaN
arrays.py: read `.npz` files of numbers, and check them
locks.py: let one process at a time write an output

The package imports only `_errors`.
"""
