"""The drawing: everything fits, nothing overlaps, all text can be read."""

from dataclasses import replace
from functools import cache
from itertools import combinations
from math import hypot

import pytest
from PIL import ImageFont

from mascarade_env import Game, Scenario
from mascarade_env.render._drawing import drawing
from mascarade_env.render._pixels import _drawable
from mascarade_env.render._ring import HEAD, HEIGHT, WIDTH, ring
from mascarade_env.render._scene import Scene, scene
from mascarade_env.render._shapes import (
    COLOURS,
    Box,
    Drawing,
    Emblem,
    Label,
    Oval,
    Polygon,
    Shape,
    shortened,
    width_of,
)
from tests.mascarade_env.render.moments import SCENARIOS, WIDE, moments
from tests.tiers import sampled

Corners = tuple[float, float, float, float]


def corners(shape: Shape) -> Corners:
    """Return left, top, right, bottom; for a text, in the widest usual font."""
    match shape:
        case Box():
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        case Oval():
            return (
                shape.x - shape.across, shape.y - shape.down,
                shape.x + shape.across, shape.y + shape.down,
            )  # fmt: skip
        case Polygon():
            xs, ys = zip(*shape.points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)
        case Emblem():
            return shape.x, shape.y, shape.x + shape.size, shape.y + shape.size
        case Label():
            width = width_of(shape.text, shape.size, bold=shape.bold)
            left = shape.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor] * width
            return left, shape.y - 0.74 * shape.size, left + width, shape.y + 0.1 * shape.size


def overlap(one: Corners, other: Corners) -> bool:
    slack = 0.01
    return (
        one[0] + slack < other[2]
        and other[0] + slack < one[2]
        and one[1] + slack < other[3]
        and other[1] + slack < one[3]
    )


def holds(outer: Corners, inner: Corners) -> bool:
    return (
        outer[0] <= inner[0] and outer[1] <= inner[1]
        and inner[2] <= outer[2] and inner[3] <= outer[3]
    )  # fmt: skip


@cache
def pixels_wide(text: str, size: float, bold: bool) -> float:
    """Return the width of a text in the font of Pillow."""
    font = ImageFont.load_default(8 * size)
    return font.getlength(_drawable(text)) / 8 + (2 * size / 50 if bold else 0)


@pytest.mark.parametrize("scenario", sampled([*SCENARIOS, *WIDE]), ids=str)
def test_texts_fit_and_nothing_overlaps(scenario: str | Scenario) -> None:
    for game in moments(scenario):
        left = game.scenario.players // 5  # the rim passes by the names of seats there
        for perspective in ("onlooker", left, "all"):
            shown = scene(game, perspective)
            if perspective == "all":  # the longest that the head may have to hold
                won = " and ".join(f"player {n}" for n in range(game.scenario.players)) + " win"
                shown = replace(shown, scenario="a name " * 50, headline=won, exact=False)
            picture = drawing(shown)
            _check_texts(picture)
            _check_rim(picture.shapes)
            _check_boxes(picture, game.scenario.slots)
            _check_contrast(picture.shapes)


def _check_texts(picture: Drawing) -> None:
    """Check that each text fits into its room and the picture, with no shape above it."""
    page = (0.0, 0.0, picture.width, picture.height)
    for number, label in enumerate(picture.shapes):
        if not isinstance(label, Label):
            continue
        assert label.text
        assert width_of(label.text, label.size, bold=label.bold) <= label.room + 0.01
        assert pixels_wide(label.text, label.size, label.bold) <= label.room + 0.5, label
        assert holds(page, corners(label)), label
        for above in picture.shapes[number + 1 :]:
            assert not overlap(corners(label), corners(above)), (label, above)


def _check_boxes(picture: Drawing, slots: int) -> None:
    """Check that each slot has a card, and that no cards and no boxes on them overlap."""
    page = (0.0, 0.0, picture.width, picture.height)
    emblems = [corners(shape) for shape in picture.shapes if isinstance(shape, Emblem)]
    boxes = [shape for shape in picture.shapes if isinstance(shape, Box)]
    cards = [corners(box) for box in boxes if box.fill == "card"]
    assert len(cards) == slots
    assert all(holds(page, card) for card in cards)
    assert not any(overlap(card, other) for card, other in combinations(cards, 2))
    assert all(any(holds(card, emblem) for card in cards) for emblem in emblems)
    small = [corners(box) for box in boxes if box.fill not in ("ground", "table", "card")]
    small += emblems
    for box, above in combinations(small, 2):
        assert holds(box, above) or not overlap(box, above)


def _check_rim(shapes: tuple[Shape, ...]) -> None:
    """Check that the rim of the table crosses a text only behind a box."""
    (rim,) = [shape for shape in shapes if isinstance(shape, Box) and shape.edge == "rim"]
    above = shapes[shapes.index(rim) + 1 :]
    for number, label in enumerate(above):
        if not isinstance(label, Label):
            continue
        left, top, right, bottom = corners(label)
        under = [corners(shape) for shape in above[:number] if not isinstance(shape, Label)]
        for part in range(41):
            x = left + part / 40 * (right - left)
            for y in (top, bottom):
                if not any(holds(ground, (x, y, x, y)) for ground in under):
                    assert abs(outside(rim, x, y)) > rim.thick / 2, label


def outside(box: Box, x: float, y: float) -> float:
    """Return the distance of a point from a box with rounded corners; negative inside."""
    radius = min(box.radius, box.width / 2, box.height / 2)
    across = abs(x - box.x - box.width / 2) - box.width / 2 + radius
    down = abs(y - box.y - box.height / 2) - box.height / 2 + radius
    return hypot(max(across, 0), max(down, 0)) + min(max(across, down), 0) - radius


def _check_contrast(shapes: tuple[Shape, ...]) -> None:
    """Check the contrast of each text to the shape below it: 4.5 to 1, light and dark."""
    for number, label in enumerate(shapes):
        if not isinstance(label, Label):
            continue
        left, top, right, bottom = corners(label)
        for part in (0.02, 0.5, 0.98):
            x, y = left + part * (right - left), (top + bottom) / 2
            plain = (s for s in shapes[:number] if isinstance(s, Box | Oval))
            under = [s for s in plain if holds(corners(s), (x, y, x, y))]
            for one, other in zip(COLOURS[label.colour], COLOURS[under[-1].fill], strict=True):
                assert contrast(one, other) >= 4.5, (label, under[-1])


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, as WCAG 2 defines it."""
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=1e-3)


@pytest.mark.parametrize("players", range(2, 13))
def test_seats_lie_clockwise_from_the_one_below(players: int) -> None:
    around = ring(players)
    x, y = around.centre
    assert around.spots[0][0] == pytest.approx(x)
    assert around.spots[0][1] == max(spot[1] for spot in around.spots)
    assert around.scale >= 1
    for one, other in zip(around.spots, around.spots[1:], strict=False):
        # On a screen, where y grows downwards, clockwise is a positive turn.
        turn = (one[0] - x) * (other[1] - y) - (one[1] - y) * (other[0] - x)
        assert turn > 0 or players == 2
    mirrored = [around.spots[0], *around.spots[:0:-1]]
    for (left, down), (right, other_down) in zip(around.spots, mirrored, strict=True):
        assert left + right == pytest.approx(WIDTH)
        assert down == pytest.approx(other_down)
        assert HEAD < down < HEIGHT


@pytest.mark.parametrize("scenario", ["4B", "12A", *WIDE], ids=str)
def test_the_last_news_are_drawn_and_the_earlier_ones_counted(scenario: str | Scenario) -> None:
    counted = 0
    for seed in range(4):
        for game in moments(scenario, seed):
            news = scene(game, "all").news
            for count in range(1, len(news) + 1):
                counted += _check_news(replace(scene(game, "all"), news=news[:count]))
    assert counted > 0


def _check_news(shown: Scene) -> bool:
    """Check that the drawing has all news, or the last ones and the number of others.

    Returns:
        Whether some are only counted.
    """
    labels = [shape for shape in drawing(shown).shapes if isinstance(shape, Label)]
    first = 1 + max(at for at, label in enumerate(labels) if label.size != labels[-1].size)
    text = " ".join(label.text for label in labels[first:])
    count, earlier, last = text.partition(" earlier … ")
    before = int(count) if earlier else 0
    assert before < len(shown.news)
    drawn, expected = last if earlier else text, " ".join(shown.news[before:])
    if first == len(labels) - 1 and drawn.endswith("…"):  # only one line, and too short
        expected = expected[: len(drawn) - 1] + "…"
    assert drawn == expected
    return before > 0


def test_the_description_has_the_same() -> None:
    for game in moments("8B", 4):
        shown = scene(game, 2)
        text = drawing(shown).description
        assert shown.headline in text
        for seat in shown.seats:
            assert f"Seat {seat.place.slot}: {seat.called}, {seat.coins} coin" in text
            assert seat.place.belief[0][0] in text


def test_long_texts_are_shortened() -> None:
    assert shortened("Ann", 10, 100) == "Ann"
    short = shortened("W" * 500, 10, 100)
    assert short.endswith("…")
    assert 5 < len(short) < 15
    assert width_of(short, 10) <= 100
    assert Game("4A", seed=1, names=["W" * 500] * 4).names is not None
