"""A table in a terminal, drawn again in place."""

import sys
from typing import TextIO

from mascarade_env._colours import colours_wanted
from mascarade_env.game._game import Game
from mascarade_env.render._ansi import ansi
from mascarade_env.render._scene import Perspective

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # to the corner, clear the screen and what was scrolled away


def show(game: Game, perspective: Perspective = "onlooker", stream: TextIO | None = None) -> None:
    """Print the table, in place of what was there if the stream is a terminal.

    Args:
        game: at any moment.
        perspective: a player, "onlooker" for what all players see, or "all" for the whole truth.
        stream: standard output by default.
    """
    out = sys.stdout if stream is None else stream
    terminal = out.isatty()
    text = ansi(game, perspective, colour=terminal and colours_wanted())
    if encoding := getattr(out, "encoding", None):
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    out.write(f"{_CLEAR if terminal else ''}{text}\n")
    out.flush()
