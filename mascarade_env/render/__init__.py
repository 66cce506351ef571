"""Pictures of a game: text, SVG, pixels, and a page to replay it.

Each shows what one perspective knows: a player's number, "onlooker" for what all players see (the
default), or "all" for the whole truth. What that perspective cannot know, no picture shows.

`_scene` says what is to be seen, in words and numbers, and is all that the others read: `_ansi`
prints it; `_drawing` lays it out as shapes (`_shapes`, `_cards`, `_ring`), which `_svg`, `_pixels`
and `_animation` draw; `_replay` fills the page replay.html. Imports the game and knowledge.
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
