"""The page RESULTS.md and its pictures, made by `make results` from the files in train/results.

records.py: the files as tables
words.py: the text between tables
pictures.py: the pictures
exact.py: the part on solved games
full.py: the part on games of full size
targets.py: the goals, and which are reached
page.py: the page, put together
"""
