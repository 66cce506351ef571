"""A training run around the loop of `_ppo`: processes, checkpoints, logs, the report.

`_ppo` imports what it needs while it learns; `start.py` and `report.py` stand above `_ppo`. Each
file may import those above it:

folders.py: folders of runs, and how to call the command
provenance.py: versions of packages and the commit, for files
processes.py: several processes that learn one network
display.py: the bar, or lines, while it runs
play_measures.py: how the learner plays, counted from its decisions
checkpoints.py: a checkpoint as a file that runs no code
resume.py: what a run saves, and how it resumes; all of it checked
examination.py: `examine`: win shares and NashConv of a policy
example_game.py: one game of a policy, in words
logs.py: lines of JSON, and TensorBoard's curves
summary_text.py: how a policy plays and what it wins, for its card and the report
report.py: measure what was learned, write it down, show it
start.py: `mascarade train` once its settings are known
"""
