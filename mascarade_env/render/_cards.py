"""The cards of seats and centre slots, which show the knowledge and beliefs of a perspective."""

from collections.abc import Iterator, Sequence

from mascarade_env.render._scene import Place, Seat, percent, together
from mascarade_env.render._shapes import Box, Emblem, Label, Oval, Shape, shortened, width_of

CARD_WIDTH, CARD_HEIGHT = 178.0, 105.0

_TAB = 14.0  # above the card itself: the number of the seat, and pills for turn and decision
_PAD = 8.0
_ROW = 15.0  # the height of one line of a belief
_ROWS = 3
_EMBLEM = 13.5  # the side of an emblem next to a belief


def seat_card(seat: Seat, x: float, y: float, scale: float) -> Iterator[Shape]:
    """Yield the shapes of the card of a seat, centred on the point (x, y)."""
    u = scale
    width, left, top = CARD_WIDTH * u, x - CARD_WIDTH * u / 2, y - CARD_HEIGHT * u / 2
    body = top + _TAB * u
    number = f"seat {seat.place.slot}{' (own)' if seat.own else ''}"
    wide = width_of(number, 10 * u)
    # With a background, because the rim of the table may pass behind it.
    yield Box(left + (_PAD - 4) * u, top, wide + 8 * u, (_TAB + 4) * u, 4 * u, "ground")
    yield Label(left + _PAD * u, body - 3.5 * u, number, 10 * u, wide, "soft")
    marks = {"decides": seat.decides, "wins": seat.wins, "taken": seat.place.under_table}
    edge = next((mark for mark, is_set in marks.items() if is_set), "")
    yield Box(
        left, body, width, (CARD_HEIGHT - _TAB) * u, 9 * u, "card",
        edge=edge or "edge", thick=3 * u if edge else 1.2,
    )  # fmt: skip
    if seat.marker and not seat.wins:
        yield from _pill("turn", left + wide + (_PAD + 8) * u, body - 13.8 * u, u)
    if seat.decides:
        tab = left + width - _PAD * u - _pill_width("decides", u)
        yield from _pill("decides", tab, body - 11 * u, u)
    line = body + 18 * u
    coins = str(seat.coins)
    purse = width_of(coins, 14 * u, bold=True)
    right = left + width - _PAD * u
    yield Label(right, line, coins, 14 * u, purse, anchor="end", bold=True)
    yield coin(right - purse - 9 * u, line - 5 * u, 6 * u)
    room = width - 2 * _PAD * u - purse - 20 * u
    called = shortened(seat.called, 13 * u, room, bold=True)
    yield Label(left + _PAD * u, line, called, 13 * u, room, bold=True)
    yield from _belief(seat.place, left + _PAD * u, body + 25 * u, width - 2 * _PAD * u, u)
    answers = [sign for sign in seat.signs if sign != "turn"]
    yield from _signs(answers, left + _PAD * u, body + 74 * u, u)


def centre_card(place: Place, x: float, y: float, width: float, scale: float) -> Iterator[Shape]:
    """Yield the shapes of the card of a centre slot, 76 units high.

    The point (x, y) is its upper left corner.
    """
    u = scale
    yield Box(
        x, y, width, 76 * u, 9 * u, "card", edge="taken" if place.under_table else "edge", thick=1.2
    )
    yield Label(x + _PAD * u, y + 16 * u, f"centre {place.slot}", 11 * u, 80 * u, "soft")
    if place.under_table:
        taken = x + width - _PAD * u - _pill_width("taken", u)
        yield from _pill("taken", taken, y + 5 * u, u)
    yield from _belief(place, x + _PAD * u, y + 24 * u, width - 2 * _PAD * u, u)


def coin(x: float, y: float, radius: float) -> Shape:
    """Return a coin, centred on the point (x, y)."""
    return Oval(x, y, radius, radius, "coin", edge="coin edge", thick=1.2)


def _belief(place: Place, x: float, y: float, width: float, u: float) -> Iterator[Shape]:
    """Yield the mask of a slot if it is certain; otherwise yield bars for the likely masks."""
    if place.certain:
        name = place.belief[0][0]
        height = (_ROWS * _ROW - 4) * u
        side = height - 10 * u
        yield Box(x, y, width, height, 5 * u, "known")
        yield Emblem(x + 6 * u, y + 5 * u, side, name)
        room = width - side - 16 * u
        yield Label(
            x + side + 12 * u, y + height / 2 + 5 * u,
            shortened(name, 13 * u, room, bold=True), 13 * u, room, bold=True,
        )  # fmt: skip
        return
    side = (_EMBLEM + 3) * u
    for number, (name, probability) in enumerate(_rows(place.belief)):
        top, height, size = y + number * _ROW * u, (_ROW - 1.5) * u, 11 * u
        single = name == place.belief[number][0]
        if single:
            yield Emblem(x, top, _EMBLEM * u, name)
        yield Box(x + side, top, width - side, height, 3 * u, "trough")
        if single:
            # A bar for several masks together would be the longest one, and the most visible.
            bar = max((width - side) * probability, 6 * u)
            yield Box(x + side, top, bar, height, 3 * u, "likely")
        word = percent(probability)
        room = width_of(word, size)
        yield Label(x + width - 4 * u, top + 10.5 * u, word, size, room, anchor="end")
        left = x + side + 4 * u
        yield Label(left, top + 10.5 * u, name, size, width - side - room - 12 * u)


def _rows(belief: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return at most `_ROWS` rows: the most likely masks, and one row for all other masks."""
    if len(belief) <= _ROWS:
        return list(belief)
    return [*belief[: _ROWS - 1], together(belief[_ROWS - 1 :])]


def _pill_width(word: str, u: float) -> float:
    return width_of(word, 10 * u) + 8 * u


def _pill(word: str, x: float, y: float, u: float) -> Iterator[Shape]:
    """Yield a word on a rounded background; (x, y) is the upper left corner of the background."""
    width, height = _pill_width(word, u), 13.5 * u
    yield Box(x, y, width, height, height / 2, word)
    yield Label(x + width / 2, y + 0.76 * height, word, 10 * u, width, f"on {word}", "middle")


def _signs(words: Sequence[str], x: float, y: float, u: float) -> Iterator[Shape]:
    for word in words:
        yield from _pill(word, x, y, u)
        x += _pill_width(word, u) + 4 * u
