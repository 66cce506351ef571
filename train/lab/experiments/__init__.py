"""The measurements for RESULTS.md. The result of each one is a file in train/results.

    python -m lab experiments --list
    python -m lab experiments exact
    python -m lab experiments full/6A --processes 2

A measurement is skipped if its result exists, and its settings and its network have not changed
since. So the same command resumes an interrupted run.

jobs.py: run measurements once and store their results
exact.py: self-play in games that are solved exactly
full.py: released networks in full games
command.py: the command
"""
