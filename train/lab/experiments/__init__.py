"""The measurements behind RESULTS.md, each of which is a file in train/results.

    python -m lab.experiments --list
    python -m lab.experiments exact
    python -m lab.experiments full/6A --processes 2

What is there already is left out, unless it was made of other settings or of another network of
that name; so a run that was broken off goes on with the same command.
"""
