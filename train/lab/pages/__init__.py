"""Pages that are generated from code: each module has one page, and the command that writes it.

Tests compare the pages of observation, actions, events, versions and measures with the code. The
figures of ladder and equilibria are measured, which takes minutes.

observation.py: OBSERVATION.md, from the declared blocks
actions.py: ACTIONS.md, from the functions that number actions
events.py: EVENTS.md, from the kinds of events
versions.py: VERSIONS.md, with fingerprints of what trained agents rest on
measures.py: MEASURES.md, from the declared measures
ladder.py: LADDER.md, from games of the ladder
equilibria_words.py: the text of EQUILIBRIA.md between its tables
equilibria.py: EQUILIBRIA.md, from the solved exact suite
"""
