"""What a player knows as numbers: observations, information states, and the full state for critics.

Imports `knowledge` and the data of `game`. `_full_state.py` alone is given the row of a game; what
makes observations cannot import it, and a contract in pyproject.toml tests this. Each file may
import those above it:

_blocks.py: what an observation is made of, declared once
_picture.py: write what public facts say of each slot
_describe.py: an observation in words
_schema.py: `Schema`: where the blocks are in the vectors of a scenario, and the way back
_encoder.py: `encode`: what a follower knows of one player, as a vector
_full_state.py: the truth and everybody's beliefs, for critics and debugging
_information_states.py: all events that a player saw, as text and as numbers
_reference.py: text that OBSERVATION.md and the cards of exported networks share
"""
