"""A scene as a drawing: cards around a table, with the latest events in the middle."""

from collections.abc import Iterator

from mascarade_env.render._cards import centre_card, coin, seat_card
from mascarade_env.render._ring import HEIGHT, MARGIN, WIDTH, Ring, ring
from mascarade_env.render._scene import Place, Scene, believed
from mascarade_env.render._shapes import (
    Box,
    Drawing,
    Label,
    Shape,
    shortened,
    width_of,
    wrapped,
)

_LEADING = 1.45  # the distance of lines, in font sizes
_NEWS_SIZE = 13.0  # among many players; with few there is more room
_BIG_SIZE = 21.0
_GAP = 12.0


def drawing(scene: Scene) -> Drawing:
    """Return a scene as shapes."""
    around = ring(len(scene.seats))
    return Drawing(
        WIDTH,
        HEIGHT,
        (
            *_background(around),
            *_head(scene),
            *(
                shape
                for seat, (x, y) in zip(scene.seats, around.spots, strict=True)
                for shape in seat_card(seat, x, y, around.scale)
            ),
            *_middle(scene, around),
        ),
        title=f"Mascarade {scene.scenario}, turn {scene.turn}: {scene.headline}",
        description=_in_words(scene),
    )


def _background(around: Ring) -> Iterator[Shape]:
    x, y = around.centre
    across, down = around.across + 6, around.down + 6
    yield Box(0, 0, WIDTH, HEIGHT, 16, "ground")
    yield Box(x - across, y - down, 2 * across, 2 * down, 0.72 * down, "table", edge="rim", thick=7)


def _head(scene: Scene) -> Iterator[Shape]:
    side, middle = 230.0, WIDTH - 2 * MARGIN - 2 * 230.0 - 2 * _GAP
    left = f"{scene.scenario}, turn {scene.turn}"
    yield Label(MARGIN + 4, 31, shortened(left, 14, side), 14, side, "soft")
    headline = shortened(scene.headline, 18, middle, bold=True)
    yield Label(WIDTH / 2, 32, headline, 18, middle, anchor="middle", bold=True)
    looking = shortened(scene.looking, 14, side)
    yield Label(WIDTH - MARGIN - 4, 31, looking, 14, side, "soft", "end")
    if not scene.exact:
        yield Label(WIDTH - MARGIN - 4, 48, "beliefs are approximate", 12, side, "soft", "end")


def _middle(scene: Scene, around: Ring) -> Iterator[Shape]:
    """Yield the shapes of the announcement, the tribunal, the centre and the news, downwards."""
    x, y = around.centre
    room = 2 * min(around.free_across, around.across - MARGIN)  # within the rim
    top, bottom = y - around.free_down, y + around.free_down
    top += 4
    if scene.announced:
        claim = f"“I am the {scene.announced}”"
        if announcer := next((s.called for s in scene.seats if s.answer == "announced"), ""):
            claim = f"{announcer}: {claim}"
        yield Label(
            x, top + _BIG_SIZE, shortened(claim, _BIG_SIZE, room, bold=True), _BIG_SIZE, room,
            anchor="middle", bold=True,
        )  # fmt: skip
    top += _BIG_SIZE + _GAP
    yield from _tribunal(scene.tribunal, x, top, room)
    top += 20 + _GAP
    if scene.centre:
        yield from _centre(scene.centre, x, top, room)
        top += _centre_height(len(scene.centre)) + _GAP
    size = _NEWS_SIZE * min(around.scale, 1.15)
    yield from _news(scene.news, size, (x, top, room, bottom))


def _tribunal(coins: int, x: float, top: float, room: float) -> Iterator[Shape]:
    text = f"tribunal: {coins} coin{'' if coins == 1 else 's'}"
    yield Label(x + 10, top + 15, text, 15, room - 40, anchor="middle")
    yield coin(x - width_of(text, 15) / 2 - 2, top + 10, 7)


def _centre_columns(count: int) -> int:
    return min(count, 4)


def _centre_scale(count: int) -> float:
    return 1.0 if count <= 2 else 0.72


def _centre_height(count: int) -> float:
    rows = -(-count // _centre_columns(count))
    return rows * (76 * _centre_scale(count) + 6)


def _centre(places: tuple[Place, ...], x: float, top: float, room: float) -> Iterator[Shape]:
    scale, columns = _centre_scale(len(places)), _centre_columns(len(places))
    width = min(168 * scale, room / columns - 6)
    for number, place in enumerate(places):
        row, column = divmod(number, columns)
        in_row = min(columns, len(places) - row * columns)
        left = x + (column - in_row / 2) * (width + 6) + 3
        yield from centre_card(place, left, top + row * (76 * scale + 6), width, scale)


def _news(
    sentences: tuple[str, ...], size: float, space: tuple[float, float, float, float]
) -> Iterator[Shape]:
    """Yield the last sentences that fit, and the number of earlier sentences.

    The last sentences matter most: they name the paid coins and the winner.
    """
    x, top, room, bottom = space  # the middle, the width, and the ends from top to bottom
    step = size * _LEADING
    most = int((bottom - top) // step)
    lines: list[str] = []
    before = len(sentences)
    for sentence in reversed(sentences):
        more = [*wrapped(sentence, size, room), *lines]
        if len(more) + (before > 1) > most:
            break
        lines, before = more, before - 1
    if before and not lines:  # many cards in the centre leave one line
        earlier = f"{before - 1} earlier … " if before > 1 else ""
        lines = [shortened(f"{earlier}{sentences[-1]}", size, room)]
    elif before:
        lines = [f"{before} earlier …", *lines]
    for number, line in enumerate(lines):
        yield Label(x, top + (number + 0.8) * step, line, size, room, anchor="middle")


def _in_words(scene: Scene) -> str:
    """Return the scene as text for readers who cannot see the picture."""
    words = [f"{scene.headline}, {scene.looking}."]
    if scene.announced:
        words.append(f"Announced: {scene.announced}.")
    for seat in scene.seats:
        signs = "".join(f", {sign}" for sign in seat.signs)
        words.append(
            f"Seat {seat.place.slot}: {seat.called}, {seat.coins} coins{signs}, "
            f"{believed(seat.place)}."
        )
    words += [f"Centre slot {place.slot}: {believed(place)}." for place in scene.centre]
    words.append(f"Tribunal: {scene.tribunal} coins.")
    return " ".join(words)
