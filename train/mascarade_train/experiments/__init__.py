"""The measurements behind RESULTS.md, each of which is a file in train/results.

    python -m mascarade_train.experiments --list
    python -m mascarade_train.experiments exact
    python -m mascarade_train.experiments full/6A --processes 2

What is there already is left out, unless it was made of other settings or of another network of
that name; so a run that was broken off goes on with the same command.
"""
