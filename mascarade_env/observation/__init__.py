"""Observations (vectors of what a player may know), information states and full states.

OBSERVATION.md explains every number. The package imports `knowledge` and the data of `game`. Only
`_full_state.py` reads the row of a game. The files that make observations cannot import that file;
a contract in pyproject.toml tests this. Each file may import the files above it:

_blocks.py: the parts of an observation: names, shapes, ranges and meanings
_picture.py: the part with the public facts about each slot
_describe.py: an observation in words
_schema.py: `Schema`: where each part is in a vector, and the parts as NumPy views
_encoder.py: `encode`: write the observation of one player
_full_state.py: the full state and all beliefs, for critics and debugging
_information_states.py: all events that a player saw, as text and as numbers
_reference.py: text that OBSERVATION.md and the cards of exported networks share
"""
