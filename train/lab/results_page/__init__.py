"""RESULTS.md and its pictures, which `make results` makes from the files in train/results.

records.py: the measurements in the files, and tables made from them
words.py: the text between tables
pictures.py: the pictures
exact.py: the part on solved games
full.py: the part on games of full size
targets.py: the goals, and whether each is reached
page.py: the whole page
"""
