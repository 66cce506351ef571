"""The pictures of RESULTS.md; they take matplotlib, the extra `plot`.

The same figures make the same files, to the byte, with the same version of matplotlib.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env.exact._files import making

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito: told apart by those who see few colours too, as lines are by their markers.
_LOOKS: dict[str, dict[str, Any]] = {
    "regularised": {"color": "#0072B2", "marker": "o"},
    "naive": {"color": "#D55E00", "marker": "s"},
    "CFR+": {"color": "#009E73", "marker": "^"},
}
_LINES = (
    {"color": "#0072B2", "marker": "o"},
    {"color": "#D55E00", "marker": "s"},
    {"color": "#009E73", "marker": "^"},
    {"color": "#CC79A7", "marker": "D"},
    {"color": "#E69F00", "marker": "v"},
    {"color": "#56B4E9", "marker": "x"},
    {"color": "#000000", "marker": "+"},
)
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: small files, and words that can be searched
    "svg.hashsalt": "mascarade",  # names of parts that do not change from file to file
    "font.size": 10,
    "axes.grid": True,
    "grid.alpha": 0.3,
}
_MILLION = 1e6

#: Points of a curve: a number of decisions or iterations, and a figure.
Curve = Sequence[Sequence[float]]


class Spread(NamedTuple):
    """Curves of several seeds at common places.

    Attributes:
        places: decisions.
        low: the lower quartile.
        middle: the median.
        high: the upper quartile.
    """

    places: NDArray[np.float64]
    low: NDArray[np.float64]
    middle: NDArray[np.float64]
    high: NDArray[np.float64]


def spread(curves: Sequence[Curve]) -> Spread:
    """The median and the quartiles of curves, as far as all of them reach."""
    end = min(curve[-1][0] for curve in curves)
    places = np.array([x for x, _ in curves[0] if x < end] + [end], np.float64)
    values = [np.interp(places, *np.array(curve, np.float64).T) for curve in curves]
    return Spread(places, *np.quantile(values, [0.25, 0.5, 0.75], axis=0))


def nash_conv_picture(  # noqa: PLR0913  parts of a picture, by name
    path: Path,
    scenario: str,
    *,
    uniform: float | None,
    learned: Mapping[str, Sequence[Curve]],
    cfr: Curve,
    goal: float,
) -> None:
    """Draw NashConv over what was learned, and beside it over the iterations of CFR+.

    Args:
        path: of an `.svg`.
        scenario: its name.
        uniform: of uniform play.
        learned: curves by method, one for each seed.
        cfr: over iterations.
        goal: what self-play is to reach.
    """
    with _figure(path, (9, 4)) as figure:
        figure.suptitle(f"NashConv in {scenario}")
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(2, 1))
        left.set(
            yscale="log", xlabel="decisions learned (millions)", ylabel="NashConv (win shares)"
        )
        if uniform is not None:
            left.axhline(uniform, color="black", linestyle="--", label="uniform play")
        for method, curves in learned.items():
            if curves:
                found = spread(curves)
                x = found.places / _MILLION
                name = f"{method}, {len(curves)} seed{'s' * (len(curves) > 1)}"
                left.plot(x, found.middle, label=name, markersize=4, **_LOOKS[method])
                left.fill_between(
                    x, found.low, found.high, color=_LOOKS[method]["color"], alpha=0.25, linewidth=0
                )
        left.axhline(goal, color="black", linestyle=":", label=f"goal, {goal:.2f}")
        left.legend()
        right.set(xscale="log", xlabel="iterations over the whole tree")
        if cfr:
            right.plot(
                *np.array(cfr, np.float64).T,
                label="CFR+",
                markersize=4,
                markevery=6,
                **_LOOKS["CFR+"],
            )
            right.legend()


def learning_picture(
    path: Path, curves: Mapping[str, Mapping[str, Curve]], fair: Mapping[str, float]
) -> None:
    """Draw how win shares rose while networks learned.

    Args:
        path: of an `.svg`.
        curves: by network and opponent.
        fair: the fair share, by network.
    """
    columns = min(len(curves), 3)
    rows = -(-len(curves) // columns)
    with _figure(path, (3.2 * columns + 0.4, 2.6 * rows + 0.4)) as figure:
        panels = list(figure.subplots(rows, columns, squeeze=False, sharey=True).flat)
        opponents = list(dict.fromkeys(name for shown in curves.values() for name in shown))
        for panel, (network, shown) in zip(panels, curves.items(), strict=False):
            panel.set(title=network, ylim=(0, 1))
            panel.axhline(fair[network], color="black", linestyle="--", label="fair share")
            for opponent, curve in shown.items():
                x, y = np.array(curve, np.float64).T
                look = _LINES[opponents.index(opponent) % len(_LINES)]
                panel.plot(x / _MILLION, y, label=f"alone among {opponent}", markersize=3, **look)
        for panel in panels[len(curves) :]:
            panel.remove()
        first = figure.axes[0]
        wide = 4 if columns == 3 else columns  # as many words as there is room for in a line
        figure.legend(*first.get_legend_handles_labels(), loc="outside upper center", ncols=wide)
        figure.supxlabel("decisions learned (millions)")
        figure.supylabel("win share")


@contextmanager
def _figure(path: Path, size: tuple[float, float]) -> Iterator["Figure"]:
    """A figure that becomes a file, which is there whole or as it was before."""
    import matplotlib as mpl  # noqa: PLC0415  it takes time to load
    from matplotlib.figure import Figure  # noqa: PLC0415

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        figure = Figure(figsize=size, layout="constrained")
        yield figure
        # None leaves out the date and the version of matplotlib.
        with making(path) as beside:
            figure.savefig(beside, format="svg", metadata={"Date": None, "Creator": None})
