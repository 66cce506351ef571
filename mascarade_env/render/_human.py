"""A table as text in a terminal, where each new text replaces the previous one."""

import sys
from typing import TextIO

from mascarade_env._colours import colours_wanted
from mascarade_env.game._game import Game
from mascarade_env.render._ansi import ansi
from mascarade_env.render._scene import Perspective

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # go to the corner, clear the screen and the lines above it


def show(game: Game, perspective: Perspective = "onlooker", stream: TextIO | None = None) -> None:
    """Print the table. A terminal is cleared first.

    Args:
        game: the game; it may be over.
        perspective: a player, "onlooker" for what all players see, or "all" for all hidden masks.
        stream: the stream to print to; by default standard output.
    """
    out = sys.stdout if stream is None else stream
    terminal = out.isatty()
    text = ansi(game, perspective, colour=terminal and colours_wanted())
    if encoding := getattr(out, "encoding", None):
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    out.write(f"{_CLEAR if terminal else ''}{text}\n")
    out.flush()
