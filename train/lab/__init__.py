"""What makes this repository's own pages, figures and releases: not packaged, run from a checkout.

`python -m lab --help` lists the commands, `python -m lab COMMAND --help` describes one. Make
targets call them. Here are

- `bench`: our speed beside that of other packages, for BENCHMARKS.md;
- `calibration`: how much of the true gain best responses find, for `mascarade best-response`;
- `experiments`: the measurements behind RESULTS.md, kept in train/results by `result_files`;
- `results_page`: RESULTS.md and its pictures, from these files;
- `release`: puts a trained network into the package;
- `pages`: reference pages that are printed from code.

It may import all three packages, their private modules too. None of them imports it.
"""
