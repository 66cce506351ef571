"""Pictures of a game: text, SVG, pixels, a moving picture, and a page that replays the game.

Each picture shows the knowledge of one perspective, and nothing else. A perspective is the number
of a player, "onlooker" for what all players see (the default), or "all" for all hidden masks too.

This package imports the game, knowledge and the schema of observations. `_scene.py` decides what a
picture may show; all files that draw read a `Scene` and never the game. Each file in this list may
import those above it:

_narration.py: `Story`: events as sentences with names
_scene.py: `Scene`: everything that a perspective may see, in words and numbers
_ansi.py: a scene as text
_human.py: text in a terminal, which replaces the previous text
_shapes.py: a picture as a list of shapes, and its colours
_emblems.py: an emblem for each mask as shapes
_cards.py: the card of a slot as shapes
_ring.py: where the cards are around the table
_drawing.py: a scene as shapes
_svg.py: shapes as SVG
_pixels.py: shapes as an array of pixels, by Pillow
_animation.py: a game as one moving SVG
_notebook.py: a table as the output of a notebook cell
_replay.py: a whole game as one HTML page
replay.html: the page, with replay.css and replay.js
_charts.py: charts by matplotlib, for light and dark pages
"""

from mascarade_env.render._animation import animated_svg
from mascarade_env.render._ansi import ansi
from mascarade_env.render._human import show
from mascarade_env.render._notebook import Picture, picture
from mascarade_env.render._pixels import rgb_array
from mascarade_env.render._replay import replay_html
from mascarade_env.render._scene import Perspective, checked_perspective
from mascarade_env.render._svg import svg

__all__ = [
    "Perspective",
    "Picture",
    "animated_svg",
    "ansi",
    "checked_perspective",
    "picture",
    "replay_html",
    "rgb_array",
    "show",
    "svg",
]
