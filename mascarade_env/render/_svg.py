"""A table as a picture in SVG, for notebooks, pages and papers."""

from functools import cache
from typing import Literal, TypeAlias, assert_never, get_args
from xml.sax.saxutils import escape

from mascarade_env._errors import MascaradeError
from mascarade_env.game._game import Game
from mascarade_env.render._drawing import drawing
from mascarade_env.render._emblems import GRID, parts_of
from mascarade_env.render._scene import Perspective, scene
from mascarade_env.render._shapes import COLOURS, Box, Drawing, Emblem, Label, Oval, Polygon, Shape

Theme: TypeAlias = Literal["auto", "light", "dark"]

_FONTS = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"


def svg(game: Game, perspective: Perspective = "onlooker", *, theme: Theme = "auto") -> str:
    """Draw the table as a standalone SVG.

    Args:
        game: the game; it may be over.
        perspective: a player, "onlooker" for what all players see, or "all" for all hidden masks.
        theme: "light", "dark", or "auto" for the reader's setting.
    """
    picture = drawing(scene(game, perspective))
    return "\n".join(
        [*opening(picture, theme, picture.description), *map(element, picture.shapes), "</svg>"]
    )


def opening(picture: Drawing, theme: Theme, description: str, *, also: str = "") -> list[str]:
    """Return the first lines of a picture: its size, title, description and style sheet.

    Args:
        picture: the drawing, which has the size and the title.
        theme: "light", "dark", or "auto" for the reader's setting.
        description: text for readers who cannot see the picture.
        also: the name of one more class of the whole picture.

    Raises:
        MascaradeError: `theme` does not exist.
    """
    if theme not in get_args(Theme):
        raise MascaradeError(f"theme must be one of {', '.join(get_args(Theme))}, not {theme!r}")
    name = style_class(theme)
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{f"{name} {also}".strip()}" role="img" '
        f'viewBox="0 0 {picture.width} {picture.height}" '
        f'width="{picture.width}" height="{picture.height}">',
        f"<title>{escape(picture.title)}</title>",
        f"<desc>{escape(description)}</desc>",
        f"<style>{_style(name, theme)}</style>",
    ]


def style_class(theme: Theme) -> str:
    """Return the class of all elements that have the colours of a theme.

    The style sheet of an SVG inside a page applies to the whole page. So all rules of the style
    sheet begin with this class, and each theme has a different class.
    """
    return f"mascarade-{theme}"


@cache
def _style(name: str, theme: Theme) -> str:
    rules = [
        f".{name}{{max-width:100%;height:auto;font-family:{_FONTS}}}",
        f".{name} .bold{{font-weight:600}}",
        f".{name} .middle{{text-anchor:middle}}",
        f".{name} .end{{text-anchor:end}}",
        _colours(name, 1 if theme == "dark" else 0),
    ]
    if theme == "auto":
        rules.append(f"@media (prefers-color-scheme:dark){{{_colours(name, 1)}}}")
    return "".join(rules)


def _colours(name: str, number: int) -> str:
    return "".join(
        f".{name} .f-{_word(role)}{{fill:{colours[number]}}}"
        f".{name} .s-{_word(role)}{{stroke:{colours[number]}}}"
        for role, colours in COLOURS.items()
    )


def _word(role: str) -> str:
    return role.replace(" ", "-")


def element(shape: Shape) -> str:
    """Return a shape as an SVG element. The style sheet of the picture gives it its colours."""
    match shape:
        case Box():
            return (
                f'<rect x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" '
                f'height="{_n(shape.height)}" rx="{_n(shape.radius)}" '
                f"{_paint(shape.fill, shape.edge, shape.thick)}/>"
            )
        case Oval():
            return (
                f'<ellipse cx="{_n(shape.x)}" cy="{_n(shape.y)}" rx="{_n(shape.across)}" '
                f'ry="{_n(shape.down)}" {_paint(shape.fill, shape.edge, shape.thick)}/>'
            )
        case Polygon():
            points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
            return f'<polygon points="{points}" {_paint(shape.fill, "", 0)}/>'
        case Emblem():
            scale = f"{shape.size / GRID:.4f}"
            return (
                f'<g transform="translate({_n(shape.x)} {_n(shape.y)}) scale({scale})">'
                f"{emblem(shape.mask)}</g>"
            )
        case Label():
            kind = f"f-{_word(shape.colour)}{' bold' if shape.bold else ''}"
            if shape.anchor != "start":
                kind += f" {shape.anchor}"
            return (
                f'<text x="{_n(shape.x)}" y="{_n(shape.y)}" font-size="{_n(shape.size)}" '
                f'class="{kind}">{escape(shape.text)}</text>'
            )
    assert_never(shape)


@cache
def emblem(mask: str) -> str:
    """Return the emblem of a mask as SVG elements, in a square of `GRID` by `GRID`."""
    return "".join(map(element, parts_of(mask)))


def _paint(fill: str, edge: str, thick: float) -> str:
    if not edge:
        return f'class="f-{_word(fill)}"'
    return f'class="f-{_word(fill)} s-{_word(edge)}" stroke-width="{_n(thick)}"'


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
