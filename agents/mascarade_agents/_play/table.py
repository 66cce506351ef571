"""Texts of the table and of beliefs for a terminal. They are made from scenes only."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mascarade_env.render._scene import Place, Scene, Seat, believed

_WIDE = 44  # in a terminal with at least this number of columns, each slot has one row
_ROOM = 40  # if masks have fewer columns than this, signs share their column
_NAME = 20  # columns of a player's name
_TRIBUNAL = "tribunal"


def table(
    pictured: Scene, called: list[str], width: int, known: Scene | None = None
) -> list[RenderableType]:
    """Return the seats, the centre and the tribunal as text, with what is known of the masks.

    Args:
        pictured: the scene of the person; at the end of the game, the scene with all masks.
        called: the name of each player.
        width: columns of the terminal.
        known: a second scene; the text shows its belief about a slot after the mask there.
    """
    ended = pictured.perspective == "all"
    rows = [
        _Row(_number(seat), called[seat.player], str(seat.coins), _signs(seat, ended), seat.place)
        for seat in pictured.seats
    ]
    rows += [
        _Row(f"  {place.slot}", "centre", "", ("taken",) if place.under_table else (), place)
        for place in pictured.centre
    ]
    after = {place.slot: place for place in known.places} if known else {}
    if width < _WIDE:
        return list(_paragraphs(rows, pictured, after))
    name = min(_NAME, max(cell_len(name) for name in (*(row.name for row in rows), _TRIBUNAL)))
    signs = max(cell_len(", ".join(row.signs)) for row in rows)
    room = width - name - 13  # for the number, the coins, and blanks between columns
    apart = room - signs - 1 >= _ROOM  # whether signs have a separate column
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True, overflow="ellipsis", max_width=name)
    grid.add_column(no_wrap=True, justify="right")
    if apart:
        grid.add_column(no_wrap=True)
    grid.add_column()
    heads = ["", "", "coins", *([""] if apart else []), _heading(pictured, known)]
    grid.add_row(*(Text(head, "dim") for head in heads))
    for row in rows:
        style = "bold" if row.name == "you" else ""
        signs_text = Text(", ".join(row.signs), "yellow")
        masks = _masks(row.place, room - (signs + 1) * apart, after)
        if not apart and row.signs:
            masks = Text.assemble("(", signs_text, ") ", masks)
        cells = [Text(row.name, style), Text(row.coins), *([signs_text] if apart else []), masks]
        grid.add_row(row.number, *cells)
    grid.add_row("", _TRIBUNAL, str(pictured.tribunal))
    return [grid]


def without_masks(pictured: Scene) -> Scene:
    """Return a scene without beliefs, as a blind game shows it."""

    def hidden(place: Place) -> Place:
        return replace(place, belief=(), certain=False)

    return replace(
        pictured,
        seats=tuple(replace(seat, place=hidden(seat.place)) for seat in pictured.seats),
        centre=tuple(map(hidden, pictured.centre)),
    )


def under_the_table(pictured: Scene) -> Scene:
    """Return a scene with only the slots whose masks are under the table."""
    return replace(
        pictured,
        seats=tuple(seat for seat in pictured.seats if seat.place.under_table),
        centre=tuple(place for place in pictured.centre if place.under_table),
    )


class _Row(NamedTuple):
    """One row of the table.

    Attributes:
        number: the number of the slot, with a sign before it if the player there decides.
        name: the name of the player or place.
        coins: the coins of the player; "" for the centre.
        signs: words such as "turn" and "taken".
        place: the slot, with what is known of its mask.
    """

    number: str
    name: str
    coins: str
    signs: tuple[str, ...]
    place: Place


def _paragraphs(
    rows: list[_Row], pictured: Scene, after: dict[int, Place]
) -> Iterator[RenderableType]:
    """Yield the table for a narrow terminal, where the masks have separate lines."""
    for row in rows:
        state = ", ".join((*([_coins(int(row.coins))] if row.coins else []), *row.signs))
        yield Text(f"{row.number} {row.name}{': ' if state else ''}{state}")
        if row.place.belief:
            yield Padding(_masks(row.place, 0, after), (0, 0, 0, 4))
    yield Text(f"  {_TRIBUNAL}: {_coins(pictured.tribunal)}")


def _heading(pictured: Scene, known: Scene | None) -> str:
    if not any(place.belief for place in pictured.places):
        return ""
    if known is not None:
        return "mask | what you could know of it"
    return "mask" if pictured.perspective == "all" else "mask, as far as you know"


def _masks(place: Place, room: int, after: dict[int, Place]) -> Text:
    """Return what a scene shows of a slot's mask, then what the second scene shows of it."""
    text = Text(_fitting(place, room), "bold cyan" if place.certain else "cyan")
    if place.slot in after:
        more = _fitting(after[place.slot], room - cell_len(text.plain) - 3)
        text.append(f" | {more}", "")
    return text


def _fitting(place: Place, room: int) -> str:
    """Return the masks that a slot may hold, with probabilities.

    If they do not all fit, the text has the most probable ones and the sum of the others.
    """
    count = len(place.belief)
    for most in (count, *range(count - 2, 2, -1)):  # "1 other" would not be shorter than its name
        words = believed(place, most)
        if cell_len(words) <= room:
            return words
    return believed(place, 3 if count == 3 else 2)


def beliefs(pictured: Scene, called: list[str]) -> list[RenderableType]:
    """Return the masks that each slot may hold, with their probabilities, a row for each slot."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold", max_width=_NAME)
    grid.add_column()
    for seat in pictured.seats:
        grid.add_row(f"  {seat.place.slot}", Text(called[seat.player]), _all(seat.place))
    for place in pictured.centre:
        grid.add_row(f"  {place.slot}", "centre", _all(place))
    return [grid]


def pairs(rows: list[tuple[str, str]]) -> Table:
    """Return a grid with a row for each pair of a word and its explanation."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for word, about in rows:
        grid.add_row(Text(f"  {word}"), Text(about))
    return grid


def choices(rows: list[tuple[str, list[str]]], width: int) -> Table:
    """Return a grid with a row for each verb and its choices; no line breaks within a choice."""
    room = width - max(cell_len(word) for word, _ in rows) - 3
    return pairs([(word, "\n".join(_packed(items, room))) for word, items in rows])


def _packed(items: list[str], room: int) -> Iterator[str]:
    line = ""
    for item in items:
        if line and cell_len(line) + 2 + cell_len(item) > room:
            yield line
            line = item
        else:
            line = f"{line}  {item}" if line else item
    yield line


def _signs(seat: Seat, ended: bool) -> tuple[str, ...]:
    """Return the signs of a seat; after the end of the game, only those of winners."""
    return seat.signs if seat.wins or not ended else ()


def _number(seat: Seat) -> str:
    return f"{'>' if seat.decides else ' '} {seat.place.slot}"


def _all(place: Place) -> Text:
    return Text(believed(place))


def _coins(count: int) -> str:
    return "1 coin" if count == 1 else f"{count} coins"
