"""Heat maps: matrices of agents in colours on both sides of a centre.

Orange and blue, which colour-blind readers can tell apart, and in every cell its number. Wider
than a narrow screen, so a page lets them scroll.
"""

from collections.abc import Sequence
from typing import TypeAlias

from mascarade_agents.report._plots import cut, name_at, picture, safe
from mascarade_env.render._scene import printable

_WIDTH, _HEIGHT = 50, 32  # of a cell
_LETTER = 7.8  # pixels, in a wide font
_NAME = 18  # letters
_DEEPEST = 0.55  # of a cell's colour, so that its number can be read

#: A value in per one, its title, and whether it clearly is on one side of the centre. Where the
#: value is None the cell is empty.
Cell: TypeAlias = tuple[float | None, str, bool]


def heat_map(
    names: Sequence[str],
    cells: Sequence[Sequence[Cell]],
    *,
    centre: float,
    reach: float,
    label: str,
) -> str:
    """Return a matrix in colours on both sides of a centre.

    Args:
        names: of rows and columns alike.
        cells: by row and column.
        centre: has no colour.
        reach: how far from it the colour is deepest.
        label: what it shows, for those who cannot see it.
    """
    labels = [cut(printable(name), _NAME) for name in names]
    left_edge = 12 + _LETTER * max(map(len, labels))
    top = 14 + 0.72 * _LETTER * max(map(len, labels))
    over = left_edge + _WIDTH * len(names) + 0.5 * (top - 14)
    parts = []
    for place, name in enumerate(names):
        y = top + _HEIGHT * place + 20
        parts.append(
            name_at(f"{left_edge - 8:g}", y, name, length=_NAME, more=' text-anchor="end"')
        )
        x = left_edge + _WIDTH * (place + 0.5)
        turn = f' transform="rotate(-45 {x:g} {top - 6:g})"'
        parts.append(name_at(f"{x:g}", top - 6, name, length=_NAME, more=turn))
        for other, (value, title, clear) in enumerate(cells[place]):
            at = (left_edge + _WIDTH * other, top + _HEIGHT * place)
            parts.append(_cell(value, title, clear, at, (centre, reach)))
    height = top + _HEIGHT * len(names) + 2
    size = f' width="{over:.0f}" viewBox="0 0 {over:.0f} {height:.0f}"'
    return picture("\n".join(parts), height, label, size)


def _cell(
    value: float | None,
    title: str,
    clear: bool,
    at: tuple[float, float],
    scale: tuple[float, float],
) -> str:
    box = f'x="{at[0] + 1:g}" y="{at[1] + 1:g}" width="{_WIDTH - 2}" ' + (
        f'height="{_HEIGHT - 2}" rx="3"'
    )
    if value is None:
        return f'<rect class="trough" {box}/>'
    away = max(-1.0, min(1.0, (value - scale[0]) / scale[1]))
    side, depth = ("above" if away > 0 else "below"), _DEEPEST * abs(away)
    text = (
        f'<text class="{"clear" if clear else "unclear"}" x="{at[0] + _WIDTH / 2:g}" '
        f'y="{at[1] + _HEIGHT / 2 + 4.5:g}" text-anchor="middle">{100 * value:.0f}</text>'
    )
    return (
        f'<g><title>{safe(title)}</title><rect class="cell" {box}/>'
        f'<rect class="{side}" fill-opacity="{depth:.3f}" {box}/>{text}</g>'
    )
