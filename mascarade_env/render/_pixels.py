"""A table as an array of pixels, for videos and `render_mode="rgb_array"`."""

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, assert_never

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.game._game import Game
from mascarade_env.render._drawing import drawing
from mascarade_env.render._emblems import GRID, parts_of
from mascarade_env.render._scene import Perspective, scene
from mascarade_env.render._shapes import COLOURS, Box, Emblem, Label, Oval, Polygon, Shape

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

_FINER = 3  # pixels that are drawn for each pixel of the result, in each direction
_NARROWEST, _WIDEST = 64, 4096
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def rgb_array(
    game: Game, perspective: Perspective = "onlooker", *, width: int = 960
) -> NDArray[np.uint8]:
    """Draw the table as an array of pixels in red, green and blue, [height, width, 3].

    Args:
        game: the game; it may be over.
        perspective: a player, "onlooker" for what all players see, or "all" for all hidden masks.
        width: the width in pixels, 64 to 4096; it determines the height.

    Raises:
        MascaradeError: Pillow is not installed, or an argument is not valid.
    """
    if whole(width, "width", at_least=_NARROWEST) > _WIDEST:
        raise MascaradeError(f"width must be {_NARROWEST}..{_WIDEST} pixels, not {width}")
    try:
        from PIL import Image, ImageDraw  # noqa: PLC0415  only pixels need Pillow
    except ImportError:
        raise MascaradeError(
            "drawing pixels needs Pillow, which is not installed: "
            "pip install 'mascarade-env[render]'"
        ) from None
    picture = drawing(scene(game, perspective))
    size = (width, round(width * picture.height / picture.width))
    canvas = Image.new("RGB", (size[0] * _FINER, size[1] * _FINER), "#ffffff")
    pen = _Pen(ImageDraw.Draw(canvas), canvas.width / picture.width)
    for shape in picture.shapes:
        pen.draw(shape)
    return np.array(canvas.resize(size, Image.Resampling.BOX))


class _Pen:
    """Draws shapes on an image, at a scale in pixels per unit, from an origin in pixels."""

    def __init__(
        self, on: "ImageDraw", scale: float, origin: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        self._on = on
        self._scale = scale
        self._origin = origin

    def _at(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of a shape in pixels."""
        return self._origin[0] + self._scale * x, self._origin[1] + self._scale * y

    def draw(self, shape: Shape) -> None:
        """Draw one shape. Half of the width of its edge is outside of the shape, as in SVG."""
        k = self._scale
        match shape:
            case Box(x, y, width, height, radius, fill, edge, thick):
                half = thick / 2 if edge else 0.0
                corners = (x - half, y - half), (x + width + half, y + height + half)
                self._on.rounded_rectangle(
                    [self._at(*corner) for corner in corners],
                    radius=k * (min(radius, width / 2, height / 2) + half),
                    fill=_colour(fill),
                    outline=_colour(edge) if edge else None,
                    width=round(k * thick),
                )
            case Oval(x, y, across, down, fill, edge, thick):
                half = thick / 2 if edge else 0.0
                across, down = across + half, down + half
                self._on.ellipse(
                    [self._at(x - across, y - down), self._at(x + across, y + down)],
                    fill=_colour(fill),
                    outline=_colour(edge) if edge else None,
                    width=round(k * thick),
                )
            case Polygon(points, fill):
                self._on.polygon([self._at(*point) for point in points], fill=_colour(fill))
            case Emblem(x, y, size, mask):
                pen = _Pen(self._on, k * size / GRID, self._at(x, y))
                for part in parts_of(mask):
                    pen.draw(part)
            case Label():
                self._write(shape)
            case _:
                assert_never(shape)

    def _write(self, label: Label) -> None:
        self._on.text(
            self._at(label.x, label.y),
            _drawable(label.text),
            fill=_colour(label.colour),
            font=_font(self._scale * label.size),
            anchor=_ANCHORS[label.anchor],
            # The font that comes with Pillow has no bold letters.
            stroke_width=round(self._scale * label.size / 50) if label.bold else 0,
        )


@cache
def _font(size: float) -> "FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415  only pixels need Pillow

    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise MascaradeError(
            "Pillow was built without FreeType, so it cannot draw text: install Pillow from a wheel"
        )
    return font


def _drawable(text: str) -> str:
    """Return a text in which all letters that Pillow's font lacks are replaced."""
    plain = text.replace("…", "...").replace("“", '"').replace("”", '"')
    plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return "".join(c if " " <= c <= "~" else "?" for c in plain)


def _colour(role: str) -> str:
    return COLOURS[role][0]
