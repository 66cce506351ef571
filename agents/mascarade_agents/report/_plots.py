"""Plots of rows in SVG: dots with intervals, and bars.

A plot is as wide as the page allows. Positions along a row are percentages of the width, so text
has the same size on a narrow screen. Colours are classes of the style sheet, which has light and
dark ones. Each dot and each part of a bar also has a number, so a reader does not need the colours.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from mascarade_agents.report._numbers import Form, Scale, tick
from mascarade_env.render._scene import printable

NAME = 18  # letters of a name that fit next to its number on the narrowest screen
_ROW = 38
_BAR_ROW, _BAR = 42, 16
_MARGIN = 1.5  # per cent of the width on each side, so that a dot at the end is whole


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a dot plot.

    Attributes:
        name: the text on the left.
        value: the position of the dot; None for a row without a dot.
        low: the lower end of the interval, or None.
        high: the upper end of the interval, or None.
        text: the text on the right.
        spread: half the length of a shorter and darker line around the dot; 0 for none.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    text: str
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar.

    Attributes:
        kind: the name of the part, for its title.
        style: a class of the style sheet.
        size: the fraction of the bar that it fills, from 0 to 1.
    """

    kind: str
    style: str
    size: float


def safe(text: object) -> str:
    """Return a text as HTML: escaped, with control characters made visible."""
    return escape(printable(str(text)))


def cut(name: str, length: int = NAME) -> str:
    """Return a name of at most `length` letters.

    The middle of a longer name is replaced by an ellipsis, because names often differ at the end.
    """
    if len(name) <= length:
        return name
    tail = length // 3
    return f"{name[: length - tail - 1]}…{name[-tail:]}"


def dot_plot(
    rows: Sequence[Row],
    scale: Scale,
    form: Form,
    *,
    label: str,
    mark: float | None = None,
) -> str:
    """Return a plot with a dot and its interval for each row.

    Ticks and the mark only cross the line of each row, so they do not cross the texts above it.

    Args:
        rows: the rows, from top to bottom.
        scale: the axis that all rows share.
        form: the format of the numbers on the axis.
        label: a description for screen readers; names and texts of the rows are added to it.
        mark: a value to compare all rows with, or None.
    """
    bottom = 4 + _ROW * len(rows)
    parts = [_dot_row(row, scale, 4 + _ROW * place, mark) for place, row in enumerate(rows)]
    parts += [
        f'<text class="tick" x="{_along(scale, value)}" y="{bottom + 13}" '
        f'text-anchor="{_anchor(scale.at(value))}">{tick(value, form)}</text>'
        for value in scale.ticks
    ]
    descriptions = "; ".join(f"{row.name} {row.text}" for row in rows)
    return picture("\n".join(parts), bottom + 20, f"{label}: {descriptions}")


def _dot_row(row: Row, scale: Scale, y: float, mark: float | None) -> str:
    line = y + 26
    parts = [
        _texts(row.name, row.text, y + 14),
        f'<line class="rail" x1="{_MARGIN}%" x2="{100 - _MARGIN}%" y1="{line:g}" y2="{line:g}"/>',
        *(_across(scale, value, line, 4, "grid") for value in scale.ticks),
    ]
    if row.low is not None and row.high is not None:
        parts.append(_stretch(scale, row.low, row.high, line, "interval"))
    if row.value is not None and row.spread:
        low, high = row.value - row.spread, row.value + row.spread
        parts.append(_stretch(scale, low, high, line, "spread"))
    if mark is not None:
        parts.append(_across(scale, mark, line, 8, "mark"))
    if row.value is not None:
        parts.append(f'<circle class="dot" cx="{_along(scale, row.value)}" cy="{line:g}" r="5"/>')
    return f"<g><title>{safe(row.name)}: {safe(row.text)}</title>{''.join(parts)}</g>"


def _texts(name: str, text: str, y: float) -> str:
    """Return the name of a row, shortened if it is long, and the text at the right end."""
    name_shown = cut(printable(name))
    title = f"<title>{safe(name)}</title>" if name_shown != printable(name) else ""
    return (
        f'<text class="name" x="0" y="{y:g}">{safe(name_shown)}{title}</text>'
        f'<text class="value" x="100%" y="{y:g}" text-anchor="end">{safe(text)}</text>'
    )


def _stretch(scale: Scale, low: float, high: float, y: float, style: str) -> str:
    return (
        f'<line class="{style}" x1="{_along(scale, low)}" x2="{_along(scale, high)}" '
        f'y1="{y:g}" y2="{y:g}"/>'
    )


def _across(scale: Scale, value: float, y: float, reach: float, style: str) -> str:
    """Return a short line at right angles to the line of a row."""
    x = _along(scale, value)
    return f'<line class="{style}" x1="{x}" x2="{x}" y1="{y - reach:g}" y2="{y + reach:g}"/>'


def bars(rows: Sequence[tuple[str, str, Sequence[Part]]], *, label: str) -> str:
    """Return a plot with a name, a text and a bar of consecutive parts for each row.

    Args:
        rows: the rows, from top to bottom.
        label: a description for screen readers; names and parts of the rows are added to it.
    """
    pieces, descriptions = [], []
    for place, (name, text, parts) in enumerate(rows):
        y = _BAR_ROW * place
        pieces.append(_texts(name, text, y + 14))
        pieces.append(f'<rect class="trough" x="0" y="{y + 19}" width="100%" height="{_BAR}"/>')
        start = 0.0
        for part in parts:
            pieces.append(_part_of_bar(part, start, y + 19, name))
            start += part.size
        contents = ", ".join(f"{part.kind} {part.size:.0%}" for part in parts)
        descriptions.append(f"{name}: {contents or text}")
    return picture("\n".join(pieces), _BAR_ROW * len(rows), f"{label}: {'; '.join(descriptions)}")


def _part_of_bar(part: Part, start: float, y: float, name: str) -> str:
    number = f"{part.size:.0%}"
    inside = (
        f'<text class="on-{part.style}" x="{100 * (start + part.size / 2):.2f}%" y="{y + 12}" '
        f'text-anchor="middle">{number}</text>'
        if part.size >= 0.12
        else ""
    )
    title = f"<title>{safe(name)}: {safe(part.kind)} {number}</title>"
    return (
        f'<g>{title}<rect class="{part.style}" x="{100 * start:.2f}%" y="{y}" '
        f'width="{100 * part.size:.2f}%" height="{_BAR}"/>{inside}</g>'
    )


def legend(entries: Iterable[tuple[str, str]]) -> str:
    """Return a list of colours, by the class of the style sheet, with their meanings."""
    items = "".join(
        f'<li><svg width="14" height="14" aria-hidden="true">'
        f'<rect class="{style}" width="14" height="14" rx="2"/></svg> {safe(meaning)}</li>'
        for style, meaning in entries
    )
    return f'<ul class="legend">{items}</ul>'


def picture(inside: str, height: float, label: str) -> str:
    """Return an SVG as wide as the page allows, with a description for screen readers."""
    return (
        f'<svg role="img" aria-label="{safe(label)}" width="100%" height="{height:.0f}">\n'
        f"{inside}\n</svg>"
    )


def _along(scale: Scale, value: float) -> str:
    """Return the position of a value as a percentage of the width."""
    return f"{_MARGIN + (100 - 2 * _MARGIN) * max(0.0, min(1.0, scale.at(value))):.2f}%"


def _anchor(place: float) -> str:
    return "start" if place < 0.08 else "end" if place > 0.92 else "middle"
