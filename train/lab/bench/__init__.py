"""Our speed beside that of other packages: BENCHMARKS.md and its picture, by `make bench`.

command.py: measure our lines here, and peers in their environment
peers.py: random play in other packages; imports nothing of ours
peer_runs.py: run `peers.py` in another environment, a process for each peer
sb3_share.py: how much of SB3's time goes into the environment
picture.py: the picture
report.py: the page
"""
