"""A table as the result of a cell of a notebook."""

from dataclasses import dataclass

from mascarade_env.game._game import Game
from mascarade_env.render._scene import Perspective
from mascarade_env.render._svg import svg


@dataclass(frozen=True, slots=True)
class Picture:
    """A table that notebooks display.

    Attributes:
        svg: a standalone SVG, to be saved if you like.
    """

    svg: str

    def _repr_html_(self) -> str:
        return self.svg


def picture(game: Game, perspective: Perspective = "onlooker") -> Picture:
    """Draw the table for a notebook, light or dark as the reader prefers.

    Args:
        game: at any moment.
        perspective: a player, "onlooker" for what all players see, or "all" for the whole truth.
    """
    return Picture(svg(game, perspective))
