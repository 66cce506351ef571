"""Heat maps: matrices of agents, with one colour below a central value and one above it.

A heat map is an HTML table, so it takes the width of its card on every screen. Columns have the
numbers of the rows, and also names if there are few agents. The colours are orange and blue, which
colour-blind readers can distinguish. Each cell shows its number too.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mascarade_agents.report._page_parts import scrolling
from mascarade_agents.report._plots import safe

_DEEPEST = 55  # the most per cent of colour in a cell, so that its number stays readable
_FEW = 6  # agents whose names fit above the columns of a wide card


class Cell(NamedTuple):
    """A cell of a heat map.

    Attributes:
        value: from 0 to 1; None for an empty cell.
        title: the text that appears under the mouse pointer.
        significant: whether the value differs significantly from the centre.
    """

    value: float | None
    title: str
    significant: bool


def heat_map(
    names: Sequence[str],
    cells: Sequence[Sequence[Cell]],
    *,
    centre: float,
    reach: float,
    label: str,
) -> str:
    """Return a matrix of percentages, with coloured cells.

    Args:
        names: the names of rows and columns.
        cells: the cells, [row][column].
        centre: the value of a cell without colour.
        reach: the distance from the centre at which the colour is deepest.
        label: a description for screen readers.
    """
    top = "".join(
        f'<th scope="col" title="{safe(name)}">{number} <span>{safe(name)}</span></th>'
        for number, name in enumerate(names, start=1)
    )
    rows = "".join(
        f'<tr><th scope="row" title="{safe(name)}">{number} {safe(name)}</th>'
        + "".join(_cell(cell, centre, reach) for cell in cells[number - 1])
        + "</tr>"
        for number, name in enumerate(names, start=1)
    )
    few = " few" if len(names) <= _FEW else ""
    table = (
        f'<table class="heat{few}" style="--columns:{len(names)}">'
        f'<thead><tr><td class="corner"></td>{top}</tr></thead><tbody>{rows}</tbody></table>'
    )
    return scrolling(table, label)


def _cell(cell: Cell, centre: float, reach: float) -> str:
    if cell.value is None:
        return '<td class="none"></td>'
    offset = max(-1.0, min(1.0, (cell.value - centre) / reach))
    side = "above" if offset > 0 else "below"
    number = f"{100 * cell.value:.0f}"
    text = f'<strong class="significant">{number}</strong>' if cell.significant else number
    return (
        f'<td class="{side}" style="--depth:{_DEEPEST * abs(offset):.0f}%" '
        f'title="{safe(cell.title)}">{text}</td>'
    )
