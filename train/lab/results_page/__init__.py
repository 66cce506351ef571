"""The page RESULTS.md and its pictures, made by `make results` from the files in train/results.

`page` puts it together; `exact` and `full` make the parts about solved games and about games of
full size; `targets` judges the goals; `words` has the text between tables.
"""
