"""An emblem for each mask: a simple figure on a coloured tile, next to the name of the mask.

Emblems help readers to find a mask again. All figures differ, so readers can tell masks apart
without colours.
"""

from mascarade_env.render._shapes import Box, Oval, Polygon, Shape

#: The side of the square that `parts_of` draws in.
GRID = 240

_Points = tuple[tuple[float, float], ...]


def parts_of(mask: str) -> tuple[Shape, ...]:
    """Return the shapes of an emblem in a square of `GRID` by `GRID`; the first one is the tile.

    Args:
        mask: the name of a mask, such as "Puppet Master".
    """
    return _EMBLEMS[mask]


def _tile(colour: str) -> Box:
    return Box(0, 0, GRID, GRID, 60, f"tile {colour}")


def _polygon(colour: str, points: _Points) -> Polygon:
    return Polygon(points, colour)


def _dot(colour: str, x: float, y: float, radius: float) -> Oval:
    return Oval(x, y, radius, radius, colour)


def _coloured(colour: str, *parts: Shape) -> tuple[Shape, ...]:
    return (_tile(colour), *parts)


_LIGHT, _DARK = "tile light", "tile dark"
_CROWN: _Points = ((40, 80), (85, 120), (120, 50), (155, 120), (200, 80), (185, 180), (55, 180))
_STAR: _Points = (
    (120, 35), (142, 93), (203, 95), (155, 133), (172, 192),
    (120, 158), (68, 192), (85, 133), (37, 95), (98, 93),
)  # fmt: skip
_EYE: _Points = (
    (25, 120), (70, 76), (120, 60), (170, 76), (215, 120), (170, 164), (120, 180), (70, 164),
)  # fmt: skip

_EMBLEMS: dict[str, tuple[Shape, ...]] = {
    # A pair of scales.
    "Judge": _coloured(
        "blue",
        Box(110, 50, 20, 130, 0, _LIGHT),
        Box(45, 60, 150, 20, 10, _LIGHT),
        Box(80, 175, 80, 20, 10, _LIGHT),
        _polygon(_LIGHT, ((30, 140), (90, 140), (60, 80))),
        _polygon(_LIGHT, ((150, 140), (210, 140), (180, 80))),
    ),
    # A star.
    "Empress": _coloured("purple", _polygon(_LIGHT, _STAR)),
    # A crown.
    "King": _coloured("orange", _polygon(_DARK, _CROWN)),
    # A drop.
    "Widow": _coloured(
        "grey",
        _polygon(_LIGHT, ((120, 35), (168, 125), (72, 125))),
        _dot(_LIGHT, 120, 146, 52),
    ),
    # A pile of coins.
    "Patron": _coloured(
        "green",
        *(Oval(120, y, 70, 29, _LIGHT, edge="tile green", thick=12) for y in (170, 125, 80)),
    ),
    # A ring with a stone.
    "Princess": _coloured(
        "pink",
        _dot(_DARK, 120, 150, 58),
        _dot("tile pink", 120, 150, 34),
        _polygon(_DARK, ((80, 60), (100, 35), (140, 35), (160, 60), (120, 105))),
    ),
    # Two diamonds.
    "Fool": _coloured(
        "yellow",
        _polygon(_DARK, ((78, 40), (116, 120), (78, 200), (40, 120))),
        _polygon(_DARK, ((162, 40), (200, 120), (162, 200), (124, 120))),
    ),
    # A plant with two leaves.
    "Peasant": _coloured(
        "green",
        Box(110, 90, 20, 110, 0, _LIGHT),
        _polygon(_LIGHT, ((120, 150), (45, 130), (40, 65), (100, 80))),
        _polygon(_LIGHT, ((120, 120), (140, 50), (200, 35), (195, 100))),
    ),
    # A mask over the eyes.
    "Thief": _coloured(
        "red",
        Box(30, 80, 180, 85, 42, _LIGHT),
        Oval(80, 120, 21, 17, "tile red"),
        Oval(160, 120, 21, 17, "tile red"),
    ),
    # A bowl with a coin above it.
    "Beggar": _coloured(
        "sky",
        _polygon(_DARK, ((35, 125), (205, 125), (165, 195), (75, 195))),
        _dot(_DARK, 120, 75, 28),
    ),
    # Two arrows that point apart.
    "Trickster": _coloured(
        "pink",
        Box(80, 65, 120, 30, 0, _DARK),
        _polygon(_DARK, ((35, 80), (90, 35), (90, 125))),
        Box(40, 145, 120, 30, 0, _DARK),
        _polygon(_DARK, ((205, 160), (150, 115), (150, 205))),
    ),
    # A die.
    "Cheat": _coloured(
        "red",
        Box(45, 45, 150, 150, 30, _LIGHT),
        _dot("tile red", 120, 120, 17),
        *(_dot("tile red", x, y, 17) for x in (85, 155) for y in (85, 155)),
    ),
    # A pointed hat.
    "Witch": _coloured(
        "purple",
        _polygon(_LIGHT, ((135, 30), (170, 160), (70, 160))),
        Oval(120, 172, 90, 23, _LIGHT),
    ),
    # An eye.
    "Spy": _coloured(
        "blue",
        _polygon(_LIGHT, _EYE),
        _dot("tile blue", 120, 120, 36),
        _dot(_LIGHT, 120, 120, 14),
    ),
    # Rings around a point.
    "Guru": _coloured(
        "yellow",
        _dot(_DARK, 120, 120, 85),
        _dot("tile yellow", 120, 120, 64),
        _dot(_DARK, 120, 120, 43),
        _dot("tile yellow", 120, 120, 21),
    ),
    # A cross with strings.
    "Puppet Master": _coloured(
        "orange",
        Box(35, 50, 170, 26, 10, _DARK),
        Box(107, 28, 26, 70, 10, _DARK),
        *(Box(x, 70, 12, 100, 0, _DARK) for x in (50, 178)),
        *(_dot(_DARK, x, 180, 22) for x in (56, 184)),
        Box(114, 90, 12, 60, 0, _DARK),
        _dot(_DARK, 120, 160, 22),
    ),
}  # fmt: skip
