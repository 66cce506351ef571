"""Everything of a training run around the loop in `_ppo`: processes, checkpoints, logs, the report.

`_ppo` imports the files that it needs while learning; `start.py` and `report.py` import `_ppo`.
Each file may import those above it:

folders.py: folders of runs, and how to call the command
provenance.py: versions of packages and the commit, for files
processes.py: several processes that train one network
display.py: the progress bar or progress lines
play_measures.py: measures of play, counted from the learner's decisions
checkpoints.py: read and write checkpoint files; reading one runs no code
resume.py: save a run, and resume it with all values checked
examination.py: `examine`: win shares and NashConv of a policy
example_game.py: one game of a policy, in words
logs.py: lines of JSON, and TensorBoard's curves
summary_text.py: scores and measures of play, for the card and the report
report.py: measure the trained policy, write the results, print them
start.py: run `mascarade train` with settings that are already read
"""
