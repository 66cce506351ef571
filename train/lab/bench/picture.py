"""A bar chart of the speed of this package and of others."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from lab.bench.peer_runs import PeerResult
from mascarade_env._benchmarks.measuring import Figure, short
from mascarade_env._errors import MascaradeError
from mascarade_env.exact._files import making
from mascarade_env.exact._plot import checked_picture
from mascarade_env.render._charts import CURVE_COLOURS, NEUTRAL, chart

#: The benchmarks of this package that other packages are compared with, and the kind of interface
#: that each of them measures.
GROUPS = {
    "game-6A": "one game, called from Python, without observations",
    "aec-raw-6A": "one game, with observations of the acting player",
    "aec-env-6A": "PettingZoo's env(), with all its checks",
    "memory-6A": "a batch of games, with observations",
}


def draw(figures: Sequence[Figure], peers: Sequence[PeerResult], path: Path) -> None:
    """Draw a bar for each package and game, grouped by kind of interface.

    Args:
        figures: the figures of this package.
        peers: the results of other packages. Results without a rate are left out.
        path: a file whose name ends in .svg or .png.

    Raises:
        MascaradeError: no other package has a rate.
    """
    groups = _groups(figures, peers)
    if not groups:
        raise MascaradeError(
            "no other package has a rate, so there is nothing to draw: run `make bench`, which "
            "installs the other packages"
        )
    rows = sum(len(bars) + 1 for bars in groups.values())
    kind = checked_picture(path).suffix.lower()[1:]
    with making(path) as beside, chart(beside, kind, (8, 0.3 * rows + 1), grid=False) as figure:
        figure.suptitle("Decisions per second on one core (the games differ: others are shorter)")
        parts = figure.subplots(
            len(groups), 1, squeeze=False, sharex=True,
            height_ratios=[len(bars) + 0.6 for bars in groups.values()],
        )[:, 0]  # fmt: skip
        for axes, (title, bars) in zip(parts, groups.items(), strict=True):
            axes.set_title(title, loc="left", fontsize=10)
            drawn = axes.barh(
                [name for name, _, _ in bars],
                [rate for _, rate, _ in bars],
                color=[CURVE_COLOURS[0] if ours else NEUTRAL for _, _, ours in bars],
            )
            axes.bar_label(drawn, [short(rate) for _, rate, _ in bars], padding=3)
            axes.set(xscale="log", xlim=(1e3, 2e7))
            axes.minorticks_off()
            axes.tick_params(left=False)
            axes.invert_yaxis()
            axes.spines[["top", "right"]].set_visible(False)
        parts[-1].set_xlabel("decisions per second of CPU time (log scale)")


def in_words(figures: Sequence[Figure], peers: Sequence[PeerResult]) -> str:
    """Return the content of the picture as text, for readers who cannot see it."""
    return "; ".join(
        f"{title}: " + ", ".join(f"{name} {short(rate)}" for name, rate, _ in bars)
        for title, bars in _groups(figures, peers).items()
    )


def _groups(
    figures: Sequence[Figure], peers: Sequence[PeerResult]
) -> dict[str, list[tuple[str, float, bool]]]:
    """Return (name, rate, whether it is ours) for each bar, by kind of interface; ours come first.

    A kind of interface is left out if no other package was measured with it.
    """
    ours = {figure.line.name: figure.value for figure in figures}
    groups: dict[str, list[tuple[str, float, bool]]] = {}
    for line, title in GROUPS.items():
        rate = ours.get(line)
        others = _fastest(peer for peer in peers if peer.peer.beside == line)
        if rate is not None and others:
            groups[title] = [("mascarade-env", rate, True), *others]
    return groups


def _fastest(peers: Iterable[PeerResult]) -> list[tuple[str, float, bool]]:
    """Return the best rate of each package and game; the fastest comes first."""
    best: dict[str, float] = {}
    for result in peers:
        if result.rate is not None:
            name = f"{result.peer.packages[0]}, {result.peer.game}"
            best[name] = max(best.get(name, 0), result.rate)
    return [(name, rate, False) for name, rate in sorted(best.items(), key=lambda b: -b[1])]
