"""A table as the output of a notebook cell."""

from dataclasses import dataclass

from mascarade_env.game._game import Game
from mascarade_env.render._scene import Perspective
from mascarade_env.render._svg import svg


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a table that notebooks display.

    Attributes:
        svg: a standalone SVG, which can be saved as a file.
    """

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def picture(game: Game, perspective: Perspective = "onlooker") -> Picture:
    """Draw the table for a notebook, in the light or dark theme of the reader.

    Args:
        game: the game; it may be over.
        perspective: a player, "onlooker" for what all players see, or "all" for all hidden masks.
    """
    return Picture(svg(game, perspective))
