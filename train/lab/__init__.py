"""Tools that make this repository's own pages, figures and releases. They are not packaged.

`python -m lab --help` lists the commands, `python -m lab COMMAND --help` describes one. Make
targets call them. This package may import all three packages and their private modules. None of
them imports it.

__main__.py: the commands
paths.py: the path of this checkout
address.py: the address of the repository, in all files
prose.py: the linter of our English
samples.py: random texts, for a reader who judges them
bench/: the speed of this package and of others, for BENCHMARKS.md
calibration.py: the share of the true gain that best responses find, for `mascarade best-response`
result_files.py: the files in train/results
experiments/: the measurements for RESULTS.md
results_page/: RESULTS.md and its pictures, from these files
lessons.py: run the notebooks and store what they show
release.py: put a trained network into the package
pages/: reference pages generated from code
site/: the documentation site, and the pages that belong to no package
"""
