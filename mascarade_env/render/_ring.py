"""The places of the cards around the table."""

import math
from dataclasses import dataclass
from functools import cache

from mascarade_env.render._cards import CARD_HEIGHT, CARD_WIDTH

WIDTH, HEIGHT = 960, 740
HEAD = 52  # room for the headline
MARGIN = 14

_SCALES = tuple(scale / 100 for scale in range(145, 0, -3))
_APART = 1.035  # the smallest distance between the centres of neighbours, in cards
_MIDDLE = (430.0, 290.0)  # the smallest width and height of the free middle
_SQUARE = 3.0  # the exponent of the outline: 2 is an ellipse, larger ones reach into the corners
_FINE = 720  # points of the outline


@dataclass(frozen=True, slots=True)
class Ring:
    """The places of all seats.

    Attributes:
        scale: the size of the cards; 1 is the size in `_cards.py`.
        spots: the middle of each seat's card; seat 0 is at the bottom, the others follow clockwise.
        across: half the width of the outline on which the cards are.
        down: half the height of this outline.
        free_across: half the width of the free rectangle in the middle.
        free_down: half the height of this rectangle.
    """

    scale: float
    spots: tuple[tuple[float, float], ...]
    across: float
    down: float
    free_across: float
    free_down: float

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the table."""
        return WIDTH / 2, (HEAD + HEIGHT - MARGIN) / 2


@cache
def ring(players: int) -> Ring:
    """Return the places of the largest cards that do not overlap and leave the middle free."""
    for scale in _SCALES:
        positions = _ring(players, scale)
        if positions is not None:
            return positions
    raise AssertionError("small cards always fit")


def _ring(players: int, scale: float) -> Ring | None:
    width, height = CARD_WIDTH * scale, CARD_HEIGHT * scale
    across = (WIDTH - 2 * MARGIN - width) / 2
    down = (HEIGHT - HEAD - MARGIN - height) / 2
    outline = [(across * x, down * y) for x, y in _outline()]
    offsets = _spread(outline, players, width, height)
    if offsets is None:
        return None
    free = _free(offsets, width, height, down)
    if free[0] < _MIDDLE[0] / 2 or free[1] < _MIDDLE[1] / 2:
        return None
    bare = Ring(scale, (), across, down, *free)
    x, y = bare.centre
    spots = tuple((x + dx, y + dy) for dx, dy in offsets)
    return Ring(scale, spots, across, down, *free)


def _outline() -> list[tuple[float, float]]:
    """Return points of an outline around (0, 0), clockwise from the bottom.

    Their coordinates are between -1 and 1.
    """
    angles = [2 * math.pi * k / _FINE for k in range(_FINE)]
    return [
        (-_towards_corner(math.sin(angle)), _towards_corner(math.cos(angle))) for angle in angles
    ]


def _towards_corner(part: float) -> float:
    return math.copysign(abs(part) ** (2 / _SQUARE), part)


def _spread(
    outline: list[tuple[float, float]], count: int, width: float, height: float
) -> list[tuple[float, float]] | None:
    """Return points of an outline with equal distances between neighbours, measured in cards.

    Cards do not overlap if the distance is 1 or more. Return None if it is less than `_APART`.
    """
    least, most = 0.0, 20.0
    places: list[int] = []
    for _ in range(20):
        step = (least + most) / 2
        indices = _walk(outline, count, width, height, step)
        if indices is None:
            most = step
        else:
            least, places = step, indices
    points = [outline[k] for k in places]
    mirrored = [points[0], *points[:0:-1]]
    return (
        [
            ((x - other_x) / 2, (y + other_y) / 2)
            for (x, y), (other_x, other_y) in zip(points, mirrored, strict=True)
        ]
        if least >= _APART
        else None
    )


def _walk(
    outline: list[tuple[float, float]], count: int, width: float, height: float, step: float
) -> list[int] | None:
    """Return indices of `count` points at least `step` cards apart; None if they do not fit."""
    places = [0]
    for k in [*range(1, len(outline)), 0]:
        (x, y), (before_x, before_y) = outline[k], outline[places[-1]]
        if max(abs(x - before_x) / width, abs(y - before_y) / height) >= step:
            places.append(k)
            if len(places) == count + 1:
                return places[:count]
    return None


def _free(
    offsets: list[tuple[float, float]], width: float, height: float, down: float
) -> tuple[float, float]:
    """Return half the width and height of the largest free rectangle in the middle."""
    best, roomiest = (0.0, 0.0), 0.0
    gap = 10
    for half in range(60, int(down)):
        beside = [abs(x) - width / 2 - gap for x, y in offsets if abs(y) - height / 2 - gap < half]
        room = min(beside, default=WIDTH / 2 - 4 * MARGIN)
        roomy = min(room / _MIDDLE[0], half / _MIDDLE[1])
        if roomy > roomiest:
            best, roomiest = (room, float(half)), roomy
    return best
