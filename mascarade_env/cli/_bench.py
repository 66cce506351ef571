"""`mascarade bench`: how fast it is on this machine."""

import importlib.util
import json as json_format
import os
import platform
import re
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mascarade_env._benchmarks import Benchmark
from mascarade_env._benchmarks.busy import busy_notice, load_per_core, share_of_core
from mascarade_env._benchmarks.peer_runs import PeerResult, run_peer
from mascarade_env._benchmarks.peers import PEERS, Peer
from mascarade_env._benchmarks.picture import draw, in_words
from mascarade_env._benchmarks.report import Figure, page, peer_cells
from mascarade_env._errors import MascaradeError, UnknownNameError, did_you_mean
from mascarade_env.cli._consoles import show
from mascarade_env.cli._outputs import writing
from mascarade_env.exact._files import making
from mascarade_env.exact._plot import checked_picture

#: What the figures depend on.
_PACKAGES = (
    "mascarade-env", "numpy", "numba", "gymnasium", "pettingzoo",
    "stable-baselines3", "sb3-contrib", "torch",
)  # fmt: skip


def bench(
    only: tuple[str, ...] = (),
    json: bool = False,
    peers: Path | None = None,
    report: Path | None = None,
    picture: Path | None = None,
) -> None:
    """Measure speed on this machine: one process, one thread, the best of several rounds.

    Example: mascarade bench --only playouts-6A game-6A

    Args:
        only: Names of the lines to measure; all by default.
        json: Print JSON.
        peers: The Python of an environment with other packages, to measure them beside ours;
            `make bench` makes one.
        report: A page to write in Markdown, with all lines.
        picture: A file (.svg, .png) to draw our speed in beside that of the others; it takes
            --peers and the extra plot.
    """
    ours = {line.name: line for line in _all_lines()}
    theirs = {} if peers is None else {peer.name: peer for peer in PEERS}
    known = [*ours, *theirs]
    for name in only:
        if name not in known:
            raise UnknownNameError(f"no benchmark {name!r}{did_you_mean(name, known)}")
    _check_files(only, peers, report, picture)
    chosen = only or known
    with writing({"--report": report, "--picture": picture}):
        load = load_per_core()
        figures, shares = _measure([line for name, line in ours.items() if name in chosen])
        busy = busy_notice(load, shares)
        results = None
        if peers is not None:
            results = _run([peer for name, peer in theirs.items() if name in chosen], peers)
        machine = _machine()
        if json:
            _print_json(machine, figures, results or [], busy)
        else:
            _print(machine, figures, results or [])
        if busy is not None:
            Console(stderr=True).print(busy, soft_wrap=True, highlight=False)
        shown = None
        if picture is not None and (words := in_words(figures, results or [])):
            shown = Path(os.path.relpath(picture, (report or picture).parent)).as_posix(), words
        if report is not None:  # before the picture: should that fail, what was measured is kept
            with making(report) as beside:
                beside.write_text(
                    page(machine, figures, results, picture=shown, busy=busy), encoding="utf-8"
                )
        if picture is not None:
            draw(figures, results or [], picture)


def _measure(lines: Sequence[Benchmark]) -> tuple[list[Figure], list[float]]:
    """Return the figures, and the share of a core (0 to 1) available before each."""
    figures, shares = [], []
    with Console(stderr=True).status("", spinner="line") as status:
        for line in lines:
            status.update(f"{line.name}: {line.about}")
            shares.append(share_of_core())
            try:
                figures.append(Figure(line, line.measure()))
            except ImportError as missing:  # of an extra
                figures.append(Figure(line, None, str(missing)))
    return figures, shares


def _run(peers: Sequence[Peer], python: Path) -> list[PeerResult]:
    results = []
    with Console(stderr=True).status("", spinner="line") as status:
        for peer in peers:
            status.update(f"{peer.name}: {peer.how}")
            results.append(run_peer(python, peer))
    return results


def _all_lines() -> list[Benchmark]:
    groups = sorted(entry_points(group="mascarade.benchmarks"), key=lambda entry: entry.name)
    return [line for entry in groups for line in entry.load()]


def _check_files(
    only: tuple[str, ...], peers: Path | None, report: Path | None, picture: Path | None
) -> None:
    """Refuse what cannot be drawn or run before anything is measured."""
    if only and report is not None:
        raise MascaradeError("a report has all lines: leave out --only or --report")
    if picture is not None and (only or peers is None):
        raise MascaradeError("a picture shows all packages: give --peers, and leave out --only")
    if peers is not None:
        _check_runs(peers)
    if picture is not None:
        if importlib.util.find_spec("matplotlib") is None:
            raise MascaradeError(
                "--picture needs the extra plot: pip install 'mascarade-env[plot]'"
            )
        checked_picture(picture)


def _check_runs(python: Path) -> None:
    if not python.is_file() or not os.access(python, os.X_OK):
        raise MascaradeError(
            f"{str(python)!r} is not a Python that can be run; `make bench` makes an environment "
            "with the other packages, and its Python is .venv-peers/bin/python"
        )


def _machine() -> dict[str, Any]:
    """What the figures depend on; neither names nor paths."""
    release = re.match(r"\d+(\.\d+)*", platform.release())
    return {
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {release[0] if release else ''}".rstrip(),
        "python": platform.python_version(),
        **{name: found for name in _PACKAGES if (found := _version(name))},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:  # of an extra
        return None


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123  absent elsewhere
            names = [line.partition(":")[2].strip() for line in file if "model name" in line]
    except OSError:
        names = []
    return names[0] if names else platform.processor()


def _print_json(
    machine: dict[str, Any],
    figures: Sequence[Figure],
    results: Sequence[PeerResult],
    busy: str | None,
) -> None:
    ours = [
        {
            "name": figure.line.name,
            "about": figure.line.about,
            "figure": figure.value,
            "unit": figure.line.unit,
            "at_least": figure.line.at_least,
            "at_most": figure.line.at_most,
            "reached": None if figure.value is None else figure.line.reached(figure.value),
            "missing": figure.missing or None,
        }
        for figure in figures
    ]
    theirs = [
        {
            "name": result.peer.name,
            "package": result.peer.packages[0],
            "version": result.version,
            "game": result.peer.game,
            "how": result.peer.how,
            "rate": result.rate,
            "wall_rate": result.wall_rate,
            "error": result.error,
        }
        for result in results
    ]
    print(json_format.dumps({**machine, "busy": busy, "results": ours, "peers": theirs}))


def _print(
    machine: dict[str, Any], figures: Sequence[Figure], results: Sequence[PeerResult]
) -> None:
    console = Console()
    if figures:
        table = _table("name", "what", "figure", "target", "")
        for figure in figures:
            line = figure.line
            table.add_row(line.name, line.about, figure.text, figure.target, figure.verdict)
        show(table)
    if results:
        table = _table("name", "how", "by CPU time", "by wall time")
        for result in results:
            cells = (result.peer.name, result.peer.how, *peer_cells(result))
            table.add_row(*map(escape, cells))
        show(table)
    console.print("Rates are per second of CPU time; times are wall time.")
    console.print(", ".join(f"{key} {value}" for key, value in machine.items()))


def _table(*heads: str) -> Table:
    return Table(*heads, box=box.SIMPLE, pad_edge=False)
