"""Our speed beside that of other packages, as a picture."""

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure as Sheet

from lab.bench.peer_runs import PeerResult
from mascarade_env._benchmarks.measuring import Figure, short
from mascarade_env._errors import MascaradeError
from mascarade_env.exact._files import making
from mascarade_env.exact._plot import checked_picture

#: Our lines that others compare with, and the kind of interface.
GROUPS = {
    "game-6A": "one game, called from Python, without observations",
    "aec-raw-6A": "one game, with observations of who decides",
    "aec-env-6A": "PettingZoo's env(), with all its checks",
    "memory-6A": "many games in step, with observations",
}
# Told apart by those who see few colours; ours is hatched too.
_OURS, _THEIRS = "#0072B2", "#E69F00"
_STYLE: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "mascarade", "font.size": 9}


def draw(figures: Sequence[Figure], peers: Sequence[PeerResult], path: Path) -> None:
    """Draw bars, in groups of interfaces of one kind.

    Args:
        figures: of our lines.
        peers: what became of the others; those without a rate are left out.
        path: a file that ends in .svg or .png.

    Raises:
        MascaradeError: there is nothing to compare.
    """
    groups = _groups(figures, peers)
    if not groups:
        raise MascaradeError("no other package was measured, so there is nothing to draw")
    kind = checked_picture(path).suffix.lower()[1:]
    without = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        rows = sum(len(bars) + 1 for bars in groups.values())
        sheet = Sheet(figsize=(8, 0.28 * rows + 1), layout="constrained")
        sheet.suptitle("Decisions a second on one core; the others play other, shorter games")
        parts = sheet.subplots(
            len(groups), 1, squeeze=False, sharex=True,
            height_ratios=[len(bars) + 0.6 for bars in groups.values()],
        )[:, 0]  # fmt: skip
        for axes, (title, bars) in zip(parts, groups.items(), strict=True):
            axes.set_title(title, loc="left", fontsize=9)
            drawn = axes.barh(
                [name for name, _, _ in bars],
                [rate for _, rate, _ in bars],
                color=[_OURS if ours else _THEIRS for _, _, ours in bars],
                hatch=["//" if ours else "" for _, _, ours in bars],
                edgecolor="white",
            )
            axes.bar_label(drawn, [short(rate) for _, rate, _ in bars], padding=3)
            axes.set(xscale="log", xlim=(1e3, 2e7))
            axes.invert_yaxis()
            axes.spines[["top", "right"]].set_visible(False)
        parts[-1].set_xlabel("decisions a second of CPU time (log scale)")
        with making(path) as beside, warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            sheet.savefig(beside, format=kind, dpi=150, metadata=without)


def in_words(figures: Sequence[Figure], peers: Sequence[PeerResult]) -> str:
    """What the picture shows, for those who cannot see it."""
    return "; ".join(
        f"{title}: " + ", ".join(f"{name} {short(rate)}" for name, rate, _ in bars)
        for title, bars in _groups(figures, peers).items()
    )


def _groups(
    figures: Sequence[Figure], peers: Sequence[PeerResult]
) -> dict[str, list[tuple[str, float, bool]]]:
    """By kind of interface: names and rates, ours first; without those that nobody is beside."""
    ours = {figure.line.name: figure.value for figure in figures}
    found: dict[str, list[tuple[str, float, bool]]] = {}
    for line, title in GROUPS.items():
        rate = ours.get(line)
        beside = _fastest(peer for peer in peers if peer.peer.beside == line)
        if rate is not None and beside:
            found[title] = [("mascarade-env", rate, True), *beside]
    return found


def _fastest(peers: Iterable[PeerResult]) -> list[tuple[str, float, bool]]:
    """The best of each package and game."""
    best: dict[str, float] = {}
    for result in peers:
        if result.rate is not None:
            name = f"{result.peer.packages[0]}, {result.peer.game}"
            best[name] = max(best.get(name, 0), result.rate)
    return [(name, rate, False) for name, rate in sorted(best.items(), key=lambda b: -b[1])]
