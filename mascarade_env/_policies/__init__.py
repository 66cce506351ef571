"""Policies: everything that acts.

- `protocol`: what every policy is, and the positions that it is asked about.
- `functions`: plain functions of arrays as policies; the one place where they are converted.
- `histories`: the decisions of the games of a batch, and the views that are made of them.
- `translation`: policies at tables whose observations and action ids are laid out otherwise.
- `names`: policies by name, such as "stopper", from the entry points `mascarade.agents`.
- `from_file`: those of a Python file, such as "mine.py:MyAgent".

It imports `mascarade_env.game`, `knowledge` and `observation`. Environments, the arena and training
import it.
"""
