"""Compare our speed with that of other packages: `make bench` writes BENCHMARKS.md.

command.py: run our benchmarks here, and the peers (other packages) in another environment
peers.py: random play in other packages; this file imports none of our packages
peer_runs.py: run `peers.py` in another environment, in one process for each peer
sb3_share.py: the share of SB3's time that the environment takes
picture.py: the picture
report.py: the page
"""
