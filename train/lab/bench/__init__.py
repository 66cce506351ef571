"""Our speed beside that of other packages: BENCHMARKS.md and its picture, by `make bench`.

`command` measures our lines in this process (`mascarade_env._benchmarks`), and each peer by
`peer_runs`, which runs `peers.py` in another environment: that file imports nothing of ours.
"""
