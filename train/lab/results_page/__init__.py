"""The page RESULTS.md and its pictures: `python -m lab.results_page`."""
