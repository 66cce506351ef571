"""Charts by matplotlib (the extra `plot`) in one style, readable on light and dark pages.

With the same version of matplotlib, the same numbers give the same bytes.
"""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Colours of curves, by Okabe and Ito: colour-blind readers can tell them apart.
CURVE_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
#: Markers of curves, so that colour is not the only difference.
CURVE_MARKERS = "os^Dvx+"
#: The colour of the reference with which a chart compares.
NEUTRAL = "#8b949e"

# The colours that matplotlib writes, and what they become on a dark page.
_INK, _DARK_INK = "#000000", "#e6e9ee"
_ON_DARK = {
    _INK: _DARK_INK,
    "#ffffff": "#14171b",
    "#cccccc": "#4a505a",
    "#0072b2": "#56b4e9",
    "#d55e00": "#f08a3c",
    "#009e73": "#2fc59a",
    "#cc79a7": "#dd9dbe",
    "#56b4e9": "#9ad2f5",
}
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: the file is small, and readers can search it
    "svg.hashsalt": "mascarade",  # so that ids do not differ from file to file
    "font.size": 10,
    "grid.alpha": 0.3,
}


@contextmanager
def chart(
    path: Path, kind: str, size: tuple[float, float], *, grid: bool = True
) -> Iterator["Figure"]:
    """Yield an empty figure, and write it to a file when the body ends.

    Args:
        path: the file.
        kind: "svg" or "png".
        size: width and height, in inches.
        grid: whether axes have a grid.
    """
    import matplotlib as mpl  # noqa: PLC0415  it takes time to load
    from matplotlib.figure import Figure  # noqa: PLC0415

    # None leaves out the date and the version of matplotlib.
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update({**_STYLE, "axes.grid": grid})
        figure = Figure(figsize=size, layout="constrained")
        yield figure
        drawn = io.BytesIO()
        with warnings.catch_warnings():
            # A letter that the font lacks is a box in a .png, and correct in an .svg.
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            figure.savefig(drawn, format=kind, dpi=150, metadata=metadata)
    contents = drawn.getvalue()
    path.write_bytes(for_dark_pages(contents.decode()).encode() if kind == "svg" else contents)


def for_dark_pages(svg: str) -> str:
    """Return an SVG by matplotlib with a style sheet that changes its colours on dark pages.

    Pages show charts as images, so a chart cannot use the colours of its page. It follows the
    reader's system setting instead. Its background changes too, so its text is readable even on a
    page that does not follow this setting.
    """
    rules = "".join(
        f'#figure_1 [style*="{part}: {light}"]{{{part}:{dark}!important}}'
        for light, dark in _ON_DARK.items()
        for part in ("fill", "stroke")
    )
    # matplotlib writes black text without a colour.
    rules = f"#figure_1 text{{fill:{_DARK_INK}}}{rules}"
    sheet = f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
    return svg.replace(' <g id="figure_1">', f' {sheet}\n <g id="figure_1">', 1)
