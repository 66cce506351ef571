"""Tools that make this repository's own pages, figures and releases; a checkout has them.

`python -m lab --help` lists the commands, `python -m lab COMMAND --help` describes one. Make
targets call them. It may import all three packages, their private modules too. None of them
imports it.

__main__.py: the commands
paths.py: where this checkout is
address.py: the address of the repository, in all files
prose.py: the linter of our English
samples.py: random texts, for a reader who judges them
bench/: our speed next to that of other packages, for BENCHMARKS.md
calibration.py: how much of the true gain best responses find, for `mascarade best-response`
result_files.py: the files in train/results
experiments/: the measurements behind RESULTS.md
results_page/: RESULTS.md and its pictures, from these files
release.py: put a trained network into the package
pages/: reference pages that are printed from code
site/: the documentation site, and the pages that belong to no package
"""
