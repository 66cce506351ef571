"""The pictures of RESULTS.md: NashConv in small games, and learning curves in full-size ones."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env.exact._files import making
from mascarade_env.render._charts import CURVE_COLOURS, CURVE_MARKERS, chart

_LINES = tuple(
    {"color": colour, "marker": marker}
    for colour, marker in zip(CURVE_COLOURS, CURVE_MARKERS, strict=True)
)
_METHODS: dict[str, dict[str, Any]] = dict(
    zip(("regularised", "naive", "CFR+"), _LINES, strict=False)
)
_MILLION = 1e6

#: Points of a curve: each is a number of decisions or iterations, and the measured figure.
Curve = Sequence[Sequence[float]]


class Spread(NamedTuple):
    """The median and the quartiles of several curves, at common numbers of decisions.

    Attributes:
        places: numbers of decisions.
        low: the lower quartile.
        middle: the median.
        high: the upper quartile.
    """

    places: NDArray[np.float64]
    low: NDArray[np.float64]
    middle: NDArray[np.float64]
    high: NDArray[np.float64]


def spread(curves: Sequence[Curve]) -> Spread:
    """Return the median and the quartiles of curves, up to the end of the shortest curve."""
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
    """Draw the NashConv of self-play on the left, and of CFR+ on the right.

    Args:
        path: an `.svg` file.
        scenario: the name of the scenario.
        uniform: the NashConv of uniform play.
        learned: the curves of each method over decisions, one for each seed.
        cfr: the curve of CFR+ over its iterations.
        goal: the NashConv that self-play should reach.
    """
    with making(path) as beside, chart(beside, "svg", (9, 4)) as figure:
        figure.suptitle(f"NashConv in {scenario}")
        left, right = figure.subplots(1, 2, width_ratios=(2, 1))
        right.sharey(left)
        left.set(yscale="log", xlabel="decisions of training (millions)")
        left.set_ylabel("NashConv (win shares)")
        if uniform is not None:
            left.axhline(uniform, color="black", linestyle="--", label="uniform play")
        for method, curves in learned.items():
            if curves:
                median = spread(curves)
                x = median.places / _MILLION
                name = f"{method}, {len(curves)} seed{'s' * (len(curves) > 1)}"
                look = _METHODS[method]
                left.plot(x, median.middle, label=name, markersize=4, **look)
                left.fill_between(
                    x, median.low, median.high, color=look["color"], alpha=0.25, linewidth=0
                )
        left.axhline(goal, color="black", linestyle=":", label=f"goal, {goal:.2f}")
        left.legend()
        right.set(xscale="log", xlabel="iterations over the whole tree")
        if cfr:
            x, y = np.array(cfr, np.float64).T
            right.plot(x, y, label="CFR+", markersize=4, markevery=6, **_METHODS["CFR+"])
            right.legend()


def learning_picture(
    path: Path, curves: Mapping[str, Mapping[str, Curve]], players: Mapping[str, int]
) -> None:
    """Draw win shares over the decisions of training, in a panel for each network.

    Args:
        path: an `.svg` file.
        curves: the curve of each network against each opponent.
        players: the number of players at the table of each network.
    """
    columns = min(len(curves), 3)
    rows = -(-len(curves) // columns)
    with (
        making(path) as beside,
        chart(beside, "svg", (3.2 * columns + 0.4, 2.7 * rows + 0.6)) as figure,
    ):
        panels = list(figure.subplots(rows, columns, squeeze=False).flat)
        opponents = list(dict.fromkeys(name for shown in curves.values() for name in shown))
        for panel, (network, shown) in zip(panels, curves.items(), strict=False):
            table = players[network]
            panel.set(title=f"{network}: 1 vs {table - 1}", ylim=(0, 1))
            panel.axhline(1 / table, color="black", linestyle="--", label="fair share, 1/n")
            for opponent, curve in shown.items():
                x, y = np.array(curve, np.float64).T
                look = _LINES[opponents.index(opponent) % len(_LINES)]
                panel.plot(x / _MILLION, y, label=f"vs copies of {opponent}", markersize=3, **look)
            panel.set_xlim(left=0)
        for panel in panels[len(curves) :]:
            panel.remove()
        first = figure.axes[0]
        wide = 3 if columns == 3 else columns
        figure.legend(*first.get_legend_handles_labels(), loc="outside upper center", ncols=wide)
        figure.supxlabel("decisions of training (millions)")
        figure.supylabel("win share")
