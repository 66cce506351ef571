"""An emblem for each mask: a simple figure on a coloured tile, next to the name of the mask.

Emblems help readers to find a mask again. All figures differ, so colour is never needed to tell
masks apart.
"""

from mascarade_env.render._shapes import Box, Oval, Polygon, Shape

#: The side of the square that `parts_of` draws in.
GRID = 24

_Points = tuple[tuple[float, float], ...]


def parts_of(mask: str) -> tuple[Shape, ...]:
    """Return the shapes of an emblem in a square of `GRID` by `GRID`, the tile first.

    Args:
        mask: the name of a mask, as "Puppet Master".
    """
    return _EMBLEMS[mask]


def _tile(colour: str) -> Box:
    return Box(0, 0, GRID, GRID, 6, f"tile {colour}")


def _polygon(colour: str, points: _Points) -> Polygon:
    return Polygon(points, colour)


def _dot(colour: str, x: float, y: float, radius: float) -> Oval:
    return Oval(x, y, radius, radius, colour)


def _coloured(colour: str, *parts: Shape) -> tuple[Shape, ...]:
    return (_tile(colour), *parts)


_LIGHT, _DARK = "tile light", "tile dark"
_CROWN: _Points = ((4, 8), (8.5, 12), (12, 5), (15.5, 12), (20, 8), (18.5, 18), (5.5, 18))
_STAR: _Points = (
    (12, 3.5), (14.2, 9.3), (20.3, 9.5), (15.5, 13.3), (17.2, 19.2),
    (12, 15.8), (6.8, 19.2), (8.5, 13.3), (3.7, 9.5), (9.8, 9.3),
)  # fmt: skip
_EYE: _Points = (
    (2.5, 12), (7, 7.6), (12, 6), (17, 7.6), (21.5, 12), (17, 16.4), (12, 18), (7, 16.4),
)  # fmt: skip

_EMBLEMS: dict[str, tuple[Shape, ...]] = {
    # A pair of scales.
    "Judge": _coloured(
        "blue",
        Box(11, 5, 2, 13, 0, _LIGHT),
        Box(4.5, 6, 15, 2, 1, _LIGHT),
        Box(8, 17.5, 8, 2, 1, _LIGHT),
        _polygon(_LIGHT, ((3, 14), (9, 14), (6, 8))),
        _polygon(_LIGHT, ((15, 14), (21, 14), (18, 8))),
    ),
    # A star.
    "Empress": _coloured("purple", _polygon(_LIGHT, _STAR)),
    # A crown.
    "King": _coloured("orange", _polygon(_DARK, _CROWN)),
    # A drop.
    "Widow": _coloured(
        "grey",
        _polygon(_LIGHT, ((12, 3.5), (16.8, 12.5), (7.2, 12.5))),
        _dot(_LIGHT, 12, 14.6, 5.2),
    ),
    # A pile of coins.
    "Patron": _coloured(
        "green",
        *(Oval(12, y, 7, 2.9, _LIGHT, edge="tile green", thick=1.2) for y in (17, 12.5, 8)),
    ),
    # A ring with a stone.
    "Princess": _coloured(
        "pink",
        _dot(_DARK, 12, 15, 5.8),
        _dot("tile pink", 12, 15, 3.4),
        _polygon(_DARK, ((8, 6), (10, 3.5), (14, 3.5), (16, 6), (12, 10.5))),
    ),
    # Two diamonds.
    "Fool": _coloured(
        "yellow",
        _polygon(_DARK, ((7.8, 4), (11.6, 12), (7.8, 20), (4, 12))),
        _polygon(_DARK, ((16.2, 4), (20, 12), (16.2, 20), (12.4, 12))),
    ),
    # A plant with two leaves.
    "Peasant": _coloured(
        "green",
        Box(11, 9, 2, 11, 0, _LIGHT),
        _polygon(_LIGHT, ((12, 15), (4.5, 13), (4, 6.5), (10, 8))),
        _polygon(_LIGHT, ((12, 12), (14, 5), (20, 3.5), (19.5, 10))),
    ),
    # A mask over the eyes.
    "Thief": _coloured(
        "red",
        Box(3, 8, 18, 8.5, 4.2, _LIGHT),
        Oval(8, 12, 2.1, 1.7, "tile red"),
        Oval(16, 12, 2.1, 1.7, "tile red"),
    ),
    # A bowl with a coin above it.
    "Beggar": _coloured(
        "sky",
        _polygon(_DARK, ((3.5, 12.5), (20.5, 12.5), (16.5, 19.5), (7.5, 19.5))),
        _dot(_DARK, 12, 7.5, 2.8),
    ),
    # Two arrows that point apart.
    "Trickster": _coloured(
        "pink",
        Box(8, 6.5, 12, 3, 0, _DARK),
        _polygon(_DARK, ((3.5, 8), (9, 3.5), (9, 12.5))),
        Box(4, 14.5, 12, 3, 0, _DARK),
        _polygon(_DARK, ((20.5, 16), (15, 11.5), (15, 20.5))),
    ),
    # A die.
    "Cheat": _coloured(
        "red",
        Box(4.5, 4.5, 15, 15, 3, _LIGHT),
        _dot("tile red", 12, 12, 1.7),
        *(_dot("tile red", x, y, 1.7) for x in (8.5, 15.5) for y in (8.5, 15.5)),
    ),
    # A pointed hat.
    "Witch": _coloured(
        "purple",
        _polygon(_LIGHT, ((13.5, 3), (17, 16), (7, 16))),
        Oval(12, 17.2, 9, 2.3, _LIGHT),
    ),
    # An eye.
    "Spy": _coloured(
        "blue",
        _polygon(_LIGHT, _EYE),
        _dot("tile blue", 12, 12, 3.6),
        _dot(_LIGHT, 12, 12, 1.4),
    ),
    # Rings around a point.
    "Guru": _coloured(
        "yellow",
        _dot(_DARK, 12, 12, 8.5),
        _dot("tile yellow", 12, 12, 6.4),
        _dot(_DARK, 12, 12, 4.3),
        _dot("tile yellow", 12, 12, 2.1),
    ),
    # A cross with strings.
    "Puppet Master": _coloured(
        "orange",
        Box(3.5, 5, 17, 2.6, 1, _DARK),
        Box(10.7, 2.8, 2.6, 7, 1, _DARK),
        *(Box(x, 7, 1.2, 10, 0, _DARK) for x in (5, 17.8)),
        *(_dot(_DARK, x, 18, 2.2) for x in (5.6, 18.4)),
        Box(11.4, 9, 1.2, 6, 0, _DARK),
        _dot(_DARK, 12, 16, 2.2),
    ),
}  # fmt: skip
