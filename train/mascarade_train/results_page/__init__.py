"""The page RESULTS.md and its pictures: `python -m mascarade_train.results_page`."""
