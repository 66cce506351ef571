"""Plots of rows: dots with intervals, and bars; escaped text in SVG.

Plots of rows are as wide as the page allows: places along a row are given in per cent, so text
keeps its size on a narrow screen. Colours are classes of the style sheet, light and dark. The
name of a colour never is all that tells: every dot and part has its number too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from mascarade_agents.report._numbers import Form, Scale, tick
from mascarade_env.render._scene import printable

NAME = 18  # letters of a name that fit beside its number on the narrowest screen
_ROW, _TOP = 38, 22
_BAR_ROW, _BAR = 42, 16
_SIDE = 1.5  # per cent that stay free on each side, so that a dot at the end is whole


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a plot of dots: a value, its interval and how they are written.

    `spread` is what else is told about the value, a shorter and darker line each way.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    text: str
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar: of what kind, a style of the sheet, its size from 0 to 1."""

    kind: str
    style: str
    size: float


def safe(text: object) -> str:
    """Return a text that neither ends a tag nor commands anything."""
    return escape(printable(str(text)))


def cut(name: str, length: int = NAME) -> str:
    """Return a name that is not longer, its middle left out: names often differ at their end."""
    if len(name) <= length:
        return name
    tail = length // 3
    return f"{name[: length - tail - 1]}…{name[-tail:]}"


def name_at(x: str, y: float, name: str, *, length: int = NAME, more: str = "") -> str:
    """Return a name, cut if it is long; the whole of it is its title."""
    title = f"<title>{safe(name)}</title>" if len(printable(name)) > length else ""
    return f'<text x="{x}" y="{y:g}"{more}>{safe(cut(printable(name), length))}{title}</text>'


def dot_plot(
    rows: Sequence[Row],
    scale: Scale,
    form: Form,
    *,
    label: str,
    mark: tuple[float, str] | None = None,
) -> str:
    """Return a dot with its interval for each row.

    Args:
        rows: from the top.
        scale: that of all rows.
        form: how the numbers of the scale are written.
        label: what it shows, for those who cannot see it.
        mark: a value that all are compared with, and its name.
    """
    top = _TOP if mark else 4
    bottom = top + _ROW * len(rows)
    parts = [
        f'<line class="grid" x1="{_along(scale, place)}" x2="{_along(scale, place)}" '
        f'y1="{top - 4}" y2="{bottom}"/>'
        f'<text class="tick" x="{_along(scale, place)}" y="{bottom + 15}" '
        f'text-anchor="{_anchor(scale.at(place))}">{tick(place, form)}</text>'
        for place in scale.ticks
    ]
    if mark is not None:
        x = _along(scale, mark[0])
        parts.append(
            f'<line class="mark" x1="{x}" x2="{x}" y1="{top - 4}" y2="{bottom}"/>'
            f'<text class="tick marked" x="{x}" y="{top - 9}" '
            f'text-anchor="{_anchor(scale.at(mark[0]))}">{safe(mark[1])}</text>'
        )
    parts += [_dot_row(row, scale, top + _ROW * place) for place, row in enumerate(rows)]
    descriptions = "; ".join(f"{row.name} {row.text}" for row in rows)
    return picture("\n".join(parts), bottom + 22, f"{label}: {descriptions}")


def _dot_row(row: Row, scale: Scale, y: float) -> str:
    line = y + 26
    parts = [
        name_at("0", y + 14, row.name, more=' class="name"'),
        f'<text class="value" x="100%" y="{y + 14:g}" text-anchor="end">{safe(row.text)}</text>',
        f'<line class="rail" x1="{_SIDE}%" x2="{100 - _SIDE}%" y1="{line:g}" y2="{line:g}"/>',
    ]
    if row.low is not None and row.high is not None:
        parts.append(
            f'<line class="interval" x1="{_along(scale, row.low)}" '
            f'x2="{_along(scale, row.high)}" y1="{line:g}" y2="{line:g}"/>'
        )
    if row.value is not None and row.spread:
        parts.append(
            f'<line class="spread" x1="{_along(scale, row.value - row.spread)}" '
            f'x2="{_along(scale, row.value + row.spread)}" y1="{line:g}" y2="{line:g}"/>'
        )
    if row.value is not None:
        parts.append(f'<circle class="dot" cx="{_along(scale, row.value)}" cy="{line:g}" r="5"/>')
    return f"<g><title>{safe(row.name)}: {safe(row.text)}</title>{''.join(parts)}</g>"


def bars(rows: Sequence[tuple[str, str, Sequence[Part]]], *, label: str) -> str:
    """For each row a name, a text and a bar of parts, one after the other.

    Args:
        rows: from the top.
        label: what it shows, for those who cannot see it.
    """
    parts, descriptions = [], []
    for place, (name, text, pieces) in enumerate(rows):
        y = _BAR_ROW * place
        parts.append(name_at("0", y + 14, name, more=' class="name"'))
        parts.append(
            f'<text class="value" x="100%" y="{y + 14}" text-anchor="end">{safe(text)}</text>'
            f'<rect class="trough" x="0" y="{y + 19}" width="100%" height="{_BAR}"/>'
        )
        start = 0.0
        for piece in pieces:
            parts.append(_piece(piece, start, y + 19, name))
            start += piece.size
        each = ", ".join(f"{piece.kind} {piece.size:.0%}" for piece in pieces)
        descriptions.append(f"{name}: {each or text}")
    return picture("\n".join(parts), _BAR_ROW * len(rows), f"{label}: {'; '.join(descriptions)}")


def _piece(piece: Part, start: float, y: float, name: str) -> str:
    number = f"{piece.size:.0%}"
    inside = (
        f'<text class="on-{piece.style}" x="{100 * (start + piece.size / 2):.2f}%" y="{y + 12}" '
        f'text-anchor="middle">{number}</text>'
        if piece.size >= 0.12
        else ""
    )
    title = f"<title>{safe(name)}: {safe(piece.kind)} {number}</title>"
    return (
        f'<g>{title}<rect class="{piece.style}" x="{100 * start:.2f}%" y="{y}" '
        f'width="{100 * piece.size:.2f}%" height="{_BAR}"/>{inside}</g>'
    )


def legend(entries: Iterable[tuple[str, str]]) -> str:
    """Styles of the sheet and what they stand for."""
    items = "".join(
        f'<li><svg width="14" height="14" aria-hidden="true">'
        f'<rect class="{style}" width="14" height="14" rx="2"/></svg> {safe(meaning)}</li>'
        for style, meaning in entries
    )
    return f'<ul class="legend">{items}</ul>'


def picture(inside: str, height: float, label: str, size: str = ' width="100%"') -> str:
    """Return a picture, and what it shows for those who cannot see it."""
    return (
        f'<svg role="img" aria-label="{safe(label)}"{size} height="{height:.0f}">\n{inside}\n</svg>'
    )


def _along(scale: Scale, value: float) -> str:
    return f"{_SIDE + (100 - 2 * _SIDE) * max(0.0, min(1.0, scale.at(value))):.2f}%"


def _anchor(place: float) -> str:
    return "start" if place < 0.08 else "end" if place > 0.92 else "middle"
