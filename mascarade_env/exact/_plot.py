"""NashConv over iterations and over time, as a picture; it takes matplotlib, the extra `plot`."""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mascarade_env._errors import MascaradeError
from mascarade_env.exact._files import making
from mascarade_env.exact._solver_run import Point
from mascarade_env.render._scene import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: What a picture may end in.
SUFFIXES = (".svg", ".png")

# Okabe and Ito: told apart by those who see few colours too, as the markers are without any.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "os^Dvx+"
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: small files, and words that can be searched
    "svg.hashsalt": "mascarade",  # names of parts that do not change from file to file
    "font.size": 10,
    "axes.grid": True,
    "grid.alpha": 0.3,
}


def checked_picture(path: Path) -> Path:
    """Return a file that a picture can be written to, by its name."""
    if path.suffix.lower() not in SUFFIXES:
        raise MascaradeError(
            f"a plot is a file whose name ends in {' or '.join(SUFFIXES)}, not {str(path)!r}"
        )
    return path


def plot(
    curves: Mapping[str, Sequence[Point]], path: Path, title: str, *, seconds: bool = True
) -> None:
    """Draw NashConv over iterations, and beside it over seconds.

    The same points make the same file, to the byte. It is there whole, or as it was before.

    Args:
        curves: the points of each, by name.
        path: a file that ends in one of `SUFFIXES`.
        title: above all.
        seconds: whether to draw NashConv over seconds too.

    Raises:
        ImportError: matplotlib is not there.
        MascaradeError: the file cannot be written.
    """
    import matplotlib as mpl  # noqa: PLC0415  most who solve games need no picture
    from matplotlib.figure import Figure  # noqa: PLC0415

    kind = checked_picture(path).suffix.lower()[1:]
    # None leaves out the date and the version of matplotlib.
    without = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        figure = Figure(figsize=(9, 4) if seconds else (7, 4), layout="constrained")
        # Names are what they are: a "$" in them begins no formula.
        figure.suptitle(printable(title), parse_math=False)
        left, *right = figure.subplots(1, 1 + seconds, sharey=True, squeeze=False)[0]
        _draw(left, {name: [(p.iterations, p.nash_conv) for p in c] for name, c in curves.items()})
        left.set(xlabel="iterations", ylabel="NashConv (win shares)")
        for axes in right:
            _draw(axes, {name: [(p.seconds, p.nash_conv) for p in c] for name, c in curves.items()})
            axes.set(xlabel="time of the iterations (seconds)")
        if len(curves) > 1:
            for label in left.legend().get_texts():
                label.set_parse_math(False)
        with making(path) as beside, warnings.catch_warnings():
            # A letter that its font lacks is a box in a .png, and as it should be in an .svg.
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            figure.savefig(beside, format=kind, dpi=150, metadata=without)


def _draw(axes: "Axes", curves: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    """Lines of points; what is not above 0 has no place on these scales."""
    axes.set(xscale="log", yscale="log")
    for place, (name, points) in enumerate(curves.items()):
        positive = [point for point in points if min(point) > 0]
        axes.plot(
            [x for x, _ in positive],
            [y for _, y in positive],
            label=printable(name),
            color=_COLOURS[place % len(_COLOURS)],
            marker=_MARKERS[place % len(_MARKERS)],
            markersize=4,
            markevery=6,
            linewidth=1.2,
        )
