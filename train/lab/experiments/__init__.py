"""The measurements behind RESULTS.md, each of which is a file in train/results.

    python -m lab experiments --list
    python -m lab experiments exact
    python -m lab experiments full/6A --processes 2

A measurement that is there already is skipped, unless it was made with other settings or with
another network of that name. So the same command resumes a run that was interrupted.

jobs.py: measurements that are made once, and kept
exact.py: self-play in games that are solved
full.py: released networks in games of full size
command.py: the command
"""
