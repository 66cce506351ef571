"""Tools that make this repository's own pages, figures and releases. They are not packaged.

`python -m lab --help` lists the commands, and `python -m lab COMMAND --help` describes one. Targets
of the Makefile call them. This package may import mascarade_env, mascarade_agents and
mascarade_train with their private modules. None of these imports this package.

__main__.py: the commands
paths.py: the path of this checkout
address.py: set the address of the repository in all files
prose.py: the linter of our English
samples.py: print random texts, for a reader who judges them
bench/: compare the speed of this package and others, for BENCHMARKS.md
calibration.py: measure the share of the true gain that `mascarade best-response` finds
result_files.py: the files in train/results
experiments/: the measurements for RESULTS.md
results_page/: write RESULTS.md and its pictures from these files
lessons.py: run the notebooks and store what they show
release.py: put a trained network into the package
pages/: reference pages generated from code
site/: the documentation site, and the pages that belong to no package
"""
