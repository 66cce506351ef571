"""Plot NashConv over iterations and over time. This needs matplotlib, from the extra `plot`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mascarade_env._errors import MascaradeError
from mascarade_env.exact._files import making
from mascarade_env.exact._solver_run import Point
from mascarade_env.render._charts import CURVE_COLOURS, CURVE_MARKERS, chart
from mascarade_env.render._scene import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The possible endings of a picture's file name.
SUFFIXES = (".svg", ".png")


def checked_picture(path: Path) -> Path:
    """Return the path of a picture; raise an error if its name does not end in `SUFFIXES`."""
    if path.suffix.lower() not in SUFFIXES:
        raise MascaradeError(
            f"a plot must be a file whose name ends in {' or '.join(SUFFIXES)}, not {str(path)!r}"
        )
    return path


def plot(
    curves: Mapping[str, Sequence[Point]], path: Path, title: str, *, seconds: bool = True
) -> None:
    """Draw NashConv over iterations, and next to it over seconds.

    The same points give the same bytes. If writing fails, an existing file stays as it was.

    Args:
        curves: the points of each curve, by its name.
        path: the file, which ends in one of `SUFFIXES`.
        title: the title of the picture.
        seconds: whether to draw NashConv over seconds too.

    Raises:
        ImportError: matplotlib is not installed.
        MascaradeError: the file cannot be written.
    """
    kind = checked_picture(path).suffix.lower()[1:]
    size = (9 if seconds else 7, 4)
    with making(path) as beside, chart(beside, kind, size) as figure:
        # A "$" in a name must not begin a formula.
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


def _draw(axes: "Axes", curves: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    """Draw curves on logarithmic scales. Leave out points with a coordinate of 0 or less."""
    axes.set(xscale="log", yscale="log")
    for place, (name, points) in enumerate(curves.items()):
        positive = [point for point in points if min(point) > 0]
        axes.plot(
            [x for x, _ in positive],
            [y for _, y in positive],
            label=printable(name),
            color=CURVE_COLOURS[place % len(CURVE_COLOURS)],
            marker=CURVE_MARKERS[place % len(CURVE_MARKERS)],
            markersize=4,
            markevery=6,
            linewidth=1.2,
        )
