"""The table and beliefs as a person at a terminal sees them, made from a scene alone."""

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mascarade_env.render._scene import Place, Scene, Seat, believed

_WIDE = 64  # columns from which on each seat is one line
_NAME = 20


def table(pictured: Scene, called: list[str], width: int) -> list[RenderableType]:
    """Seats, centre and tribunal with what is believed of the masks.

    Args:
        pictured: of the person's own perspective, or at the end the whole truth.
        called: what stands for each player.
        width: columns there are.
    """
    rows = [(_seat(seat), called[seat.player], seat) for seat in pictured.seats]
    name = min(_NAME, max(cell_len(label) for label in [*called, "centre", "tribunal"]))
    grid = Table.grid(padding=(0, 1))
    if width >= _WIDE:
        grid.add_column(no_wrap=True)
        grid.add_column(no_wrap=True, overflow="ellipsis", max_width=name)
        grid.add_column(no_wrap=True, justify="right")
        grid.add_column(max_width=22)
        grid.add_column()
        heads = (
            "",
            "",
            "coins",
            "",
            "mask" if pictured.perspective == "all" else "mask, as far as you know",
        )
        grid.add_row(*(Text(head, "dim") for head in heads))
        for first, label, seat in rows:
            style = "bold" if seat.own else ""
            signs = Text(", ".join(seat.signs), "yellow")
            named, coins = Text(label, style), Text(str(seat.coins))
            grid.add_row(first, named, coins, signs, _belief(seat.place))
        for place in pictured.centre:
            taken = Text("taken" if place.under_table else "", "yellow")
            grid.add_row(f"  {place.slot}", "centre", "", taken, _belief(place))
        grid.add_row("", "tribunal", str(pictured.tribunal))
        return [grid]
    parts: list[RenderableType] = []
    for first, label, seat in rows:
        state = ", ".join((_coins(seat.coins), *seat.signs))
        parts.append(Text(f"{first} {label}: {state}"))
        parts.append(Padding(_belief(seat.place), (0, 0, 0, 4)))
    for place in pictured.centre:
        parts.append(Text(f"  {place.slot} centre{', taken' if place.under_table else ''}"))
        parts.append(Padding(_belief(place), (0, 0, 0, 4)))
    parts.append(Text(f"  tribunal: {_coins(pictured.tribunal)}"))
    return parts


def beliefs(pictured: Scene, called: list[str]) -> list[RenderableType]:
    """Return what the mask of each slot may be, a line a slot."""
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
    """Return a word and what there is to say about it, one a row."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for word, about in rows:
        grid.add_row(Text(f"  {word}"), Text(about))
    return grid


def choices(rows: list[tuple[str, list[str]]], width: int) -> Table:
    """Return a word and the choices there are with it, none of them broken if it fits a line."""
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


def _seat(seat: Seat) -> str:
    return f"{'>' if seat.decides else ' '} {seat.place.slot}"


def _belief(place: Place) -> Text:
    return Text(believed(place, most=2), "bold cyan" if place.certain else "cyan")


def _all(place: Place) -> Text:
    return Text(believed(place))


def _coins(count: int) -> str:
    return "1 coin" if count == 1 else f"{count} coins"
