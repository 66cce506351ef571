"""A table as text for a terminal."""

import io

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mascarade_env._colours import colours_wanted
from mascarade_env.game._game import Game
from mascarade_env.render._scene import Perspective, Place, Scene, Seat, believed, scene

WIDTH = 100

_STYLES = {
    "turn": "yellow",
    "announced": "bold blue",
    "claims": "bold red",
    "passed": "dim",
    "barred": "magenta",
    "chosen": "magenta",
    "taken": "magenta",
    "wins": "bold green",
}


def ansi(game: Game, perspective: Perspective = "onlooker", *, colour: bool | None = None) -> str:
    """Return the table as text, with the results of the last decision and the legal actions.

    Args:
        game: the game; it may be over.
        perspective: a player, "onlooker" for what all players see, or "all" for all hidden masks.
        colour: whether to use the escape codes of terminals for colours. Words give the same
            information as the colours. By default colours are used unless the environment variable
            NO_COLOR is set.

    Returns:
        Lines of at most 100 columns.
    """
    view = scene(game, perspective)
    foot = [Text(sentence) for sentence in view.news]
    if view.legal:
        foot.append(Text.assemble(("legal: ", "dim"), " ".join(view.legal)))
    coloured = colours_wanted() if colour is None else colour
    return _printed([*_head(view), _seats_and_centre(view), *foot], colour=coloured)


def table_text(view: Scene, *, colour: bool = False) -> str:
    """Return a scene as text like `ansi`, but without results and legal actions."""
    return _printed([*_head(view), _seats_and_centre(view)], colour=colour)


def _printed(parts: list[Text | Table], *, colour: bool) -> str:
    console = Console(
        file=io.StringIO(),
        width=WIDTH,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        legacy_windows=False,
        highlight=False,
        _environ={},
    )
    with console.capture() as text:
        for part in parts:
            console.print(part)
    return "\n".join(line.rstrip() for line in text.get().splitlines())


def _head(view: Scene) -> list[Text | Table]:
    exact = "" if view.exact else ", beliefs are approximate"
    first = Text(f"{view.scenario}, turn {view.turn}, {view.looking}{exact}", "dim")
    second = Text(view.headline, "bold")
    if view.announced:
        second.append(f", announced: {view.announced}")
    return [first, second]


def _seats_and_centre(view: Scene) -> Table:
    grid = Table.grid(padding=(0, 1), expand=True)
    for width in (9, 16, 4, 22):
        grid.add_column(no_wrap=True, overflow="ellipsis", width=width)
    grid.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    grid.columns[2].justify = "right"
    for seat in view.seats:
        grid.add_row(*_row(seat))
    for place in view.centre:
        signs = Text("taken", _STYLES["taken"]) if place.under_table else Text()
        grid.add_row(f"  slot {place.slot:>2}", "centre", "", signs, _belief(place))
    grid.add_row("", "tribunal", _coins(view.tribunal))
    return grid


def _row(seat: Seat) -> list[Text]:
    style = "bold" if seat.decides else ""
    return [
        Text(f"{'>' if seat.decides else ' '} seat {seat.place.slot:>2}", style),
        Text(f"{seat.called}{' (own)' if seat.own else ''}", style),
        _coins(seat.coins),
        Text(", ").join(Text(sign, _STYLES[sign]) for sign in seat.signs),
        _belief(seat.place),
    ]


def _coins(count: int) -> Text:
    return Text(str(count), "yellow")


def _belief(place: Place) -> Text:
    return Text(believed(place, most=2), "bold cyan" if place.certain else "")
